//! The free space of the disk: the office is notified when it is low and when it has recovered.

use super::Maintenance;
use store::database::disk::request_reserve::free_bytes;
use store::database::maintenance::Job;

impl Maintenance {
    /// Records that the disk has become low or has recovered, with an email to the office. In
    /// between nothing changes: it is enough again at one and a half times the limit.
    pub(super) async fn watch_disk(&self) -> store::Result<()> {
        let Ok(free) = free_bytes(&self.data.dir).map(|free| free >> 20) else {
            return Ok(());
        };
        let last = self.store.last_run(Job::Disk).await?;
        let was_low = last.as_ref().is_some_and(|run| !run.ok);
        let (low, enough) = (self.low_disk_mb, self.low_disk_mb.saturating_mul(3) / 2);
        let text = format!("{free} MB are free on the disk of the data folder");
        let result = match was_low {
            false if free < low => {
                tracing::error!(free_mb = free, limit_mb = low, "the disk is almost full");
                Err(text)
            }
            true if free >= enough => {
                tracing::info!(free_mb = free, "the disk has enough space again");
                Ok(text)
            }
            true if self.is_reminder_due(last.as_ref()) => Err(text),
            _ => return Ok(()),
        };
        self.finish(Job::Disk, 0.0, result, last).await
    }
}
