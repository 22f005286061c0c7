//! The handle of the database. Other files add methods to it, one file per noun.

use std::sync::Arc;

use parking_lot::Mutex;

use super::count_cache::CountCache;
use super::health::Health;
use super::readers::Readers;
use super::writer::Writer;
use crate::error::{Result, read_failed};
use crate::live::change_log::ChangeLog;
use crate::live::feed::LiveFeed;
use crate::live::outbox_signal::OutboxSignal;
use domain::spam::recent_texts::RecentTexts;

/// The database: one writer, a few readers. Cheap to clone; dropping the last clone ends the writer
/// thread after its queue is empty.
#[derive(Clone)]
pub struct Store {
    pub(crate) writer: Arc<Writer>,
    pub(crate) readers: Readers,
    pub(crate) health: Arc<Health>,
    pub(crate) outbox_signal: OutboxSignal,
    pub(crate) changes: ChangeLog,
    pub(crate) recent_texts: Arc<Mutex<RecentTexts>>,
    pub(crate) counted: Arc<CountCache>,
}

impl Store {
    /// Closes the store for all its clones: finishes queued jobs, checkpoints the log into the
    /// database file, and closes every connection. Later calls fail with `Busy`.
    pub async fn close(&self) {
        let writer = self.writer.clone();
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
    }

    /// Checkpoints the WAL into the database file and empties it. Does nothing while another
    /// process reads.
    pub(crate) async fn truncate_log(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.truncate_log();
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }

    /// The number of writes waiting for their commit.
    pub fn pending_writes(&self) -> usize {
        self.writer.pending()
    }

    /// Waits until this process has committed a notice since the last call.
    pub async fn outbox_notified(&self) {
        self.outbox_signal.notified().await;
    }

    /// Waits until this process has committed an alarm or a message of one since the last call.
    pub async fn alarms_notified(&self) {
        self.outbox_signal.alarms_notified().await;
    }

    /// Waits until this process has committed an event for webhooks since the last call.
    pub async fn webhooks_notified(&self) {
        self.outbox_signal.webhooks_notified().await;
    }

    /// The feed of committed changes.
    pub fn live_feed(&self) -> LiveFeed {
        self.changes.feed()
    }

    /// Waits until sessions, users or their roles may have changed since the last call: a commit of
    /// this process that concerns them, any commit of another process, or `request_access_check`.
    pub async fn access_changed(&self) {
        self.changes.access_changed().await;
    }

    /// Makes `access_changed` return.
    pub fn request_access_check(&self) {
        self.changes.request_access_check();
    }
}
