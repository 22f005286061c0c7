//! Lists of requests: filters, counts, order and paging.

pub(super) mod conditions;
pub(super) mod counts;
pub(super) mod filter;
pub(super) mod list;
pub(super) mod named_filters;
mod order;
pub(super) mod query;
pub(super) mod quote_list;
pub(super) mod selection;
pub(super) mod status_counts;
#[cfg(test)]
mod tests;
