//! Figures: counts of requests and offers by day, kept beside the rows that they are made of.
//! Triggers mark the hours of changed rows as stale, and the days of these hours are counted again
//! before figures are read. What is deleted is added to `figures_kept` in the same transaction.

mod conversions;
mod counts;
mod day;
pub(crate) mod kept;
mod offers;
mod read;
mod refresh;
pub(crate) mod reports;
mod requests;
mod time_zone;
pub mod to_do;
pub mod views;
