//! The virus scan: stored files are scanned in the background, one at a time, so that neither a
//! request nor an upload waits for it. Without `files.clamd`, files are `unscanned`.

use std::time::Duration;

use super::clamd::{Address, Verdict};
use super::{Error, Files, Result, blocking};
use crate::s3;
use crate::store::storage::object_contents;

/// Interval at which waiting files are looked for, in case the signal was missed.
const INTERVAL: Duration = Duration::from_secs(60);
/// The first wait after clamd could not be reached; each further one doubles.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// The longest wait.
const LAST_RETRY: Duration = Duration::from_secs(60);

/// A file is waiting for its scan.
pub const SCANNING: &str = "scanning";
/// There is no verdict about a file.
pub const UNSCANNED: &str = "unscanned";
/// The scanner has found something.
pub const INFECTED: &str = "infected";
const CLEAN: &str = "clean";

impl Files {
    /// The state of the scan of a file that is stored now.
    pub(super) fn first_scan_state(&self) -> &'static str {
        match self.scanner.is_some() {
            true => SCANNING,
            false => UNSCANNED,
        }
    }

    /// Scans every file that waits for it.
    ///
    /// # Errors
    /// If clamd cannot be reached; store errors. The files keep waiting.
    pub async fn scan_waiting(&self) -> Result<()> {
        let Some(address) = self.scanner.clone() else {
            return Ok(());
        };
        while let Some(sha256) = self.store.read(object_contents::next_to_scan).await? {
            let verdict = self.scan(address.clone(), sha256.clone()).await?;
            let state = match &verdict {
                Verdict::Clean => CLEAN,
                Verdict::Infected(name) => {
                    tracing::warn!(sha256, virus = %name.escape_debug(), "a file is infected");
                    INFECTED
                }
                Verdict::Refused(reply) => {
                    let reply = reply.escape_debug();
                    tracing::warn!(sha256, %reply, "the scanner does not take a file");
                    UNSCANNED
                }
            };
            let scanned = move |conn: &_| object_contents::set_scan(conn, &sha256, state);
            self.store.write(scanned).await?;
        }
        Ok(())
    }

    async fn scan(&self, address: Address, sha256: String) -> Result<Verdict> {
        let contents = self.contents.clone();
        blocking(move || match contents.file(&sha256) {
            Ok(mut file) => address.scan(&mut file).map_err(Error::Io),
            // The bucket cannot be reached: tried again later.
            Err(error) if s3::is_failure(&error) => Err(error.into()),
            // Lost, or removed since its row was read: `files check` reports lost ones.
            Err(error) => Ok(Verdict::Refused(error.to_string())),
        })
        .await
    }

    /// Scans files as they are stored, until it is dropped. At the start, files that were stored
    /// without a scanner wait for it; without one now, none waits.
    pub async fn run_scans(self) {
        let (from, to) = match self.scanner.is_some() {
            true => (UNSCANNED, SCANNING),
            false => (SCANNING, UNSCANNED),
        };
        let changed = move |conn: &_| object_contents::change_scan(conn, from, to);
        if let Err(error) = self.store.write(changed).await {
            tracing::warn!(%error, "the states of virus scans are not up to date");
        }
        let Some(address) = &self.scanner else {
            return std::future::pending().await;
        };
        let mut wait = FIRST_RETRY;
        loop {
            match self.scan_waiting().await {
                Ok(()) => {
                    wait = FIRST_RETRY;
                    let _ = tokio::time::timeout(INTERVAL, self.to_scan.notified()).await;
                }
                Err(error) => {
                    tracing::warn!(%error, %address, "files cannot be scanned; tried again later");
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(LAST_RETRY);
                }
            }
        }
    }
}
