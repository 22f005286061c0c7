//! Formats and writes exported quotes on a thread of its own, while the next ones are read.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::batch::Batch;
use super::format::RowWriter;
use crate::store::ExportRow;

/// Capacity of the queue of batches.
const MAX_QUEUED: usize = 16;

/// Receives quotes and passes them to the writing thread in batches.
pub(in crate::cli) struct ExportWriter {
    batch: Batch,
    /// The queue of batches; `None` marks the end of the export.
    batches: SyncSender<Option<Batch>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl ExportWriter {
    /// Starts the thread that writes to `rows`.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(in crate::cli) fn start(rows: Box<dyn RowWriter>) -> io::Result<Self> {
        let (batches, queue) = sync_channel(MAX_QUEUED);
        let thread = thread::Builder::new()
            .name("export".into())
            .spawn(move || write_all(rows, &queue))?;
        Ok(Self {
            batch: Batch::new(),
            batches,
            thread: Some(thread),
        })
    }

    /// Appends a quote.
    ///
    /// # Errors
    /// If an earlier quote could not be written.
    pub(in crate::cli) fn push(&mut self, quote: &ExportRow<'_>) -> io::Result<()> {
        self.batch.push(quote);
        if self.batch.is_full() {
            self.send_batch()?;
        }
        Ok(())
    }

    /// Writes and syncs everything that was appended, and ends the thread.
    ///
    /// # Errors
    /// If a quote could not be written, or the file not synced.
    pub(in crate::cli) fn finish(mut self) -> io::Result<()> {
        self.send_batch()?;
        // If the thread has ended early, `join` returns its error.
        let _ = self.batches.send(None);
        self.join()
    }

    fn send_batch(&mut self) -> io::Result<()> {
        let batch = std::mem::replace(&mut self.batch, Batch::new());
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
        for quote in batch.quotes() {
            rows.write(&quote)?;
        }
    }
    // The export was canceled: without its end, the output is not mistaken for a complete one.
    Ok(())
}
