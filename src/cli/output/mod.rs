//! What commands write: counts in messages, progress, and large files.

pub(super) mod count_noun;
pub(super) mod progress;
pub(super) mod synced_file;
