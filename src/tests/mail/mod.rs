//! Emails: what is sent to whom, the outbox, and transport security.

mod account_emails;
pub mod acknowledgements;
mod emails;
mod escalations;
mod outbox;
mod own_addresses;
mod priority;
mod tls;
