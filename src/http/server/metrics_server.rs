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
    vec![
        (
            "guardpost_outbox_due",
            "Emails that are due for delivery",
            emails(status.emails.due),
        ),
        (
            "guardpost_outbox_late",
            "Due emails that have been undelivered for over an hour",
            emails(status.emails.late),
        ),
        (
            "guardpost_outbox_failed",
            "Emails that have failed for good; an operator may retry them",
            emails(status.emails.failed),
        ),
        (
            "guardpost_outbox_held",
            "Emails held since a restore; an operator may release them",
            emails(status.emails.held),
        ),
        (
            "guardpost_mail_server_failing",
            "1 if the mail server takes no emails",
            Some(status.mail_outage.is_some().into()),
        ),
        (
            "guardpost_mailbox_failing",
            "1 if the mailbox of customers' answers cannot be read",
            Some(status.mailbox.is_failing().into()),
        ),
        (
            "guardpost_backup_age_seconds",
            "Seconds since the last successful backup",
            age(&status.backup),
        ),
        (
            "guardpost_backup_failed",
            "Whether the last backup has failed",
            failed(&status.backup),
        ),
        (
            "guardpost_backup_proof_age_seconds",
            "Seconds since a backup was last restored for proof",
            age(&status.proof),
        ),
        (
            "guardpost_backup_proof_failed",
            "Whether the last proof of a backup has failed",
            failed(&status.proof),
        ),
        (
            "guardpost_retention_age_seconds",
            "Seconds since old requests were last deleted",
            age(&status.retention),
        ),
        (
            "guardpost_certificate_days",
            "Days until the certificate expires; 0 once it has",
            certificate_days.map(|days| u64::try_from(days).unwrap_or(0)),
        ),
        (
            "guardpost_disk_free_bytes",
            "Free bytes on the disk of the data folder",
            status.disk_free,
        ),
    ]
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
    vec![
        (
            "guardpost_oldest_pending_seconds",
            "Age of the oldest quote request not accepted yet; 0 without one",
            oldest,
        ),
        (
            "guardpost_alarms_waiting",
            "Emergencies that nobody has taken for five minutes, and missed test alarms",
            counted(|counts| counts.alarms_waiting),
        ),
        (
            "guardpost_sign_in_failures_hour",
            "Failed sign-ins within the last hour",
            counted(|counts| counts.sign_in_failures),
        ),
        (
            "guardpost_received_emails",
            "Stored emails of customers",
            app.store.count_received_emails().await.ok(),
        ),
        (
            "guardpost_received_emails_pending",
            "Stored emails that are not in a conversation yet",
            app.store.count_pending_emails().await.ok(),
        ),
        (
            "guardpost_received_emails_waiting",
            "Emails of people that belong to no request",
            unmatched.map(|counts| counts.people),
        ),
    ]
}

/// What this process holds, under the names that Prometheus gives it.
fn of_process(app: &System<'_>) -> Vec<Reading> {
    let open_files = fs::read_dir("/proc/self/fd");
    vec![
        (
            "guardpost_writes_waiting",
            "Writes that have not been committed yet",
            u64::try_from(app.store.pending_writes()).ok(),
        ),
        (
            "guardpost_request_reserve_missing_bytes",
            "Bytes missing of the disk space that is kept for requests",
            Some(app.store.missing_reserve()),
        ),
        (
            "guardpost_background_tasks_down",
            "Background tasks that have panicked and not recovered",
            u64::try_from(app.tasks.down().len()).ok(),
        ),
        (
            "process_resident_memory_bytes",
            "Memory of the server, without the processes that read emails and pictures",
            resident_bytes(),
        ),
        (
            "process_open_fds",
            "Open files and connections",
            open_files.ok().map(|open| open.count() as u64),
        ),
        (
            "process_max_fds",
            "Files and connections that may be open",
            getrlimit(Resource::Nofile).current,
        ),
    ]
}

fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
