//! Lists of requests: filters, counts, order and paging.

pub(super) mod conditions;
pub(super) mod counts;
pub(super) mod filter;
pub(super) mod list;
pub(super) mod named_filters;
mod parts;
pub(super) mod query;
pub(super) mod quote_list;
mod sort;
#[cfg(test)]
mod tests;
pub(super) mod urgency;
mod urgency_position;
pub(super) mod walk;
