//! Writes exported requests: one thread reads the tables, a second one formats and writes the rows,
//! and a third one syncs. A million quotes take 0.6 of the sqlite3 shell's time; on one thread they
//! took 0.9 (docs/decisions.md).

mod batch;
mod excel;
mod format;
mod writer;

pub use format::Format;
pub use writer::ExportWriter;
