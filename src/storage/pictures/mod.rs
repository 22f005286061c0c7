//! Pictures: decoded in a limited child process, in turns, and written anew.

pub mod decoding;
pub mod process;
pub(super) mod rewriting;
pub mod site_picture;
pub(super) mod turns;
pub(super) mod writing;
