//! What the server does by itself: certificates when they are due, backups every
//! `backup.every_hours`, a proof of the newest one and the deletion of old requests once a day, and
//! warnings of licenses. A failure is retried, recorded, and reported to the office by email.

mod backups;
mod disk;
mod licenses;
mod stored_files;
pub mod timers;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;

use backup::sealing::key::BackupKey;
use backup::{self, Fingerprint, Keep};
use certificates::Certificates;
use domain::clock::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::email::notice::Notice;
use s3::ownership::Role;
use site::current::CurrentSite;
use store::database::disk::leftovers;
use store::database::maintenance;
use store::database::maintenance::{Job, LastRun};
use store::{self, Store, outbox};

/// How often the schedule looks whether something is due.
const INTERVAL: Duration = Duration::from_secs(60);
/// Of the intervals, the one in which the days left of licenses are looked at.
const LICENSES_EACH: u32 = 60;
/// The pause before a failed job is tried again.
const RETRY_MS: i64 = 15 * MINUTE_MS;
/// The pause before stored files are read again of which some were damaged: in a bucket, reading
/// is not free.
const FILES_RETRY_MS: i64 = 4 * HOUR_MS;
/// The pause after an order of a certificate, with any result: authorities accept five
/// failures an hour.
const ORDER_PAUSE_MS: i64 = 30 * MINUTE_MS;
/// Hours after which the newest backup is proved, and old requests are deleted.
const DAILY_HOURS: i64 = 24;
/// Days for which a copy of the database in the data folder is kept.
const COPY_DAYS: i64 = 30;
/// Requests deleted in one transaction: takes as long as a few dozen posts.
const RETENTION_BATCH: u32 = 200;
/// The pause between two emails about a job that keeps failing.
const REMINDER_MS: i64 = DAY_MS;

/// The jobs that keep data safe, and only as long as it is needed.
#[derive(Clone)]
pub struct Maintenance {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// The licenses of the company.
    pub site: CurrentSite,
    /// The certificate from an authority, if the site has one.
    pub certificates: Option<Arc<Certificates>>,
    /// The section `[backup]`.
    pub backup: config::Backup,
    /// How many backups are kept.
    pub keep: Keep,
    /// The section `[s3]`.
    pub s3: config::S3,
    /// The section `[files]`.
    pub files: config::Files,
    /// The section `[retention]`.
    pub retention: config::Retention,
    /// What the server may do outside of its data folder.
    pub role: Role,
    /// The section `[data]`.
    pub data: config::Data,
    /// Free space on its disk below which the office is notified, in MiB.
    pub low_disk_mb: u64,
    /// The settings without secrets, as TOML.
    pub settings: String,
    /// Checks the key files.
    pub fingerprint: Fingerprint,
}

/// The key of `backup.key_file`, if it is set.
pub fn read_key(backup: &config::Backup) -> Result<Option<BackupKey>> {
    let path = Some(&backup.key_file).filter(|path| !path.is_empty());
    path.map(|path| BackupKey::read(Path::new(path)))
        .transpose()
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
        self.adopt_place().await;
        for count in (0..LICENSES_EACH).cycle() {
            if count == 0
                && !self.role.is_drill()
                && let Err(error) = self.warn_of_licenses().await
            {
                tracing::warn!(%error, "license warnings could not be queued; it is tried again");
            }
            self.run_due().await;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Runs each job that is due. Without a folder for backups, none is made or proved; a drill has
    /// no jobs.
    pub async fn run_due(&self) {
        if self.role.is_drill() {
            return;
        }
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
            if is_due {
                self.run_job(job, last).await;
            }
        }
    }

    async fn is_wanted(&self, job: Job) -> bool {
        match (job, &self.certificates) {
            (Job::Retention | Job::Files, _) => true,
            (Job::Backup | Job::Proof, _) => !self.backup.to.is_empty(),
            (Job::Certificate, Some(certificates)) => certificates.is_due().await,
            (Job::Certificate, None) | (Job::Disk, _) => false,
        }
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
            Job::Files if !last.ok => FILES_RETRY_MS,
            _ if !last.ok => RETRY_MS,
            Job::Backup => i64::from(self.backup.every_hours) * HOUR_MS,
            Job::Proof | Job::Files | Job::Retention | Job::Disk => DAILY_HOURS * HOUR_MS,
        };
        is_over(last.ran_at, interval, now)
    }

    async fn run_job(&self, job: Job, last: Option<LastRun>) {
        let started = Instant::now();
        let succeeded_at = last.as_ref().and_then(|run| run.succeeded_at);
        let result = match job {
            Job::Certificate => self.order_certificate().await,
            Job::Retention => self.delete_old().await,
            Job::Backup | Job::Proof => self.back_up_or_prove(job).await,
            Job::Files => self.check_files(succeeded_at).await,
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

    /// Deletes requests that have been closed for longer than the settings say.
    async fn delete_old(&self) -> Result<String> {
        let old = self.clock.now().plus_millis(-COPY_DAYS * DAY_MS).millis();
        let old = Duration::from_millis(old.unsigned_abs());
        leftovers::remove_copies(&self.data.dir, Some(SystemTime::UNIX_EPOCH + old))?;
        self.spread_ledger().await?;
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

    fn is_reminder_due(&self, last: Option<&LastRun>) -> bool {
        let now = self.clock.now();
        let told_at = last.and_then(|run| run.told_at);
        told_at.is_none_or(|at| now.millis() - at.millis() >= REMINDER_MS)
    }

    /// Records the run, and notifies the office of a failure: once a day while it lasts, and when
    /// it is over.
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
            succeeded_at,
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

/// Whether `interval` milliseconds have passed since `at`.
fn is_over(at: Time, interval: i64, now: Time) -> bool {
    now.millis() - at.millis() >= interval
}
