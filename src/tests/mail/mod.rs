//! Emails: what is sent to whom, the outbox, and transport security.

mod account_emails;
pub mod acknowledgements;
pub mod delivery;
mod dovecot;
mod emails;
mod escalations;
mod interrupted;
mod mailbox;
mod mailbox_faults;
mod outbox;
mod own_addresses;
mod priority;
mod reports;
mod tls;
