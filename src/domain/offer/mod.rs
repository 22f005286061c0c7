//! Priced offers: the rate card, what is offered and its price. Money is in cents, time in minutes,
//! rates in basis points (1/10,000); each line is rounded half up.

mod amounts;
pub mod asked;
pub mod calendar;
pub mod check;
pub mod document;
pub mod draft;
pub mod faults;
mod labor;
pub mod lines;
pub mod link;
pub mod place;
mod post_lines;
pub mod price;
pub mod rate_card;
pub mod rates;
pub mod samples;
mod shifts;
mod start;
pub mod state;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod verdict;
