//! The server's status: backups, emails, certificate, disk and licenses. It is read on request, by
//! the dashboard and for the metrics.

use super::certificate_checks;
use crate::area;
use config::{Company, License};
use domain::clock::{HOUR_MS, Time};
use domain::figures::to_do::ToDoLine;
use domain::text::grouped::grouped;
use inbound_mail::UNVERIFIED;
use store::database::maintenance::{Job, LastRun};
use store::installation::backup_places::BackupPlace;
use store::mailbox::state::MailboxState;
use store::outbox::admin::OutboxCounts;
use store::outbox::mail_outage::MailOutage;

/// Hours after which a daily job is late.
const DAILY_HOURS: i64 = 26;
/// Size of the WAL above which Litestream does not seem to run, in bytes: it empties the WAL long
/// before.
pub const MAX_REPLICATED_LOG: u64 = 256 << 20;
/// Days before its end at which a certificate is a problem: its renewal is overdue.
const CERTIFICATE_DAYS: i64 = 14;
/// Days before its last day at which a license is a problem, as in the first warning by email.
const LICENSE_DAYS: i32 = 60;

/// The size of the WAL if Litestream empties it, in bytes; 0 if the server does.
pub fn log_bytes(data: &config::Data) -> u64 {
    if !data.replicated {
        return 0;
    }
    let log = data.dir.join("guardpost.db-wal");
    log.metadata().map_or(0, |log| log.len())
}

area! {
    /// What says how the server and the desk are doing.
    System: store, clock, time_zone, publisher, role, tasks, alarms, inbound, figures,
        answer_times, server, desk, data, backup
}

/// The status of the server.
pub struct SystemStatus {
    /// The last backup.
    pub backup: Option<LastRun>,
    /// The last proof: a backup restored to check that it is complete.
    pub proof: Option<LastRun>,
    /// The last check of stored files.
    pub files: Option<LastRun>,
    /// The places of backups.
    pub places: Vec<BackupPlace>,
    /// The last deletion of old requests.
    pub retention: Option<LastRun>,
    /// The last order of a certificate.
    pub order: Option<LastRun>,
    /// The emails that have not been sent.
    pub emails: OutboxCounts,
    /// Days until the certificate expires, negative once it has.
    pub certificate_days: Option<i64>,
    /// Since when the mail server takes no emails.
    pub mail_outage: Option<MailOutage>,
    /// How the reading of the mailbox goes, if there is one.
    pub mailbox: MailboxState,
    /// What was set aside, since the server ended during it; a sentence each.
    pub set_aside: Option<String>,
    /// Free bytes on the disk of the data folder.
    pub disk_free: Option<u64>,
    /// The size of the WAL, if it is replicated.
    pub log_bytes: u64,
}

impl SystemStatus {
    /// Reads the status.
    pub async fn read(app: &System<'_>) -> store::Result<Self> {
        let now = app.clock.now();
        let (server, data) = (app.server.clone(), app.data.clone());
        let files = move || {
            let expires = certificate_checks::validity(&server, &data.dir)
                .and_then(Result::ok)
                .map(|(_, until)| until);
            let days = expires.map(|at| (at.millis() - now.millis()).div_euclid(24 * HOUR_MS));
            let space = rustix::fs::statvfs(&data.dir).ok();
            let free = space.map(|space| space.f_bavail.saturating_mul(space.f_frsize));
            (days, free, log_bytes(&data))
        };
        let (certificate_days, disk_free, log_bytes) =
            tokio::task::spawn_blocking(files).await.unwrap_or_default();
        Ok(Self {
            backup: app.store.last_run(Job::Backup).await?,
            proof: app.store.last_run(Job::Proof).await?,
            files: app.store.last_run(Job::Files).await?,
            places: app.store.backup_places().await?,
            retention: app.store.last_run(Job::Retention).await?,
            order: app.store.last_run(Job::Certificate).await?,
            emails: app.store.outbox_counts(now).await?,
            mail_outage: app.store.mail_outage().await?,
            mailbox: match &app.inbound.mailbox {
                Some(name) => app.store.mailbox_state(name.clone()).await?,
                None => MailboxState::default(),
            },
            set_aside: app.store.set_aside_problem(now).await?,
            certificate_days,
            disk_free,
            log_bytes,
        })
    }

    /// Problems that need attention, one sentence each; those of the alarms first.
    pub async fn problems(&self, app: &System<'_>) -> store::Result<Vec<ToDoLine>> {
        let (rules, now) = (app.alarms.rules.clone(), app.clock.now());
        let alarms = app.store.alarm_problems(rules, now).await?.into_iter();
        let alarms = alarms.map(|text| ToDoLine::new(text, Some("/admin/on-call"), true));
        let server = self.server_problems(app).into_iter();
        let server = server.map(|text| ToDoLine::new(text, None, false));
        let licenses = license_problems(&app.publisher.site().company, now).into_iter();
        let section = Some("/admin/site?section=licenses");
        let licenses = licenses.map(|text| ToDoLine::new(text, section, false));
        let emails = self.email_problems();
        Ok(alarms.chain(server).chain(emails).chain(licenses).collect())
    }

    fn server_problems(&self, app: &System<'_>) -> Vec<String> {
        let mut problems = app.role.problems();
        problems.extend(self.backup_problems(app));
        let places = self.places.iter();
        problems.extend(places.filter_map(|known| {
            known.behind_since.map(|since| {
                format!(
                    "The backups in {} lack erasures since {}: that place could not be reached.",
                    known.place,
                    app.time_zone.format(since, "%F")
                )
            })
        }));
        let files = self.files.as_ref().filter(|run| !run.ok);
        problems.extend(
            files.and_then(|run| job_problem("check of stored files", Some(run), DAILY_HOURS, app)),
        );
        let outage = self.mail_outage.as_ref();
        problems.extend(outage.and_then(|outage| outage.problem(app.clock.now())));
        problems.extend(self.mailbox.problems(app.clock.now()));
        problems.extend(self.set_aside.iter().cloned());
        if app.inbound.verifies_nobody() {
            problems.push(format!(
                "No customer's email can be verified: {UNVERIFIED}."
            ));
        }
        problems.extend(self.certificate_problems(app));
        if self.log_bytes > MAX_REPLICATED_LOG {
            problems.push("The replication of the database has stopped.".to_owned());
        }
        let least = app.data.min_free_mb << 20;
        if self.disk_free.is_some_and(|free| free < least) {
            problems.push("The disk is almost full.".to_owned());
        }
        if app.store.missing_reserve() > 0 {
            problems.push(
                "Some of the disk space reserved for requests is missing. Free up some space."
                    .to_owned(),
            );
        }
        problems
    }

    fn backup_problems(&self, app: &System<'_>) -> Vec<String> {
        if app.backup.to.is_empty() || app.role.is_drill() {
            return Vec::new();
        }
        let late = 2 * i64::from(app.backup.every_hours) + 1;
        let proof = self.proof.as_ref();
        [
            job_problem("backup", self.backup.as_ref(), late, app),
            job_problem("proof of the backup", proof, DAILY_HOURS, app),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn email_problems(&self) -> impl Iterator<Item = ToDoLine> {
        let emails = &self.emails;
        let (list, facts) = (Some("/admin"), Some("/admin/site?section=facts"));
        [
            (emails.late, "not delivered for over an hour", list),
            (emails.failed, "could not be delivered", list),
            (
                emails.unaddressed,
                "waiting: our own email address is invalid, correct it in the editor or in the \
                 settings",
                facts,
            ),
            (emails.held, "on hold since a restore", None),
        ]
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, what, path)| {
            let noun = if count == 1 { "email" } else { "emails" };
            ToDoLine::new(format!("{} {noun} {what}.", grouped(count)), path, false)
        })
    }

    fn certificate_problems(&self, app: &System<'_>) -> Vec<String> {
        let order = self.order.as_ref().filter(|_| app.server.tls_acme);
        let order = job_problem("order of a certificate", order, i64::MAX, app);
        let end = match self.certificate_days {
            None if app.server.tls_acme => {
                Some("There is no certificate that browsers accept yet.".to_owned())
            }
            Some(days) if days < 0 => Some("The certificate has expired.".to_owned()),
            Some(days) if days < CERTIFICATE_DAYS => {
                Some(format!("The certificate expires in {days} days."))
            }
            _ => None,
        };
        order.into_iter().chain(end).collect()
    }
}

/// The licenses that expire within 60 days, or have expired.
fn license_problems(company: &Company, now: Time) -> Vec<String> {
    let today = company.today(now);
    let problem = |(state, license): (&String, &License)| {
        let number = &license.number;
        match license.days_left(today)? {
            ..0 => Some(format!(
                "The {state} license {number} expired {}: its number is off the pages.",
                license.expires_text()
            )),
            0 => Some(format!("The {state} license {number} expires today.")),
            1 => Some(format!("The {state} license {number} expires tomorrow.")),
            days @ 2..=LICENSE_DAYS => Some(format!(
                "The {state} license {number} expires in {days} days, on {}.",
                license.expires_text()
            )),
            _ => None,
        }
    };
    company.licenses.iter().filter_map(problem).collect()
}

/// The problem of a job, if any.
fn job_problem(name: &str, run: Option<&LastRun>, hours: i64, app: &System<'_>) -> Option<String> {
    // The first run begins with the server.
    let run = run?;
    if !run.ok {
        return Some(format!("The last {name} failed."));
    }
    let age = (app.clock.now().millis() - run.ran_at.millis()) / HOUR_MS;
    (age > hours).then(|| format!("The last {name} was {age} hours ago."))
}
