//! The virus scan: stored files are scanned in the background, one at a time, so that neither a
//! request nor an upload waits for it. Without `files.clamd`, files are `unscanned`. A file without
//! a verdict is retried with growing pauses, while others are scanned, and is finally `unscanned`.

pub mod clamd;

use std::io;
use std::time::Duration;

use super::{Error, Files, Result, blocking};
use clamd::{Address, Verdict};
use domain::storage::ScanState;
use store::storage::object_contents;

/// Polling interval for waiting files, in case the signal was missed.
const INTERVAL: Duration = Duration::from_secs(60);
/// The first wait after clamd could not be reached; doubles with each failure.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// The longest wait.
const LAST_RETRY: Duration = Duration::from_secs(60);

/// The waits, in minutes, before a file without a verdict is tried again. After the last try it is
/// `unscanned`.
const TRY_AGAIN_MINUTES: [i64; 4] = [1, 5, 30, 120];

impl Files {
    /// The initial scan state of a stored file.
    pub(super) fn first_scan_state(&self) -> ScanState {
        match self.scanner.is_some() {
            true => ScanState::Scanning,
            false => ScanState::Unscanned,
        }
    }

    /// Scans every file that waits for it and is due. Fails if clamd cannot be reached; store
    /// errors. The files keep waiting.
    pub async fn scan_waiting(&self) -> Result<()> {
        let Some(address) = self.scanner.clone() else {
            return Ok(());
        };
        loop {
            let now = self.clock.now();
            let next = move |conn: &_| object_contents::next_to_scan(conn, now);
            let Some(sha256) = self.store.read(next).await? else {
                return Ok(());
            };
            match self.scan(address.clone(), sha256.clone()).await? {
                Ok(verdict) => self.record_verdict(sha256, &verdict).await?,
                Err(error) => self.record_failed_scan(sha256, &error).await?,
            }
        }
    }

    async fn record_verdict(&self, sha256: String, verdict: &Verdict) -> Result<()> {
        let state = match verdict {
            Verdict::Clean => ScanState::Clean,
            Verdict::Infected(name) => {
                tracing::warn!(sha256, virus = %name.escape_debug(), "a file is infected");
                ScanState::Infected
            }
            Verdict::Refused(reply) => {
                let reply = reply.escape_debug();
                tracing::warn!(sha256, %reply, "the scanner does not take a file");
                ScanState::Unscanned
            }
        };
        let scanned = move |conn: &_| {
            object_contents::forget_scan_tries(conn, &sha256)?;
            object_contents::set_scan(conn, &sha256, state)
        };
        Ok(self.store.write(scanned).await?)
    }

    /// Postpones a file, or gives it up.
    async fn record_failed_scan(&self, sha256: String, error: &io::Error) -> Result<()> {
        let (now, content) = (self.clock.now(), sha256.clone());
        let counted = move |conn: &_| {
            let tries = object_contents::scan_tries(conn, &content)?;
            let minutes = TRY_AGAIN_MINUTES.get(tries as usize);
            // A file given up is tried once more when the server starts.
            let next = now.plus_seconds(60 * minutes.unwrap_or(&0));
            object_contents::count_scan_try(conn, &content, next)?;
            if minutes.is_none() {
                object_contents::set_scan(conn, &content, ScanState::Unscanned)?;
            }
            Ok(tries + 1)
        };
        let tries = self.store.write(counted).await?;
        tracing::warn!(sha256, %error, tries, "a file could not be scanned");
        Ok(())
    }

    /// The verdict about a content, or why there is none.
    async fn scan(&self, address: Address, sha256: String) -> Result<io::Result<Verdict>> {
        let contents = self.contents.clone();
        let reply = Duration::from_secs(self.config.clamd_seconds.into());
        blocking(move || match contents.file(&sha256) {
            Ok(mut file) => {
                let connection = address.connect(reply).map_err(Error::Io)?;
                Ok(connection.scan(&mut file))
            }
            // The bucket cannot be reached: tried again later.
            Err(error) if s3::is_failure(&error) => Err(error.into()),
            // Lost, or removed since its row was read: `files check` reports lost ones.
            Err(error) => Ok(Ok(Verdict::Refused(error.to_string()))),
        })
        .await
    }

    /// Scans files as they are stored, until it is dropped. At the start, files that were stored
    /// without a scanner are queued; without a scanner, none are.
    pub async fn run_scans(self) {
        let (from, to) = match self.scanner.is_some() {
            true => (ScanState::Unscanned, ScanState::Scanning),
            false => (ScanState::Scanning, ScanState::Unscanned),
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
