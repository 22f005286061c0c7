//! Which jobs a failed transaction rejects.

use std::sync::mpsc::{SyncSender, sync_channel};

use super::*;
use crate::database::connection;
use crate::database::write_job::Reply;
use crate::{Error, Store};

/// A job that runs `on_error` if its transaction could not start, and reports whether it was
/// committed.
fn job(committed: SyncSender<bool>, on_error: impl FnOnce() + Send + 'static) -> Job {
    let run = move |transaction: Result<Transaction<'_>, Error>| -> Reply {
        if transaction.is_err() {
            on_error();
        }
        Box::new(move |result| {
            let is_committed = matches!(result, CommitResult::Committed);
            committed.send(is_committed).unwrap();
        })
    };
    Job {
        queued_at: Instant::now(),
        run: Box::new(run),
    }
}

#[test]
fn a_job_that_arrives_after_the_lock_is_released_is_not_rejected_with_those_that_waited() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("guardpost.db");
    let store = Store::open(&file).unwrap();
    let db = store.write_connection(&file).unwrap();
    let other = connection::open(&file, connection::Checkpoints::Store).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let (queue, jobs) = sync_channel(8);
    let (committed, results) = sync_channel(8);
    let (later_queue, later_committed) = (queue.clone(), committed.clone());
    let waiting = job(committed, move || {
        other.execute_batch("ROLLBACK").unwrap();
        later_queue.send(job(later_committed, || ())).unwrap();
    });
    queue.send(waiting).unwrap();
    drop(queue);
    Committer::new(db, ChangeLog::default(), OutboxSignal::default()).run(&jobs);
    assert_eq!(results.iter().collect::<Vec<_>>(), [false, true]);
}
