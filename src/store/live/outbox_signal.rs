//! Wakes the workers of this process when a row for them has been committed. Rows of other
//! processes are found by polling.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::hooks::Action;
use tokio::sync::Notify;

/// One flag for each worker: delivery of emails, of alarms, and of webhooks.
#[derive(Clone, Default)]
pub(crate) struct OutboxSignal {
    emails: Flag,
    alarms: Flag,
    webhooks: Flag,
}

/// Set when a row is inserted, sent by the writer thread after the transaction is on disk.
#[derive(Clone, Default)]
struct Flag {
    pending: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl OutboxSignal {
    /// Records a changed row. Decoys count too: the cost of polling the outbox must not reveal
    /// which of the two was written.
    pub(crate) fn record(&self, action: Action, table: &str) {
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

    /// Wakes the workers that have rows of the transaction that was just committed. Only the writer
    /// thread calls it: elsewhere the next transaction may have begun, and its rows would be looked
    /// for before they can be seen.
    pub(crate) fn notify(&self) {
        for flag in self.flags() {
            if flag.pending.swap(false, Ordering::AcqRel) {
                flag.notify.notify_one();
            }
        }
    }

    /// Forgets the rows of a transaction that was rolled back.
    pub(crate) fn discard(&self) {
        for flag in self.flags() {
            flag.pending.store(false, Ordering::Release);
        }
    }

    fn flags(&self) -> [&Flag; 3] {
        [&self.emails, &self.alarms, &self.webhooks]
    }

    /// Waits for a notification since the last call.
    pub(crate) async fn notified(&self) {
        self.emails.notify.notified().await;
    }

    /// The same for alarms and their messages.
    pub(crate) async fn alarms_notified(&self) {
        self.alarms.notify.notified().await;
    }

    /// The same for events and deliveries of webhooks.
    pub(crate) async fn webhooks_notified(&self) {
        self.webhooks.notify.notified().await;
    }
}
