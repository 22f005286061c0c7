//! The health of the database, as reported by `/readyz`: whether the last writes and reads
//! succeeded, whether a page is damaged, and whether the file is in place.

pub(crate) mod integrity;
pub(super) mod probes;

use std::time::Instant;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::disk::request_reserve::RequestReserve;
use crate::error::{DAMAGED, Error, Result};
use domain::clock::Clock;
use domain::outage::Outage;

/// The health, shared by the writer, the readers and `/readyz`.
#[derive(Default)]
pub(crate) struct Health {
    faults: Mutex<Faults>,
    check: Notify,
    /// Logged when it begins, hourly while it lasts, and when it ends.
    outage: Mutex<Outage>,
    /// The disk space that only requests use.
    pub(super) reserve: RequestReserve,
    /// The time of the last probe. Locked during a probe.
    pub(super) last_probe: tokio::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Faults {
    /// The last error of a write or a read since the last successful probe.
    fault: Option<String>,
    /// A damaged page was found, and no later check has succeeded.
    damaged: bool,
    /// The database file is lost.
    lost: Option<&'static str>,
}

impl Health {
    /// Records the result of a write or a read. Errors that jobs return on purpose do not count.
    pub(crate) fn record<T>(&self, result: &Result<T>) {
        if let Err(error @ (Error::Full | Error::Unusable(_) | Error::Database(_))) = result {
            self.record_failure(error);
        }
    }

    pub(crate) fn record_failure(&self, error: &Error) {
        if error.is_disk_error() {
            self.log_outage(error);
        }
        let mut faults = self.faults();
        faults.fault = Some(error.to_string());
        if matches!(error, Error::Unusable(DAMAGED)) && !faults.damaged {
            faults.damaged = true;
            tracing::error!(
                "found a damaged page; nothing more is stored until a check of all pages succeeds"
            );
            self.check.notify_one();
        }
    }

    /// Logs that nothing can be stored: at the beginning, and every hour.
    fn log_outage(&self, error: &Error) {
        if let Some((since, failures)) = self.outage().failed(Clock::system().now()) {
            tracing::error!(%error, %since, failures, "the database cannot be written or read");
        }
    }

    pub(super) fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock()
    }

    /// Clears the fault of earlier writes and reads.
    pub(super) fn clear_fault(&self) {
        self.faults().fault = None;
    }

    /// Records the result of a check of all pages.
    pub(crate) fn record_check(&self, is_sound: bool) {
        let mut faults = self.faults();
        if faults.damaged && is_sound {
            tracing::warn!("the check of all pages succeeded; writes are accepted again");
        }
        faults.damaged = !is_sound;
    }

    /// Waits until a check of all pages is requested.
    pub(crate) async fn check_requested(&self) {
        self.check.notified().await;
    }

    pub(crate) fn set_file_lost(&self, lost: Option<&'static str>) {
        self.faults().lost = lost;
    }

    /// The reason for which writes are rejected, if they are.
    pub(crate) fn unusable(&self) -> Option<&'static str> {
        let faults = self.faults();
        faults.lost.or(faults.damaged.then_some(DAMAGED))
    }

    pub(super) fn status(&self) -> std::result::Result<(), String> {
        if let Some(why) = self.unusable() {
            return Err(Error::Unusable(why).to_string());
        }
        self.faults().fault.clone().map_or(Ok(()), Err)
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock()
    }
}
