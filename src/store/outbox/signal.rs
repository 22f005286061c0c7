//! Wakes the delivery worker of this process when a notice has been committed. Notices of other
//! processes are found by polling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::hooks::Action;
use tokio::sync::Notify;

/// Set when a notice is inserted, sent after its transaction is on disk.
#[derive(Clone, Default)]
pub(in crate::store) struct OutboxSignal {
    pending: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl OutboxSignal {
    /// Records a changed row. Decoys count too: the cost of polling the outbox must not reveal
    /// which of the two was written.
    pub(in crate::store) fn record(&self, action: Action, table: &str) {
        if action == Action::SQLITE_INSERT && matches!(table, "outbox" | "decoys") {
            self.pending.store(true, Ordering::Release);
        }
    }

    /// Call after a commit. If the caller is dropped before, the delivery worker finds the notice
    /// at its next poll.
    pub(in crate::store) fn notify_if_pending(&self) {
        if self.pending.swap(false, Ordering::AcqRel) {
            self.notify.notify_one();
        }
    }

    /// Waits for a notification since the last call.
    pub(in crate::store) async fn notified(&self) {
        self.notify.notified().await;
    }
}
