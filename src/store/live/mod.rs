//! The feed of committed changes.

pub(super) mod change_log;
mod changed_row;
pub mod feed;
pub(crate) mod outbox_signal;
