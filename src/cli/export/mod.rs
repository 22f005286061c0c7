//! Writes exported quotes: one thread reads the table, a second one formats and writes the rows,
//! and a third one syncs the file while it grows.

mod batch;
mod format;
mod fsync;
mod writer;

pub(super) use format::Format;
pub(super) use fsync::SyncedFile;
pub(super) use writer::ExportWriter;
