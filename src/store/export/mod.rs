//! Writes exported requests in one format, while they are read.

mod excel;
mod format;

pub use format::{ExportWriter, Format};
