//! Wakes the postman of this process when a notice has been committed. What other processes write is found by looking.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use rusqlite::hooks::Action;
use tokio::sync::Notify;

use super::Result;

/// Pulled by the database when a notice is written, rung once its transaction is on disk.
#[derive(Clone, Default)]
pub(super) struct OutboxSignal {
    pulled: Arc<AtomicBool>,
    rung: Arc<Notify>,
}

impl OutboxSignal {
    /// Lets every notice that `conn` writes pull the bell, and every decoy of one: what the look into the outbox costs tells nobody which it was.
    pub(super) fn hang(&self, conn: &Connection) -> Result<()> {
        let pulled = self.pulled.clone();
        let hook = move |action, _: &str, table: &str, _| {
            if action == Action::SQLITE_INSERT && matches!(table, "outbox" | "decoys") {
                pulled.store(true, Ordering::Release);
            }
        };
        Ok(conn.update_hook(Some(hook))?)
    }

    /// Call after a commit. Should the caller go away before, the postman finds the notice when he next looks.
    pub(super) fn ring_if_pulled(&self) {
        if self.pulled.swap(false, Ordering::AcqRel) {
            self.rung.notify_one();
        }
    }

    /// Done when the bell has rung since the last call.
    pub(super) async fn heard(&self) {
        self.rung.notified().await;
    }
}
