//! The pace of a backup: it gives way to the server, reports its progress, and can be stopped.

pub(super) mod low_priority;
pub(super) mod progress;
pub(super) mod throttle;
