//! Writes exported requests: one thread reads the tables, and a second one formats and writes the
//! rows.

mod batch;
mod format;
mod writer;

pub use format::Format;
pub use writer::ExportWriter;
