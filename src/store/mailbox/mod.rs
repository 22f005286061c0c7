//! The mailbox of customers' emails: how far it is read, the messages that could not be read, and
//! whether it advances.

pub mod position;
pub mod state;
pub mod tries;
