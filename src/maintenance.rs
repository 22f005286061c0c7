//! What the server does by itself: certificates when they are due, backups every
//! `backup.every_hours`, a proof of the newest one and the deletion of old requests once a day. A
//! failure is retried, recorded, and reported to the office by email.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::backup::key::BackupKey;
use crate::backup::{
    self, Entry, Fingerprint, Keep, Place, Progress, Source, create, ledger, proof, prune,
    require_place, run_at_low_priority,
};
use crate::certificates::Certificates;
use crate::config;
use crate::domain::clock::{Clock, Time};
use crate::domain::notice::Notice;
use crate::ownership::Role;
use crate::storage::contents::Contents;
use crate::storage::examination::{Share, examine};
use crate::store::database::maintenance;
use crate::store::database::maintenance::{Job, LastRun};
use crate::store::{self, Store, outbox};

/// How often the schedule looks whether something is due.
const INTERVAL: Duration = Duration::from_secs(60);
/// How often the schedule looks whether an operator asks for a job.
const REQUEST_INTERVAL: Duration = Duration::from_secs(2);
/// The pause before a failed job is tried again.
const RETRY_MS: i64 = 15 * 60 * 1000;
/// The pause after an order of a certificate, with any result: authorities accept five
/// failures an hour.
const ORDER_PAUSE_MS: i64 = 30 * 60 * 1000;
const HOUR_MS: i64 = 60 * 60 * 1000;
/// Hours after which the newest backup is proved, and old requests are deleted.
const DAILY_HOURS: i64 = 24;
/// Days for which a copy of the database from before a migration is kept.
const MIGRATION_COPY_DAYS: i64 = 30;
/// Requests deleted in one transaction: takes as long as a few dozen posts.
const RETENTION_BATCH: u32 = 200;
/// The pause between two emails about a job that keeps failing.
const REMINDER_MS: i64 = 24 * 60 * 60 * 1000;

/// The jobs that keep data safe, and only as long as it is needed.
#[derive(Clone)]
pub struct Maintenance {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// The certificate from an authority, if the site has one.
    pub certificates: Option<Arc<Certificates>>,
    /// The section `[backup]`.
    pub backup: config::Backup,
    /// The section `[s3]`.
    pub s3: config::S3,
    /// The section `[files]`.
    pub files: config::Files,
    /// The section `[retention]`.
    pub retention: config::Retention,
    /// What the server may do outside of its data folder; `None`: what the database says.
    pub role: Option<Role>,
    /// The section `[data]`.
    pub data: config::Data,
    /// Free space on its disk below which the office is notified, in MiB.
    pub low_disk_mb: u64,
    /// The settings without secrets, as TOML.
    pub settings: String,
    /// Checks the key files.
    pub fingerprint: Fingerprint,
}

/// Stops a blocking job when the task that waits for it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Maintenance {
    /// Runs until it is dropped.
    pub async fn run(self) {
        backup::remove_temporary_folders(&self.data.dir);
        self.warn_of_one_disk();
        self.adopt_place().await;
        loop {
            self.run_due().await;
            self.wait().await;
        }
    }

    fn warn_of_one_disk(&self) {
        let place = Place::open(Path::new(&self.backup.to), &self.s3);
        let place = place.ok().filter(|_| !self.backup.to.is_empty());
        if place.is_some_and(|place| backup::shares_disk(&self.data.dir, &place)) {
            tracing::warn!(
                to = self.backup.to,
                "backups are on the same disk as the data; both are lost with it"
            );
        }
    }

    /// Waits until the schedule is to be looked at again: at once if an operator asks for a
    /// certificate.
    async fn wait(&self) {
        let started = Instant::now();
        while started.elapsed() < INTERVAL {
            tokio::time::sleep(REQUEST_INTERVAL).await;
            if self.certificates.is_some() && self.is_requested(Job::Certificate).await {
                return;
            }
        }
    }

    async fn is_requested(&self, job: Job) -> bool {
        matches!(self.store.job_request(job).await, Ok(Some(_)))
    }

    /// Runs each job that is due. Without a folder for backups, none is made or proved; a drill has
    /// no jobs.
    pub async fn run_due(&self) {
        let role = match self.role().await {
            Ok(Role::Drill(_)) => return,
            Ok(role) => role,
            Err(error) => return tracing::warn!(%error, "the database cannot be read"),
        };
        if let Err(error) = self.watch_disk().await {
            tracing::warn!(%error, "the free space could not be recorded");
        }
        for job in Job::ALL {
            if !self.is_wanted(job).await {
                continue;
            }
            let now = self.clock.now();
            let last = match self.store.last_run(job).await {
                Ok(last) => last,
                Err(error) => {
                    tracing::warn!(%error, job = job.name(), "the last run could not be read");
                    continue;
                }
            };
            let is_due = match self.place_is_due(job, now).await {
                Ok(Some(is_due)) if last.as_ref().is_none_or(|last| last.ok) => is_due,
                Ok(_) => self.is_due(job, last.as_ref(), now),
                Err(error) => {
                    tracing::warn!(%error, "the places of backups could not be read");
                    continue;
                }
            };
            if is_due || self.is_requested(job).await {
                if let Err(error) = self.store.take_job_request(job, now).await {
                    tracing::warn!(%error, job = job.name(), "the request could not be taken");
                }
                self.run_job(job, last, &role).await;
            }
        }
    }

    async fn role(&self) -> store::Result<Role> {
        match &self.role {
            Some(role) => Ok(role.clone()),
            None => Role::of(&self.store, &self.data, &self.clock).await,
        }
    }

    /// Marks the place of the backups as this server's. A folder that is missing is left alone: it
    /// may be a share that is not mounted.
    async fn adopt_place(&self) {
        let Ok(role @ Role::Production(_)) = self.role().await else {
            return;
        };
        let to = PathBuf::from(&self.backup.to);
        let s3 = self.s3.clone();
        let data = self.data.dir.clone();
        let adopt = move || {
            let place = Place::open(&to, &s3)?;
            require_place(&data, &place)?;
            match place.folder().is_none_or(Path::exists) {
                true => role.claim(&place.marked()?),
                false => Ok(()),
            }
        };
        if self.backup.to.is_empty() {
            return;
        }
        if let Ok(Err(error)) = tokio::task::spawn_blocking(adopt).await {
            tracing::error!(error = format!("{error:#}"), "no backups can be made");
        }
    }

    async fn is_wanted(&self, job: Job) -> bool {
        match (job, &self.certificates) {
            (Job::Retention | Job::Files, _) => true,
            (Job::Backup | Job::Proof, _) => !self.backup.to.is_empty(),
            (Job::Certificate, Some(certificates)) => {
                self.is_requested(job).await || certificates.is_due().await
            }
            (Job::Certificate, None) | (Job::Disk, _) => false,
        }
    }

    /// Whether the backup or its proof is due in the place of the settings, whatever was made
    /// elsewhere; `None` for other jobs.
    async fn place_is_due(&self, job: Job, now: Time) -> store::Result<Option<bool>> {
        let hours = match job {
            Job::Backup => i64::from(self.backup.every_hours),
            Job::Proof => DAILY_HOURS,
            Job::Certificate | Job::Files | Job::Retention | Job::Disk => return Ok(None),
        };
        let Ok(place) = Place::open(Path::new(&self.backup.to), &self.s3) else {
            return Ok(None);
        };
        let (address, places) = (place.address(), self.store.backup_places().await?);
        let known = places.into_iter().find(|known| known.place == address);
        let known = known.filter(|known| !known.is_inherited);
        let done_at = known.and_then(|known| match job {
            Job::Backup => Some(known.made_at),
            _ => known.proved_at,
        });
        let age = done_at.map(|at| now.millis() - at.millis());
        // A time in the future was recorded before the clock was set back.
        Ok(Some(
            age.is_none_or(|age| age >= hours * HOUR_MS || age < 0),
        ))
    }

    fn is_due(&self, job: Job, last: Option<&LastRun>, now: Time) -> bool {
        let Some(last) = last else { return true };
        let certificates = self.certificates.as_ref();
        let is_first = certificates.is_some_and(|certificates| !certificates.has_ordered());
        if job == Job::Certificate && is_first && !last.ok {
            // What failed before this start may have been mended.
            return true;
        }
        let interval = match job {
            Job::Certificate => ORDER_PAUSE_MS,
            // Of a bucket, it is not free.
            Job::Files => DAILY_HOURS * HOUR_MS,
            _ if !last.ok => RETRY_MS,
            Job::Backup => i64::from(self.backup.every_hours) * HOUR_MS,
            Job::Proof | Job::Retention | Job::Disk => DAILY_HOURS * HOUR_MS,
        };
        // A run in the future was recorded before the clock was set back.
        let age = now.millis() - last.ran_at.millis();
        age >= interval || age < 0
    }

    async fn run_job(&self, job: Job, last: Option<LastRun>, role: &Role) {
        let started = Instant::now();
        let result = match job {
            Job::Certificate => self.order_certificate().await,
            Job::Retention => self.delete_old(role).await,
            Job::Backup | Job::Proof => self.back_up_or_prove(job, role).await,
            Job::Files => self.check_files().await,
            Job::Disk => return,
        };
        let result = result.map_err(|error| format!("{error:#}"));
        let seconds = started.elapsed().as_secs_f64();
        match &result {
            Ok(detail) => {
                tracing::info!(job = job.name(), seconds, detail, "maintenance succeeded")
            }
            Err(error) => tracing::error!(job = job.name(), %error, "maintenance failed"),
        }
        if let Err(error) = self.finish(job, seconds, result, last).await {
            tracing::error!(%error, job = job.name(), "the run could not be recorded");
        }
    }

    async fn order_certificate(&self) -> Result<String> {
        match &self.certificates {
            Some(certificates) => certificates.renew().await,
            None => anyhow::bail!("server.tls_acme is not set"),
        }
    }

    /// Looks for lost files, and reads the share of the day. Fails if one is lost or damaged.
    async fn check_files(&self) -> Result<String> {
        // It only reads.
        let role = Role::Drill(None);
        let contents = Contents::open(&self.files, &self.s3, &self.data.dir, &role)?;
        let share = Share::OfDay(self.clock.now());
        let found = examine(&self.store, contents, share).await?;
        if !found.lost.is_empty() || !found.damaged.is_empty() {
            anyhow::bail!(
                "{} stored files are lost and {} damaged: `guardpost files check --deep` names \
                 them; restore them from a backup",
                found.lost.len(),
                found.damaged.len()
            );
        }
        Ok(format!(
            "none of {} stored files is lost; {} were read and are intact",
            found.contents, found.read
        ))
    }

    /// Deletes requests that have been closed for longer than the settings say.
    async fn delete_old(&self, role: &Role) -> Result<String> {
        let old = self
            .clock
            .now()
            .plus_millis(-MIGRATION_COPY_DAYS * DAILY_HOURS * HOUR_MS);
        backup::remove_migration_copies(&self.data.dir, old)?;
        self.spread_ledger(role).await?;
        let days = self.retention.closed_days;
        if days == 0 {
            return Ok("closed requests are kept (retention.closed_days is 0)".to_owned());
        }
        let before = self.clock.now();
        let before = before.plus_millis(-i64::from(days) * DAILY_HOURS * HOUR_MS);
        let (mut requests, mut emails) = (0, 0);
        loop {
            let erased = self.store.erase_closed(before, RETENTION_BATCH).await?;
            if erased.request_ids.is_empty() {
                break;
            }
            requests += erased.request_ids.len();
            emails += erased.emails;
            backup::remove_written_emails(&self.data.dir, &erased.email_ids)?;
        }
        if requests > 0 {
            self.store.purge_erased().await?;
        }
        Ok(format!(
            "{requests} requests closed for {days} days deleted, with {emails} emails"
        ))
    }

    /// Completes the ledgers of erasures in all places of backups that are there now.
    async fn spread_ledger(&self, role: &Role) -> Result<()> {
        let places = self.store.backup_places().await?;
        let (data, s3, role) = (self.data.dir.clone(), self.s3.clone(), role.clone());
        let spread = move |place: &str| {
            let place = Place::open(Path::new(place), &s3)?;
            if place.is_present() {
                role.claim(&place.marked()?)?;
                ledger::copy_beside(&data, &place)?;
            }
            anyhow::Ok(())
        };
        let all = move || {
            for known in places {
                if let Err(error) = spread(&known.place) {
                    let error = format!("{error:#}");
                    tracing::warn!(place = known.place, error, "its ledger was not completed");
                }
            }
        };
        Ok(tokio::task::spawn_blocking(all).await?)
    }

    async fn back_up_or_prove(&self, job: Job, role: &Role) -> Result<String> {
        let role = role.clone();
        let (this, stop) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let _guard = StopOnDrop(stop.clone());
        let (done, place, made) = run_at_low_priority(move || this.work(job, &role, &stop)).await?;
        let (address, now) = (place.address(), self.clock.now());
        match made {
            Some(backup) => {
                let sequence = backup.manifest.sequence;
                let name = backup.place.to_string();
                self.store
                    .record_backup(address, name, sequence, now)
                    .await?;
            }
            None => self.store.record_proof(address, now).await?,
        }
        Ok(done)
    }

    /// Returns a sentence about the result, the place of backups, and a new backup.
    fn work(
        &self,
        job: Job,
        role: &Role,
        stop: &AtomicBool,
    ) -> Result<(String, Place, Option<Entry>)> {
        let mut watch = |_: Progress| match stop.load(Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let key = read_key(&self.backup)?;
        let (to, now) = (Path::new(&self.backup.to), self.clock.now());
        let to = Place::open(to, &self.s3)?;
        require_place(&self.data.dir, &to)?;
        role.claim(&to.marked()?)?;
        if job == Job::Proof {
            let with = (self.fingerprint, now);
            let proved = proof::prove(&self.data.dir, &to, key.as_ref(), with, &mut watch)?;
            return Ok((proved, to, None));
        }
        let source = Source {
            data: &self.data.dir,
            settings: &self.settings,
            key: key.as_ref(),
            fingerprint: self.fingerprint,
            now,
        };
        let backup = create(&source, &to, &mut watch)?;
        let deleted = prune(&to, keep(&self.backup), key.as_ref())?.len();
        let done = format!(
            "{} ({} MB); {deleted} old ones deleted",
            backup.place,
            backup.manifest.bytes().div_ceil(1 << 20)
        );
        Ok((done, to, Some(backup)))
    }

    fn is_reminder_due(&self, last: Option<&LastRun>) -> bool {
        let now = self.clock.now();
        let told_at = last.and_then(|run| run.told_at);
        told_at.is_none_or(|at| now.millis() - at.millis() >= REMINDER_MS)
    }

    /// Records the run, and tells the office of a failure: once a day while it lasts, and when it
    /// is over.
    async fn finish(
        &self,
        job: Job,
        seconds: f64,
        result: Result<String, String>,
        last: Option<LastRun>,
    ) -> store::Result<()> {
        let now = self.clock.now();
        let was_told = last.as_ref().is_some_and(|run| run.told_at.is_some());
        let error = result.as_ref().err().cloned();
        self.store.record_run(job, seconds, result, now).await?;
        let is_due = match error {
            Some(_) => self.is_reminder_due(last.as_ref()),
            None => was_told,
        };
        if !is_due {
            return Ok(());
        }
        let succeeded_at = last.and_then(|run| run.succeeded_at);
        let notice = Notice::Maintenance {
            job: job.name().to_owned(),
            error: error.clone().unwrap_or_default(),
            succeeded_at: succeeded_at.map(|at| at.to_string()),
            to: None,
        };
        self.store
            .write(move |conn| {
                if error.is_some() {
                    maintenance::mark_told(conn, job, now)?;
                }
                outbox::enqueue(conn, &notice, now)
            })
            .await
    }
}

impl Maintenance {
    /// Records that the disk has become low or has recovered, with an email to the office. In
    /// between nothing changes: it is enough again at one and a half times the limit.
    async fn watch_disk(&self) -> store::Result<()> {
        let Ok(space) = rustix::fs::statvfs(&self.data.dir) else {
            return Ok(());
        };
        let free = (space.f_bavail.saturating_mul(space.f_frsize)) >> 20;
        let last = self.store.last_run(Job::Disk).await?;
        let was_low = last.as_ref().is_some_and(|run| !run.ok);
        let (low, enough) = (self.low_disk_mb, self.low_disk_mb.saturating_mul(3) / 2);
        let result = match was_low {
            false if free < low => {
                tracing::error!(free_mb = free, limit_mb = low, "the disk is almost full");
                Err(format!("{free} MB are free on the disk of the data folder"))
            }
            true if free >= enough => {
                tracing::info!(free_mb = free, "the disk has enough space again");
                Ok(format!("{free} MB are free on the disk of the data folder"))
            }
            true if self.is_reminder_due(last.as_ref()) => {
                Err(format!("{free} MB are free on the disk of the data folder"))
            }
            _ => return Ok(()),
        };
        self.finish(Job::Disk, 0.0, result, last).await
    }
}

/// The key of `backup.key_file`, if it is set.
pub fn read_key(backup: &config::Backup) -> Result<Option<BackupKey>> {
    let path = Some(&backup.key_file).filter(|path| !path.is_empty());
    path.map(|path| BackupKey::read(Path::new(path)))
        .transpose()
}

/// How many backups to keep by the settings.
pub fn keep(backup: &config::Backup) -> Keep {
    Keep {
        hours: backup.keep_hours,
        days: backup.keep_days,
        weeks: backup.keep_weeks,
        months: backup.keep_months,
    }
}
