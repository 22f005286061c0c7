//! The check of all pages: at the start, once a day, and whenever a damaged page was met. Posts read
//! back what they write; this finds what nobody has looked at.

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use super::health::DAMAGED;
use super::{Error, Result, Store, unread};

/// How often all pages are checked.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// How soon again where the last check came to no end, or found damage.
const AGAIN: Duration = Duration::from_secs(300);
/// How often the newest rows are read anew, so that damage is noticed where nobody asks.
const LOOK: Duration = Duration::from_secs(10);
/// Faults that are named in the log.
const NAMED: u32 = 10;
/// Steps of SQLite, a page or an instruction, between two looks at the time.
const STEPS: i32 = 200;
/// The check works this long at a time.
const SLICE: Duration = Duration::from_millis(5);
/// And then rests this long: posts and pages go first.
const REST: Duration = Duration::from_millis(10);

impl Store {
    /// Checks all pages again and again, for as long as the server runs.
    pub async fn run_integrity_checks(self) {
        let mut due = Instant::now();
        loop {
            if due <= Instant::now() {
                let pause = match self.check_pages().await {
                    Ok(()) => EVERY,
                    Err(_) => AGAIN,
                };
                due = Instant::now() + pause;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {
                    if let Err(error) = self.read_afresh().await {
                        tracing::warn!(%error, "the newest rows cannot be read");
                    }
                }
                () = self.health.check_wanted() => due = Instant::now(),
            }
        }
    }

    /// Checks the structure of all pages (`PRAGMA quick_check`). What is wrong is named in the log,
    /// and nothing more is stored; where nothing is, writes are taken again.
    ///
    /// # Errors
    /// `Unusable` where a page is damaged; else why the check came to no end.
    pub async fn check_pages(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.apart(faults);
        let faults = match tokio::task::spawn_blocking(work).await.map_err(unread)? {
            Ok(faults) => faults,
            Err(error @ Error::Unusable(_)) => vec![error.to_string()],
            Err(error) => {
                tracing::warn!(%error, "the pages of the database could not be checked");
                return Err(error);
            }
        };
        for fault in &faults {
            tracing::error!(%fault, "the database is damaged; stop the server and restore a copy");
        }
        self.health.checked(faults.is_empty());
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Error::Unusable(DAMAGED))
        }
    }
}

/// What is wrong with the pages, in SQLite's words.
fn faults(conn: &Connection, give_way: Box<dyn Fn() -> bool + Send>) -> Result<Vec<String>> {
    let mut begun = Instant::now();
    let pace = move || {
        if begun.elapsed() < SLICE {
            return false;
        }
        thread::sleep(REST);
        begun = Instant::now();
        give_way()
    };
    conn.progress_handler(STEPS, Some(pace))?;
    let mut check = conn.prepare(&format!("PRAGMA quick_check({NAMED})"))?;
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
