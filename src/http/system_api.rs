//! What the operator and the dashboard should know about the system: backups, emails, certificate,
//! disk. `state` is computed on request; the metrics use it too.

use std::sync::Arc;

use jiff::civil::Date;
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};

use super::error_responses::AdminError;
use super::guard::Admin;
use super::{App, tls};
use crate::config::{self, Company, License};
use crate::domain::clock::Time;
use crate::store::maintenance::{Job, LastRun};
use crate::store::{self, OutboxCounts};

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Hours after which a daily job is late.
const DAILY_HOURS: i64 = 26;
/// Size of the database's log from which Litestream does not seem to run, in bytes: it empties the
/// log long before.
pub const MAX_REPLICATED_LOG: u64 = 256 << 20;
/// Days before its end from which a certificate is a problem: its renewal is overdue.
const CERTIFICATE_DAYS: i64 = 14;
/// Days before its last day from which a license is a problem, as in the first warning by email.
const LICENSE_DAYS: i32 = 60;

#[derive(Tags)]
enum Tag {
    /// What the dashboard calls. Needs an admin's access token.
    AdminApi,
}

/// The last run of a maintenance job.
#[derive(Object)]
struct JobRun {
    /// When it ended, RFC 3339 UTC.
    ran_at: String,
    /// Whether it succeeded.
    ok: bool,
    /// When it last succeeded, null if never.
    succeeded_at: Option<String>,
    /// How long it took.
    seconds: f64,
    /// Its result, or its error.
    detail: String,
}

impl From<LastRun> for JobRun {
    fn from(run: LastRun) -> Self {
        Self {
            ran_at: run.ran_at.to_string(),
            ok: run.ok,
            succeeded_at: run.succeeded_at.map(|at| at.to_string()),
            seconds: run.seconds,
            detail: run.detail,
        }
    }
}

/// The emails that have not been sent.
#[derive(Object)]
struct UnsentEmails {
    /// Waiting for their first or next attempt.
    due: i64,
    /// Of these, the ones whose event is more than an hour ago.
    late: i64,
    /// Given up.
    failed: i64,
    /// Held since a restore, until an operator releases them.
    held: i64,
}

/// The state of the system.
#[derive(Object)]
struct System {
    /// The version of the program.
    version: String,
    /// What somebody should look at, a sentence each; empty if all is well.
    problems: Vec<String>,
    /// The last backup, null if none was ever made.
    backup: Option<JobRun>,
    /// The last proof of a backup, null if there was none.
    backup_proof: Option<JobRun>,
    /// The last deletion of old requests, null if there was none.
    retention: Option<JobRun>,
    /// The emails that have not been sent.
    emails: UnsentEmails,
    /// Days until the certificate expires, negative once it has; null without a certificate.
    certificate_days: Option<i64>,
    /// Free bytes on the disk of the data folder.
    disk_free_bytes: Option<i64>,
}

#[derive(ApiResponse)]
enum SystemResponse {
    /// The state.
    #[oai(status = 200)]
    Ok(Json<System>),
}

/// The endpoint.
pub struct SystemApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::AdminApi")]
impl SystemApi {
    /// State of the system
    ///
    /// When backups were made and proved, unsent emails, the certificate and the disk, and what
    /// somebody should look at.
    #[oai(path = "/system", method = "get", operation_id = "getSystem")]
    async fn system(
        &self,
        app: Data<&Arc<App>>,
        _admin: Admin,
    ) -> Result<SystemResponse, AdminError> {
        let state = state(&app).await?;
        let OutboxCounts {
            due,
            late,
            failed,
            held,
        } = state.emails;
        Ok(SystemResponse::Ok(Json(System {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            problems: state.problems(&app),
            backup: state.backup.map(JobRun::from),
            backup_proof: state.proof.map(JobRun::from),
            retention: state.retention.map(JobRun::from),
            emails: UnsentEmails {
                due,
                late,
                failed,
                held,
            },
            certificate_days: state.certificate_days,
            disk_free_bytes: state.disk_free.and_then(|bytes| i64::try_from(bytes).ok()),
        })))
    }
}

/// The size of the log that Litestream empties, in bytes; 0 if the server does it by itself.
pub fn log_bytes(data: &config::Data) -> u64 {
    if !data.replicated {
        return 0;
    }
    let log = data.dir.join("guardpost.db-wal");
    log.metadata().map_or(0, |log| log.len())
}

/// The state of the system.
pub(super) struct State {
    pub backup: Option<LastRun>,
    pub proof: Option<LastRun>,
    pub retention: Option<LastRun>,
    pub order: Option<LastRun>,
    pub emails: OutboxCounts,
    pub certificate_days: Option<i64>,
    pub disk_free: Option<u64>,
    pub log_bytes: u64,
}

/// Reads the state.
///
/// # Errors
/// The error of the database.
pub(super) async fn state(app: &App) -> store::Result<State> {
    let now = app.clock.now();
    let (server, data) = (app.server.clone(), app.data.clone());
    let files = move || {
        let expires = tls::validity(&server, &data.dir)
            .and_then(Result::ok)
            .map(|(_, until)| until);
        let days = expires.map(|at| (at.millis() - now.millis()).div_euclid(24 * HOUR_MS));
        let space = rustix::fs::statvfs(&data.dir).ok();
        let free = space.map(|space| space.f_bavail.saturating_mul(space.f_frsize));
        (days, free, log_bytes(&data))
    };
    let (certificate_days, disk_free, log_bytes) =
        tokio::task::spawn_blocking(files).await.unwrap_or_default();
    Ok(State {
        backup: app.store.last_run(Job::Backup).await?,
        proof: app.store.last_run(Job::Proof).await?,
        retention: app.store.last_run(Job::Retention).await?,
        order: app.store.last_run(Job::Certificate).await?,
        emails: app.store.outbox_counts(now).await?,
        certificate_days,
        disk_free,
        log_bytes,
    })
}

impl State {
    fn problems(&self, app: &App) -> Vec<String> {
        let mut problems = Vec::new();
        let every = i64::from(app.backup.every_hours);
        if !app.backup.to.is_empty() {
            problems.extend(job_problem(
                "backup",
                self.backup.as_ref(),
                2 * every + 1,
                app,
            ));
            let proof = self.proof.as_ref();
            problems.extend(job_problem("proof of the backup", proof, DAILY_HOURS, app));
        }
        let OutboxCounts {
            late, failed, held, ..
        } = self.emails;
        for (count, what) in [
            (late, "undelivered for over an hour"),
            (failed, "given up"),
            (held, "held since a restore"),
        ] {
            if count > 0 {
                let noun = if count == 1 { "email is" } else { "emails are" };
                problems.push(format!("{count} {noun} {what}."));
            }
        }
        let order = self.order.as_ref().filter(|_| app.server.tls_acme);
        problems.extend(job_problem("order of a certificate", order, i64::MAX, app));
        match self.certificate_days {
            None if app.server.tls_acme => {
                problems.push("There is no certificate that browsers accept yet.".to_owned());
            }
            Some(days) if days < 0 => problems.push("The certificate has expired.".to_owned()),
            Some(days) if days < CERTIFICATE_DAYS => {
                problems.push(format!("The certificate expires in {days} days."));
            }
            _ => {}
        }
        if self.log_bytes > MAX_REPLICATED_LOG {
            problems.push("The replication of the database has stopped.".to_owned());
        }
        let least = app.data.min_free_mb << 20;
        if self.disk_free.is_some_and(|free| free < least) {
            problems.push("The disk is almost full.".to_owned());
        }
        problems.extend(license_problems(&app.site().company, app.clock.now()));
        problems
    }
}

/// The licenses that expire within 60 days, or have expired.
fn license_problems(company: &Company, now: Time) -> Vec<String> {
    let today = now.day();
    let problem = |(state, license): (&String, &License)| {
        let expires = license.expires?;
        let days = (expires - today.parse::<Date>().ok()?).get_days();
        let number = &license.number;
        match days {
            ..0 => Some(format!(
                "The {state} license {number} has expired on {expires}: its number is off the \
                 pages."
            )),
            0 => Some(format!("The {state} license {number} expires today.")),
            1 => Some(format!("The {state} license {number} expires tomorrow.")),
            2..=LICENSE_DAYS => Some(format!(
                "The {state} license {number} expires in {days} days, on {expires}."
            )),
            _ => None,
        }
    };
    company.licenses.iter().filter_map(problem).collect()
}

/// What is wrong with a job, if anything.
fn job_problem(name: &str, run: Option<&LastRun>, hours: i64, app: &App) -> Option<String> {
    // The first run begins with the server.
    let run = run?;
    if !run.ok {
        return Some(format!("The last {name} failed."));
    }
    let age = (app.clock.now().millis() - run.ran_at.millis()) / HOUR_MS;
    (age > hours).then(|| format!("The last {name} was {age} hours ago."))
}
