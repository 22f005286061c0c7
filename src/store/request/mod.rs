//! A request as it is stored: its row, its history, what waits, and the emails and offers that its
//! history names. What lies above, such as `inbox` and `offers`, changes it by these.

pub(crate) mod acceptances;
pub(crate) mod announcements;
pub(crate) mod columns;
pub(crate) mod customers;
pub(crate) mod earlier_emails;
pub(crate) mod emails;
mod event_row;
pub mod events;
pub(crate) mod requests;
pub mod sent_offers;
pub(crate) mod waits;
pub(crate) mod writes;
