//! What is known of the database's condition: whether the last writes and reads were good, whether a
//! page is damaged, whether the files are still there. `/readyz` tells it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::Notify;

use super::{Error, Result, Store, unread};

/// How often a question after the condition writes and reads at most.
const PROBE_EVERY: Duration = Duration::from_secs(5);
/// Bytes that a probe writes: as many new pages as the largest post takes.
const PROBE_SIZE: u32 = 12_000;
/// Said of a database in which a damaged page was met.
pub(super) const DAMAGED: &str = "a page of it is damaged";

/// The condition, shared by the writer, the readers and who asks for it.
#[derive(Default)]
pub(super) struct Health {
    known: Mutex<Known>,
    check: Notify,
    /// When the last probe ended. Held while one runs.
    probed: tokio::sync::Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Known {
    /// What a write or a read has failed of since the last good probe.
    fault: Option<String>,
    /// A damaged page was met, and no check has found the database whole since.
    damaged: bool,
    /// What is wrong with the files.
    lost: Option<&'static str>,
}

impl Health {
    /// Takes notice of how a write or a read went. A refusal of the job's own is no fault.
    pub(super) fn note<T>(&self, outcome: &Result<T>) {
        if let Err(error @ (Error::Full | Error::Unusable(_) | Error::Database(_))) = outcome {
            self.failed(error);
        }
    }

    /// A write or a read came to nothing, whoever asked for it.
    pub(super) fn failed(&self, error: &Error) {
        let mut known = self.known();
        known.fault = Some(error.to_string());
        if matches!(error, Error::Unusable(DAMAGED)) && !known.damaged {
            known.damaged = true;
            tracing::error!(
                "a damaged page of the database was met; nothing more is stored until a check finds it whole"
            );
            self.check.notify_one();
        }
    }

    /// How a check of all pages ended.
    pub(super) fn checked(&self, whole: bool) {
        let mut known = self.known();
        if known.damaged && whole {
            tracing::warn!("the check found the database whole again; it takes writes again");
        }
        known.damaged = !whole;
    }

    /// Done when a check of all pages is wanted.
    pub(super) async fn check_wanted(&self) {
        self.check.notified().await;
    }

    /// What is wrong with the files, or that nothing is any more.
    pub(super) fn files(&self, lost: Option<&'static str>) {
        self.known().lost = lost;
    }

    /// Why nothing may be written, if so.
    pub(super) fn unusable(&self) -> Option<&'static str> {
        let known = self.known();
        known.lost.or(known.damaged.then_some(DAMAGED))
    }

    fn verdict(&self) -> std::result::Result<(), String> {
        if let Some(why) = self.unusable() {
            return Err(Error::Unusable(why).to_string());
        }
        self.known().fault.clone().map_or(Ok(()), Err)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Whether the last writes and reads were good. Where the last probe is more than some seconds
    /// ago, there is a new one first; who asks meanwhile waits for that.
    ///
    /// # Errors
    /// What the last write or read failed of, in words.
    pub async fn ready(&self) -> std::result::Result<(), String> {
        let mut probed = self.health.probed.lock().await;
        if probed.is_none_or(|at| at.elapsed() >= PROBE_EVERY) {
            let _ = self.probe().await;
            *probed = Some(Instant::now());
        }
        self.health.verdict()
    }

    /// Writes as much as a large post to the disk, takes it out again, and reads the newest rows.
    /// Where it goes well, earlier faults are forgotten.
    ///
    /// # Errors
    /// Why not.
    pub async fn probe(&self) -> Result<()> {
        self.health.known().fault = None;
        let outcome = self.write_and_read().await;
        if let Err(error) = &outcome {
            self.health.failed(error);
        }
        outcome
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
        self.read_afresh().await
    }

    /// Reads the newest rows on a new connection, which has cached nothing.
    pub(super) async fn read_afresh(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.apart(|conn, _| Ok(read_newest(conn)?));
        tokio::task::spawn_blocking(work).await.map_err(unread)?
    }
}

/// Reads the newest rows of what people ask for, with all that is in them.
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
