//! Lists of requests: filters, counts, order and paging.

pub(super) mod conditions;
pub mod counts;
pub mod filter;
pub mod list;
pub mod named_filters;
mod order;
pub mod query;
pub mod quote_list;
pub(super) mod selection;
pub mod status_counts;
#[cfg(test)]
mod tests;
