//! The feed of committed changes.

pub(super) mod change_log;
pub(super) mod feed;
