//! Formats and writes exported requests on a second thread, while the next ones are read.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::batch::Batch;
use super::format::{Format, RowWriter};
use crate::{ExportColumn, ExportRow};

/// Capacity of the queue of batches.
const MAX_QUEUED: usize = 16;

/// Receives requests and passes them to the writing thread in batches.
pub struct ExportWriter {
    batch: Batch,
    /// The queue of batches; `None` marks the end of the export.
    batches: SyncSender<Option<Batch>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl ExportWriter {
    /// Writes the beginning of an export of `columns` to `out` and starts the thread that writes
    /// the rest. Fails if `out` cannot be written, or the thread cannot be started.
    pub fn start(
        format: Format,
        columns: &'static [ExportColumn],
        out: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let rows = format.begin(columns, out)?;
        let (batches, queue) = sync_channel(MAX_QUEUED);
        let thread = thread::Builder::new()
            .name("export".into())
            .spawn(move || write_all(rows, &queue))?;
        Ok(Self {
            batch: Batch::new(columns),
            batches,
            thread: Some(thread),
        })
    }

    /// Appends a request. Fails if an earlier request could not be written.
    pub fn push(&mut self, request: &ExportRow<'_>) -> io::Result<()> {
        self.batch.push(request);
        if self.batch.is_full() {
            self.send_batch()?;
        }
        Ok(())
    }

    /// Writes and syncs everything that was appended, and ends the thread. Fails if a request could
    /// not be written, or the file not synced.
    pub fn finish(mut self) -> io::Result<()> {
        self.send_batch()?;
        // If the thread has ended early, `join` returns its error.
        let _ = self.batches.send(None);
        self.join()
    }

    fn send_batch(&mut self) -> io::Result<()> {
        let empty = Batch::new(self.batch.columns());
        let batch = std::mem::replace(&mut self.batch, empty);
        match self.batches.send(Some(batch)) {
            Ok(()) => Ok(()),
            Err(_) => self.join(),
        }
    }

    fn join(&mut self) -> io::Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            _ => Err(io::Error::other("the export thread ended early")),
        }
    }
}

fn write_all(mut rows: Box<dyn RowWriter>, queue: &Receiver<Option<Batch>>) -> io::Result<()> {
    for batch in queue {
        let Some(batch) = batch else {
            return rows.finish();
        };
        batch.for_each(|values| rows.write(values))?;
    }
    // The export was canceled: without its end, the output is not mistaken for a complete one.
    Ok(())
}
