//! Deletes unused bytes: contents released by objects, right after the commit; and remains of a
//! crash, at the start and every hour.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::contents::temporary::resumable_id;
use super::{Error, Files, Result, blocking};
use domain::clock::{HOUR_MS, Time};
use s3::Found;
use store::Connection;
use store::installation::identity;
use store::storage::{object_contents, upload_bytes, uploads};

const INTERVAL: Duration = Duration::from_secs(3600);
/// Polling interval for contents released by other processes and by deleted quotes.
const RELEASED_INTERVAL: Duration = Duration::from_secs(5);
/// Age below which bytes without a row are kept, in milliseconds: their row may be about to follow.
const GRACE_MS: i64 = HOUR_MS;
/// How long the row of an expired resumable upload is kept, in seconds, so that its client gets a
/// specific error.
const EXPIRED_ROW_SECONDS: i64 = 86_400;

/// The result of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Temporary files without a current upload.
    pub temporary: usize,
    /// Contents without a row.
    pub contents: usize,
    pub bytes: u64,
}

/// Which temporary files a sweep may delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporaries {
    /// All that this process is not writing: it is the server.
    Ours,
    /// Only old ones: a server may be running.
    Old,
}

/// The contents that may be deleted if they have no row: an hour old, and older than the newest
/// backup. A server that was restored from this backup has no rows of later contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deletable {
    now: Time,
    backup: Option<Time>,
}

/// The stored contents beside the rows that name them.
pub struct Comparison {
    /// SHA-256 of contents that rows name and that are gone.
    pub missing: BTreeSet<String>,
    /// Contents without a row.
    pub unused: Vec<Found>,
}

impl Deletable {
    pub(super) fn contains(&self, file: &Found) -> bool {
        let is_in_backup = |backup: Time| Time::from(file.written_at) < backup;
        is_old(file.written_at, self.now) && self.backup.is_none_or(is_in_backup)
    }
}

impl Files {
    /// Deletes the contents released by objects. An error is logged; the next sweep tries again.
    pub async fn collect_released(&self) {
        if let Err(error) = self.store.forget_removed_files(self.clock.now()).await {
            tracing::warn!(%error, "removed files are deleted later");
        }
        match self.store.read(object_contents::released).await {
            Ok(released) if released.is_empty() => {}
            Ok(released) => self.collect(released).await,
            Err(error) => tracing::warn!(%error, "released files are deleted later"),
        }
    }

    /// Deletes those of `candidates` that no object and no upload needs.
    pub(super) async fn collect(&self, candidates: Vec<String>) {
        for sha256 in &candidates {
            match self.remove_unused(sha256.clone()).await {
                Ok(()) => {}
                Err(Error::Store(error)) => {
                    return tracing::warn!(%error, "unused files are deleted later");
                }
                Err(error @ Error::Unavailable(_)) => {
                    tracing::warn!(%error, "unused files are deleted by a later sweep");
                    break;
                }
                Err(error) => tracing::warn!(%error, "an unused file cannot be deleted"),
            }
        }
        let forget = move |conn: &Connection| object_contents::forget_released(conn, &candidates);
        let forgotten = self.store.write(forget).await;
        if let Err(error) = forgotten {
            tracing::warn!(%error, "released files are deleted later");
        }
    }

    /// Deletes a content that no object and no upload needs.
    async fn remove_unused(&self, sha256: String) -> Result<()> {
        let Some(removal) = self.contents.begin_removal(&sha256) else {
            return Ok(());
        };
        // Read after uploads of this content are blocked.
        let is_used = move |conn: &Connection| Ok(object_contents::uses_content(conn, &sha256)?);
        if self.read(is_used).await? {
            return Ok(());
        }
        blocking(move || Ok(removal.remove()?)).await
    }

    /// Deletes temporary files without a current upload, and contents without a row that are an
    /// hour old, and older than the newest backup.
    pub async fn sweep(&self, temporaries: Temporaries) -> Result<Swept> {
        let now = self.clock.now();
        let long_ago = now.plus_seconds(-EXPIRED_ROW_SECONDS);
        self.write(move |conn| {
            upload_bytes::prune(conn, &now.day())?;
            Ok(uploads::prune(conn, long_ago)?)
        })
        .await?;
        self.collect_released().await;
        let mut swept = self.sweep_temporary(temporaries, now).await?;
        let old = self.old_contents_without_row().await?;
        swept.contents = old.len();
        swept.bytes += old.iter().map(|file| file.size).sum::<u64>();
        for file in old {
            self.collect(vec![file.name]).await;
        }
        Ok(swept)
    }

    async fn sweep_temporary(&self, temporaries: Temporaries, now: Time) -> Result<Swept> {
        let contents = self.contents.clone();
        let listed = blocking(move || Ok(contents.list_temporary()?)).await?;
        if listed.is_empty() {
            return Ok(Swept::default());
        }
        // Read after the list: an upload that begins in between is in neither.
        let unexpired = self
            .store
            .read(move |conn| uploads::unexpired(conn, now))
            .await?;
        let contents = self.contents.clone();
        blocking(move || {
            let mut swept = Swept::default();
            for file in listed {
                let is_current = resumable_id(&file.name).is_some_and(|id| unexpired.contains(id));
                let path = contents.temporary_path(&file.name);
                let is_spared = match temporaries {
                    Temporaries::Ours => contents.is_active(&path),
                    Temporaries::Old => !is_old(file.written_at, now),
                };
                if !is_current && !is_spared && std::fs::remove_file(&path).is_ok() {
                    swept.temporary += 1;
                    swept.bytes += file.size;
                }
            }
            Ok(swept)
        })
        .await
    }

    async fn old_contents_without_row(&self) -> Result<Vec<Found>> {
        let without_row = self.compare().await?.unused;
        let deletable = self.deletable().await?;
        let old = without_row.into_iter();
        Ok(old.filter(|file| deletable.contains(file)).collect())
    }

    /// Which contents may be deleted if they have no row.
    pub(super) async fn deletable(&self) -> Result<Deletable> {
        Ok(Deletable {
            now: self.clock.now(),
            backup: self.store.read(identity::newest_backup).await?,
        })
    }

    /// Compares the stored contents with the rows.
    pub async fn compare(&self) -> Result<Comparison> {
        let contents = self.contents.clone();
        let listed = blocking(move || Ok(contents.list()?)).await?;
        let mut used = self.store.read(object_contents::contents).await?;
        let unused = listed
            .into_iter()
            .filter(|file| !used.remove(&file.name))
            .collect();
        let contents = self.contents.clone();
        // A content stored after the list was read.
        let missing = move || {
            let mut missing = BTreeSet::new();
            for sha256 in used {
                if !contents.has(&sha256)? {
                    missing.insert(sha256);
                }
            }
            Ok(missing)
        };
        Ok(Comparison {
            missing: blocking(missing).await?,
            unused,
        })
    }

    /// Sweeps at the start and every hour, and deletes released contents soon, until it is dropped.
    pub async fn run_sweeps(self) {
        loop {
            let contents = self.contents.clone();
            if let Err(error) = blocking(move || Ok(contents.claim()?)).await {
                tracing::error!(%error, "nothing can be stored or deleted in the bucket of files");
            }
            match self.sweep(Temporaries::Ours).await {
                Ok(swept) if swept == Swept::default() => {}
                Ok(swept) => tracing::info!(?swept, "deleted files that nothing needs"),
                Err(error) => tracing::warn!(%error, "files cannot be swept; tried again later"),
            }
            match self.compare().await {
                Ok(found) if found.missing.is_empty() => {}
                Ok(found) => {
                    tracing::error!(
                        missing = found.missing.len(),
                        "the bytes of stored files are gone"
                    );
                }
                Err(error) => tracing::warn!(%error, "stored files cannot be checked"),
            }
            let mut waited = Duration::ZERO;
            while waited < INTERVAL {
                tokio::time::sleep(RELEASED_INTERVAL).await;
                waited += RELEASED_INTERVAL;
                self.collect_released().await;
            }
        }
    }
}

/// Whether a file was last written more than an hour ago.
fn is_old(written_at: SystemTime, now: Time) -> bool {
    Time::from(written_at).millis() + GRACE_MS < now.millis()
}
