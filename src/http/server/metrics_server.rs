//! A separate listener for metrics, so that they are not on the public address.

use std::convert::Infallible;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, getrlimit};
use tokio::net::TcpListener;

use super::metrics::{MEDIA_TYPE, Reading};
use super::system_status::{System, SystemStatus};
use crate::{AppState, Part};
use store::database::maintenance::LastRun;
use store::installation::MetricsCounts;

/// Makes readings: the name, the value and the help of each.
macro_rules! readings {
    ($($name:ident: $value:expr, $help:literal;)+) => {
        vec![$((stringify!($name), $help, $value)),+]
    };
}

/// Serves the metrics on `listener` forever.
pub async fn serve(listener: Arc<TcpListener>, app: Arc<AppState>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        let app = app.clone();
        let service = service_fn(move |_| {
            let app = app.clone();
            async move {
                let system = System::of(&app);
                let mut readings = of_status(&system).await;
                readings.extend(of_database(&system).await);
                readings.extend(of_process(&system));
                let text = app.metrics.text(readings, app.tasks.restarts());
                let mut response = Response::new(Full::new(text.into()));
                let media_type = HeaderValue::from_static(MEDIA_TYPE);
                response.headers_mut().insert(CONTENT_TYPE, media_type);
                Ok::<Response<Full<Bytes>>, Infallible>(response)
            }
        });
        tokio::spawn(
            http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(Duration::from_secs(10))
                .serve_connection(TokioIo::new(stream), service),
        );
    }
}

/// The emails, the backups, the certificate and the disk; nothing if the database cannot be read.
async fn of_status(app: &System<'_>) -> Vec<Reading> {
    let Ok(status) = SystemStatus::read(app).await else {
        return Vec::new();
    };
    let now = app.clock.now();
    let age = |run: &Option<LastRun>| {
        let at = run.as_ref()?.succeeded_at?;
        u64::try_from(now.seconds() - at.seconds()).ok()
    };
    let failed = |run: &Option<LastRun>| Some(u64::from(!run.as_ref()?.ok));
    let emails = |count: i64| Some(count.unsigned_abs());
    let certificate_days = status.certificate_days;
    readings! {
        guardpost_outbox_due: emails(status.emails.due), "Emails that are due for delivery";
        guardpost_outbox_late: emails(status.emails.late),
            "Due emails that have been undelivered for over an hour";
        guardpost_outbox_failed: emails(status.emails.failed),
            "Emails that have failed for good; an operator may retry them";
        guardpost_outbox_held: emails(status.emails.held),
            "Emails held since a restore; an operator may release them";
        guardpost_mail_server_failing: Some(status.mail_outage.is_some().into()),
            "1 if the mail server takes no emails";
        guardpost_mailbox_failing: Some(status.mailbox.is_failing().into()),
            "1 if the mailbox of customers' answers cannot be read";
        guardpost_backup_age_seconds: age(&status.backup),
            "Seconds since the last successful backup";
        guardpost_backup_failed: failed(&status.backup), "Whether the last backup has failed";
        guardpost_backup_proof_age_seconds: age(&status.proof),
            "Seconds since a backup was last restored for proof";
        guardpost_backup_proof_failed: failed(&status.proof),
            "Whether the last proof of a backup has failed";
        guardpost_retention_age_seconds: age(&status.retention),
            "Seconds since old requests were last deleted";
        guardpost_certificate_days: certificate_days.map(|days| u64::try_from(days).unwrap_or(0)),
            "Days until the certificate expires; 0 once it has";
        guardpost_disk_free_bytes: status.disk_free, "Free bytes on the disk of the data folder";
    }
}

/// Requests, sign-ins and received emails. They are counted in the database, since other processes
/// receive emails too.
async fn of_database(app: &System<'_>) -> Vec<Reading> {
    let now = app.clock.now();
    let counts = app.store.metrics_counts(now).await.ok();
    let counted = |read: fn(&MetricsCounts) -> u64| counts.as_ref().map(read);
    let oldest = counts.as_ref().map(|counts| {
        let since = counts.oldest_pending.unwrap_or(now);
        u64::try_from(now.seconds() - since.seconds()).unwrap_or(0)
    });
    let unmatched = app.store.count_unmatched().await.ok();
    readings! {
        guardpost_oldest_pending_seconds: oldest,
            "Age of the oldest quote request not accepted yet; 0 without one";
        guardpost_alarms_waiting: counted(|counts| counts.alarms_waiting),
            "Emergencies that nobody has taken for five minutes, and missed test alarms";
        guardpost_sign_in_failures_hour: counted(|counts| counts.sign_in_failures),
            "Failed sign-ins within the last hour";
        guardpost_received_emails: app.store.count_received_emails().await.ok(),
            "Stored emails of customers";
        guardpost_received_emails_pending: app.store.count_pending_emails().await.ok(),
            "Stored emails that are not in a conversation yet";
        guardpost_received_emails_waiting: unmatched.map(|counts| counts.people),
            "Emails of people that belong to no request";
    }
}

/// What this process holds, under the names that Prometheus gives it.
fn of_process(app: &System<'_>) -> Vec<Reading> {
    let open_files = fs::read_dir("/proc/self/fd");
    readings! {
        guardpost_writes_waiting: u64::try_from(app.store.pending_writes()).ok(),
            "Writes that have not been committed yet";
        guardpost_request_reserve_missing_bytes: Some(app.store.missing_reserve()),
            "Bytes missing of the disk space that is kept for requests";
        guardpost_background_tasks_down: u64::try_from(app.tasks.down().len()).ok(),
            "Background tasks that have panicked and not recovered";
        process_resident_memory_bytes: resident_bytes(),
            "Memory of the server, without the processes that read emails and pictures";
        process_open_fds: open_files.ok().map(|open| open.count() as u64),
            "Open files and connections";
        process_max_fds: getrlimit(Resource::Nofile).current,
            "Files and connections that may be open";
    }
}

fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
