//! The check of all pages: at the start, daily, and after a damaged page was found. It finds damage
//! in pages that are neither read nor written.

use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use crate::database::connection;
use crate::error::{DAMAGED, read_failed};
use crate::{Error, Result, Store};

/// The interval between checks of all pages.
const CHECK_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
/// The interval after a check that was interrupted or found damage.
const RETRY_INTERVAL: Duration = Duration::from_secs(300);
/// Maximum number of faults listed in the log.
const MAX_FAULTS: u32 = 10;
/// The duration of a slice of the check.
const SLICE: Duration = Duration::from_millis(5);
/// The pause after each slice: requests have priority.
const SLICE_PAUSE: Duration = Duration::from_millis(10);

impl Store {
    /// Checks all pages at intervals until the server stops.
    pub async fn run_integrity_checks(self) {
        loop {
            let pause = match self.check_pages().await {
                Ok(()) => CHECK_INTERVAL,
                Err(_) => RETRY_INTERVAL,
            };
            // Returns before the pause has passed if a damaged page is met.
            let _ = tokio::time::timeout(pause, self.health.check_requested()).await;
        }
    }

    /// Checks the structure of all pages (`PRAGMA quick_check`). Faults are logged and stop all
    /// writes; a check without faults allows them again. Errors: `Unusable` if a page is damaged;
    /// otherwise why the check did not finish.
    pub async fn check_pages(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.with_own_connection(faults);
        let faults = match tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
        {
            Ok(faults) => faults,
            Err(error @ Error::Unusable(_)) => vec![error.to_string()],
            Err(error) => {
                tracing::warn!(%error, "could not check the pages of the database");
                return Err(error);
            }
        };
        for fault in &faults {
            tracing::error!(%fault, "the database is damaged; stop the server and restore a copy");
        }
        self.health.record_check(faults.is_empty());
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Error::Unusable(DAMAGED))
        }
    }
}

/// The faults of the pages, as SQLite describes them.
fn faults(conn: &Connection, must_stop: Box<dyn Fn() -> bool + Send>) -> Result<Vec<String>> {
    connection::call_every(conn, SLICE, move || {
        thread::sleep(SLICE_PAUSE);
        must_stop()
    })?;
    let mut check = conn.prepare(&format!("PRAGMA quick_check({MAX_FAULTS})"))?;
    let rows = check.query_map([], |row| row.get::<_, String>(0));
    let faults = rows.and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>);
    match faults {
        Ok(faults) if faults == ["ok"] => Ok(Vec::new()),
        Ok(faults) => Ok(faults),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            Err(Error::Busy)
        }
        Err(error) => Err(error.into()),
    }
}
