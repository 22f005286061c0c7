//! Exported quotes are written by a thread of their own, while the next ones are read.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::batch::Batch;
use super::rows::Rows;
use crate::store::Exported;

/// Batches that may wait to be written.
const WAITING: usize = 16;

/// Takes quotes one by one.
pub(super) struct ExportWriter {
    batch: Batch,
    /// Takes the batches; none says that all have come.
    hand: SyncSender<Option<Batch>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl ExportWriter {
    /// Begins to write to `rows`.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn begin(rows: Box<dyn Rows>) -> io::Result<Self> {
        let (hand, batches) = sync_channel(WAITING);
        let thread = thread::Builder::new()
            .name("file".into())
            .spawn(move || write_all(rows, &batches))?;
        Ok(Self {
            batch: Batch::new(),
            hand,
            thread: Some(thread),
        })
    }

    /// Takes a quote.
    ///
    /// # Errors
    /// Why an earlier one could not be written.
    pub(super) fn quote(&mut self, quote: &Exported<'_>) -> io::Result<()> {
        self.batch.push(quote);
        if self.batch.is_full() {
            self.hand_over()?;
        }
        Ok(())
    }

    /// Has everything written out.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn end(mut self) -> io::Result<()> {
        self.hand_over()?;
        // Where nobody takes this any more, the thread has ended and says why.
        let _ = self.hand.send(None);
        self.why_ended()
    }

    fn hand_over(&mut self) -> io::Result<()> {
        let batch = std::mem::replace(&mut self.batch, Batch::new());
        match self.hand.send(Some(batch)) {
            Ok(()) => Ok(()),
            Err(_) => self.why_ended(),
        }
    }

    fn why_ended(&mut self) -> io::Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(ended)) => ended,
            _ => Err(io::Error::other("the export has ended")),
        }
    }
}

fn write_all(mut rows: Box<dyn Rows>, batches: &Receiver<Option<Batch>>) -> io::Result<()> {
    for batch in batches {
        let Some(batch) = batch else {
            return rows.end();
        };
        for quote in batch.quotes() {
            rows.row(&quote)?;
        }
    }
    // Stopped in the middle: what has been written must not look whole.
    Ok(())
}
