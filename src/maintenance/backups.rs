//! Backups by schedule: when they are due, their proof, and the ledgers of erasures beside them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, Result};

use super::{DAILY_HOURS, HOUR_MS, Maintenance, StopOnDrop, is_over, read_key};
use backup::{
    self, Entry, Place, Progress, Source, create, known_of, ledger, proof, prune, require_place,
};
use domain::clock::Time;
use store::database::maintenance::Job;
use store::installation::backup_places::BackupPlace;

impl Maintenance {
    /// Marks the place of the backups as this server's, and warns if it is on the disk of the data.
    /// A folder that is missing is left alone: it may be a share that is not mounted.
    pub(super) async fn adopt_place(&self) {
        if self.role.is_drill() || self.backup.to.is_empty() {
            return;
        }
        let to = PathBuf::from(&self.backup.to);
        let (s3, data, role) = (self.s3.clone(), self.data.dir.clone(), self.role.clone());
        let adopt = move || {
            let place = Place::open(&to, &s3)?;
            if backup::shares_disk(&data, &place) {
                tracing::warn!(
                    to = %place,
                    "backups are on the same disk as the data; both are lost with it"
                );
            }
            require_place(&data, &place)?;
            match place.folder().is_none_or(Path::exists) {
                true => role.claim(&place.marked()?),
                false => Ok(()),
            }
        };
        if let Ok(Err(error)) = tokio::task::spawn_blocking(adopt).await {
            tracing::error!(error = format!("{error:#}"), "no backups can be made");
        }
    }

    /// Whether the backup or its proof is due in the place of the settings, whatever was made
    /// elsewhere; `None` for other jobs. Only a backup that is remembered can be proved.
    pub(super) async fn place_is_due(&self, job: Job, now: Time) -> store::Result<Option<bool>> {
        let every = i64::from(self.backup.every_hours) * HOUR_MS;
        Ok(match job {
            Job::Backup => {
                let known = self.known_place().await?;
                let last = known.and_then(|known| known.scheduled_at);
                Some(last.is_none_or(|last| is_over(last, every, now)))
            }
            Job::Proof => {
                let known = self.known_place().await?;
                let is_over = |at| is_over(at, DAILY_HOURS * HOUR_MS, now);
                Some(known.is_some_and(|known| known.proved_at.is_none_or(is_over)))
            }
            Job::Certificate | Job::Files | Job::Retention | Job::Disk => None,
        })
    }

    /// What is remembered of the place of the settings.
    async fn known_place(&self) -> store::Result<Option<BackupPlace>> {
        let places = self.store.backup_places().await?;
        let to = PathBuf::from(&self.backup.to);
        // A share that hangs must not stop the thread that accepts connections.
        let find = move || known_of(&places, &Place::address_of(&to)).cloned();
        Ok(tokio::task::spawn_blocking(find).await.ok().flatten())
    }

    /// Completes the ledgers of erasures in all places of backups that are there now.
    pub(super) async fn spread_ledger(&self) -> Result<()> {
        let places = self.store.backup_places().await?;
        let (data, s3, role) = (self.data.dir.clone(), self.s3.clone(), self.role.clone());
        let spread =
            move |place: &str| ledger::complete(&data, &Place::open(Path::new(place), &s3)?, &role);
        let all = move || {
            let mut complete = Vec::new();
            for known in places {
                match spread(&known.place) {
                    Ok(true) => complete.push(known.place),
                    Ok(false) => {}
                    Err(error) => {
                        let error = format!("{error:#}");
                        tracing::warn!(place = known.place, error, "its ledger was not completed");
                    }
                }
            }
            complete
        };
        let complete = tokio::task::spawn_blocking(all).await?;
        let now = self.clock.now();
        Ok(self.store.record_ledgers(complete, Vec::new(), now).await?)
    }

    pub(super) async fn back_up_or_prove(&self, job: Job) -> Result<String> {
        let (this, stop) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let _guard = StopOnDrop(stop.clone());
        let done = tokio::task::spawn_blocking(move || this.work(job, &stop));
        let done = done.await.context("it panicked; see the log")??;
        let now = self.clock.now();
        match done.made {
            Some(backup) => {
                let sequence = backup.manifest.sequence;
                let name = backup.place.to_string();
                self.store
                    .record_backup(done.address, name, sequence, false, now)
                    .await?;
            }
            None => self.store.record_proof(done.address, now).await?,
        }
        Ok(done.sentence)
    }

    fn work(&self, job: Job, stop: &AtomicBool) -> Result<Done> {
        let mut watch = |_: Progress| match stop.load(Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let key = read_key(&self.backup)?;
        let (to, now) = (Path::new(&self.backup.to), self.clock.now());
        let to = Place::open(to, &self.s3)?;
        require_place(&self.data.dir, &to)?;
        self.role.claim(&to.marked()?)?;
        if job == Job::Proof {
            let (data, key) = (&self.data.dir, key.as_ref());
            return Ok(Done {
                sentence: proof::prove(data, &to, key, self.fingerprint, now, &mut watch)?,
                address: to.address(),
                made: None,
            });
        }
        let source = Source {
            data: &self.data.dir,
            settings: &self.settings,
            key: key.as_ref(),
            fingerprint: self.fingerprint,
            by_hand: false,
            now,
        };
        let backup = create(&source, &to, &mut watch)?;
        let deleted = prune(&to, self.keep, key.as_ref(), now)?.len();
        Ok(Done {
            sentence: format!(
                "{} ({} MB); {deleted} old ones deleted",
                backup.place,
                backup.manifest.bytes().div_ceil(1 << 20)
            ),
            address: to.address(),
            made: Some(backup),
        })
    }
}

/// The result of a backup or of a proof.
struct Done {
    sentence: String,
    /// Of the place of backups.
    address: String,
    /// The new backup.
    made: Option<Entry>,
}
