//! Probes of the database: a write and a read that show whether a fault has ended.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::error::read_failed;
use crate::{Result, Store, query};
use domain::clock::Clock;

/// The minimum interval between two probes by `ready`.
const PROBE_INTERVAL: Duration = Duration::from_secs(5);

/// The pause between two probes during a fault.
const PROBE_PAUSE: Duration = Duration::from_secs(10);

/// Bytes that a probe writes: as many new pages as the largest post.
const PROBE_SIZE: u32 = 12_000;

impl Store {
    /// Keeps up to `mib` MiB of the disk of the data folder `folder` for requests; less on a small
    /// disk, and none if it cannot be examined. Blocks.
    pub fn keep_reserve(&self, folder: &Path, mib: u64) {
        self.health.reserve.keep(folder, mib);
    }

    /// Bytes that are missing of the space kept for requests.
    pub fn missing_reserve(&self) -> u64 {
        self.health.reserve.missing()
    }

    /// Probes during a fault, so that its end is noticed without requests to `/readyz`. Runs until
    /// it is dropped.
    pub async fn run_probes(self) {
        loop {
            tokio::time::sleep(PROBE_PAUSE).await;
            if self.health.outage().lasts() {
                let _ = self.ready().await;
            }
        }
    }

    /// Whether the last writes and reads succeeded. Runs a probe first if the last one is older
    /// than `PROBE_INTERVAL`; concurrent callers wait for it. Errors: the last error of a write or
    /// a read, as text.
    pub async fn ready(&self) -> std::result::Result<(), String> {
        let mut last_probe = self.health.last_probe.lock().await;
        if last_probe.is_none_or(|at| at.elapsed() >= PROBE_INTERVAL) {
            let _ = self.probe().await;
            *last_probe = Some(Instant::now());
        }
        self.health.status()
    }

    /// Writes as much as a large post to the disk, deletes it, and reads the newest rows. Success
    /// clears earlier faults. Errors: the error of the write or the read.
    pub async fn probe(&self) -> Result<()> {
        self.health.clear_fault();
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
            let sql = "INSERT OR REPLACE INTO write_probe VALUES (1, zeroblob(?1))";
            query::run(conn, sql, [PROBE_SIZE])
        })
        .await?;
        self.write(|conn| query::run(conn, "DELETE FROM write_probe", []))
            .await?;
        self.read_uncached().await
    }

    /// Reads the newest rows on a new connection, whose cache is empty.
    pub(crate) async fn read_uncached(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.with_own_connection(|conn, _| Ok(read_newest(conn)?));
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }
}

/// Reads all columns of the newest requests and emails.
fn read_newest(conn: &Connection) -> rusqlite::Result<()> {
    for sql in [
        "SELECT * FROM requests ORDER BY seq DESC LIMIT 20",
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
