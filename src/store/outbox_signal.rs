//! Wakes the delivery worker of this process when a notice has been committed. Notices of other
//! processes are found by polling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use rusqlite::hooks::Action;
use tokio::sync::Notify;

use super::Result;

/// Set by an update hook when a notice is inserted, sent once its transaction is on disk.
#[derive(Clone, Default)]
pub(super) struct OutboxSignal {
    pending: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl OutboxSignal {
    /// Watches `conn` for inserted notices. Decoys count too: the cost of polling the outbox must
    /// not reveal which of the two was written.
    pub(super) fn watch(&self, conn: &Connection) -> Result<()> {
        let pending = self.pending.clone();
        let hook = move |action, _: &str, table: &str, _| {
            if action == Action::SQLITE_INSERT && matches!(table, "outbox" | "decoys") {
                pending.store(true, Ordering::Release);
            }
        };
        Ok(conn.update_hook(Some(hook))?)
    }

    /// Call after a commit. If the caller is dropped before, the delivery worker finds the notice
    /// at its next poll.
    pub(super) fn notify_if_pending(&self) {
        if self.pending.swap(false, Ordering::AcqRel) {
            self.notify.notify_one();
        }
    }

    /// Waits for a notification since the last call.
    pub(super) async fn notified(&self) {
        self.notify.notified().await;
    }
}
