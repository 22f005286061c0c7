//! Writes exported requests in one format, while they are read.

mod format;

pub use format::{ExportWriter, Format};
