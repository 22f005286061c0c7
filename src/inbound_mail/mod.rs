//! Customers' emails.

pub mod imap;
