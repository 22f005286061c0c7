//! Figures of a period: what was asked, answered, offered and won, and what was viewed. The store
//! counts them by day; these are the period, the sources of visits, and the tables of both.

pub mod conversions;
pub mod histogram;
pub mod period;
pub mod report;
pub mod report_pdf;
pub mod source;
pub mod sums;
pub mod table;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod to_do;
