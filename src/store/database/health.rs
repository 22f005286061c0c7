//! The health of the database, as reported by `/readyz`: whether the last writes and reads
//! succeeded, whether a page is damaged, and whether the files are in place.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::Notify;

use super::transactions::read_failed;
use crate::domain::clock::Clock;
use crate::domain::outage::Outage;
use crate::store::{Error, Result, Store};

/// The minimum interval between two probes by `ready`.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);
/// The pause between two probes while a fault lasts.
const PROBE_PAUSE: Duration = Duration::from_secs(10);
/// Bytes that a probe writes: as many new pages as the largest post.
const PROBE_SIZE: u32 = 12_000;
/// The reason for a database in which a damaged page was found.
pub(in crate::store) const DAMAGED: &str = "a page of it is damaged";

/// The health, shared by the writer, the readers and `/readyz`.
#[derive(Default)]
pub(in crate::store) struct Health {
    faults: Mutex<Faults>,
    check: Notify,
    /// Logged as it begins, lasts and ends.
    outage: Mutex<Outage>,
    /// When the last probe ended. Locked while one runs.
    last_probe: tokio::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Faults {
    /// The last error of a write or a read since the last successful probe.
    fault: Option<String>,
    /// A damaged page was found, and no check has succeeded since.
    damaged: bool,
    /// Which files are lost.
    lost: Option<&'static str>,
}

impl Health {
    /// Records the result of a write or a read. Errors that jobs return on purpose do not count.
    pub(in crate::store) fn record<T>(&self, result: &Result<T>) {
        if let Err(error @ (Error::Full | Error::Unusable(_) | Error::Database(_))) = result {
            self.record_failure(error);
        }
    }

    /// Records a failed write or read.
    pub(in crate::store) fn record_failure(&self, error: &Error) {
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

    /// Logs that nothing can be stored: when that begins, and every hour.
    fn log_outage(&self, error: &Error) {
        if let Some((since, failures)) = self.outage().failed(Clock::system().now()) {
            tracing::error!(%error, %since, failures, "the database cannot be written or read");
        }
    }

    fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the result of a check of all pages.
    pub(in crate::store) fn record_check(&self, is_sound: bool) {
        let mut faults = self.faults();
        if faults.damaged && is_sound {
            tracing::warn!("the check of all pages succeeded; writes are accepted again");
        }
        faults.damaged = !is_sound;
    }

    /// Waits until a check of all pages is requested.
    pub(in crate::store) async fn check_requested(&self) {
        self.check.notified().await;
    }

    /// Sets which files are lost, if any.
    pub(in crate::store) fn set_files_lost(&self, lost: Option<&'static str>) {
        self.faults().lost = lost;
    }

    /// Why writes are rejected, if they are.
    pub(in crate::store) fn unusable(&self) -> Option<&'static str> {
        let faults = self.faults();
        faults.lost.or(faults.damaged.then_some(DAMAGED))
    }

    fn status(&self) -> std::result::Result<(), String> {
        if let Some(why) = self.unusable() {
            return Err(Error::Unusable(why).to_string());
        }
        self.faults().fault.clone().map_or(Ok(()), Err)
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Probes while a fault lasts, so that its end is noticed without a question for `/readyz`.
    /// Runs until it is dropped.
    pub async fn run_probes(self) {
        loop {
            tokio::time::sleep(PROBE_PAUSE).await;
            if self.health.outage().lasts() {
                let _ = self.ready().await;
            }
        }
    }

    /// Whether the last writes and reads succeeded. Runs a probe first if the last one is older
    /// than `PROBE_INTERVAL`; concurrent callers wait for it.
    ///
    /// # Errors
    /// The last error of a write or a read, as text.
    pub async fn ready(&self) -> std::result::Result<(), String> {
        let mut last_probe = self.health.last_probe.lock().await;
        if last_probe.is_none_or(|at| at.elapsed() >= PROBE_INTERVAL) {
            let _ = self.probe().await;
            *last_probe = Some(Instant::now());
        }
        self.health.status()
    }

    /// Writes as much as a large post to the disk, deletes it, and reads the newest rows. Success
    /// clears earlier faults.
    ///
    /// # Errors
    /// The error of the write or the read.
    pub async fn probe(&self) -> Result<()> {
        self.health.faults().fault = None;
        let result = self.write_and_read().await;
        match &result {
            Ok(()) => {
                if let Some((since, failures)) = self.health.outage().ended(Clock::system().now()) {
                    tracing::info!(%since, failures, "the database can be written and read again");
                }
            }
            Err(error) => self.health.record_failure(error),
        }
        result
    }

    async fn write_and_read(&self) -> Result<()> {
        self.write(|conn| {
            conn.prepare_cached("INSERT OR REPLACE INTO write_probe VALUES (1, zeroblob(?1))")?
                .execute([PROBE_SIZE])?;
            Ok(())
        })
        .await?;
        self.write(|conn| {
            conn.prepare_cached("DELETE FROM write_probe")?
                .execute([])?;
            Ok(())
        })
        .await?;
        self.read_uncached().await
    }

    /// Reads the newest rows on a new connection, which has cached nothing.
    pub(in crate::store) async fn read_uncached(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.with_own_connection(|conn, _| Ok(read_newest(conn)?));
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }
}

/// Reads all columns of the newest quotes, contact messages and emails.
fn read_newest(conn: &Connection) -> rusqlite::Result<()> {
    for sql in [
        "SELECT * FROM quotes ORDER BY seq DESC LIMIT 20",
        "SELECT * FROM contact_messages ORDER BY rowid DESC LIMIT 20",
        "SELECT * FROM outbox ORDER BY id DESC LIMIT 20",
    ] {
        let mut find = conn.prepare_cached(sql)?;
        let columns = find.column_count();
        let mut rows = find.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                row.get_ref(column)?;
            }
        }
    }
    Ok(())
}
