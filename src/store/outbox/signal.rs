//! Wakes the workers of this process when a row for them has been committed. Rows of other
//! processes are found by polling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::hooks::Action;
use tokio::sync::Notify;

/// One flag for each worker: delivery of emails, of alarms, and of webhooks.
#[derive(Clone, Default)]
pub(in crate::store) struct OutboxSignal {
    emails: Flag,
    alarms: Flag,
    webhooks: Flag,
}

/// Set when a row is inserted, sent after its transaction is on disk.
#[derive(Clone, Default)]
struct Flag {
    pending: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl OutboxSignal {
    /// Records a changed row. Decoys count too: the cost of polling the outbox must not reveal
    /// which of the two was written.
    pub(in crate::store) fn record(&self, action: Action, table: &str) {
        let flag = match table {
            "outbox" | "decoys" => &self.emails,
            "alarms" | "alarm_messages" => &self.alarms,
            "webhook_events" | "webhook_deliveries" => &self.webhooks,
            _ => return,
        };
        if action == Action::SQLITE_INSERT {
            flag.pending.store(true, Ordering::Release);
        }
    }

    /// Call after a commit. If the caller is dropped before, the workers find the rows at their
    /// next poll.
    pub(in crate::store) fn notify_if_pending(&self) {
        for flag in [&self.emails, &self.alarms, &self.webhooks] {
            if flag.pending.swap(false, Ordering::AcqRel) {
                flag.notify.notify_one();
            }
        }
    }

    /// Waits for a notification since the last call.
    pub(in crate::store) async fn notified(&self) {
        self.emails.notify.notified().await;
    }

    /// The same for alarms and their messages.
    pub(in crate::store) async fn alarms_notified(&self) {
        self.alarms.notify.notified().await;
    }

    /// The same for events and deliveries of webhooks.
    pub(in crate::store) async fn webhooks_notified(&self) {
        self.webhooks.notify.notified().await;
    }
}
