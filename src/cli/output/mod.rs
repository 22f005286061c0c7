//! What commands write: lines, counts in messages, progress, and files.

#[macro_use]
pub(super) mod print;
pub(super) mod count_noun;
pub(super) mod new_file;
pub(super) mod progress;
mod stop_signals;
