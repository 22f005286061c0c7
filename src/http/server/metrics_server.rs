//! A separate listener for metrics, so that they are not on the public address.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::metrics::{MEDIA_TYPE, Metric};
use super::process_metrics::{process_metrics, remember_start};
use super::system_status::SystemStatus;
use crate::AppState;
use domain::clock::Time;
use store::OutboxCounts;
use store::database::maintenance::LastRun;

/// Serves the metrics on `listener` forever.
pub async fn serve(listener: Arc<TcpListener>, app: Arc<AppState>) {
    remember_start();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        let app = app.clone();
        let service = service_fn(move |_| {
            let app = app.clone();
            async move {
                let mut metrics = status(&app).await;
                metrics.extend(figures(&app).await);
                metrics.push(writes(&app));
                metrics.push(bodies(&app));
                metrics.push(downloads(&app));
                metrics.push(reserve(&app));
                metrics.push(streams(&app));
                metrics.extend(received(&app).await);
                metrics.extend(tasks(&app));
                let data = app.data.dir.clone();
                let process = tokio::task::spawn_blocking(move || process_metrics(&data));
                metrics.extend(process.await.unwrap_or_default());
                let mut response = Response::new(Full::new(app.metrics.text(metrics).into()));
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

/// The emails, the backups, the certificate and the disk; empty if the database cannot be read.
async fn status(app: &AppState) -> Vec<Metric> {
    let Ok(status) = SystemStatus::read(app).await else {
        return Vec::new();
    };
    let mut metrics = emails(&status.emails).to_vec();
    metrics.push(Metric::gauge(
        "guardpost_mail_server_failing",
        "1 if the mail server takes no emails.",
        u64::from(status.mail_outage.is_some()),
    ));
    metrics.push(Metric::gauge(
        "guardpost_mailbox_failing",
        "1 if the mailbox of customers' answers cannot be read.",
        u64::from(status.mailbox.is_failing()),
    ));
    metrics.extend(maintenance(&status, app.clock.now()));
    metrics
}

/// Received emails. They are counted in the database, since other processes receive them too.
async fn received(app: &AppState) -> Vec<Metric> {
    let counted = [
        (
            "guardpost_received_emails",
            "Stored emails of customers.",
            app.store.count_received_emails().await,
        ),
        (
            "guardpost_received_emails_pending",
            "Stored emails that are not in a conversation yet.",
            app.store.count_pending_emails().await,
        ),
        (
            "guardpost_received_emails_waiting",
            "Emails of people that belong to no request.",
            app.store
                .count_unmatched()
                .await
                .map(|counts| counts.people),
        ),
    ];
    let known = counted.into_iter().filter_map(|(name, help, count)| {
        let count = count.ok()?;
        Some(Metric::gauge(name, help, count))
    });
    known.collect()
}

/// The emails of the outbox.
fn emails(emails: &OutboxCounts) -> [Metric; 4] {
    [
        (
            "guardpost_outbox_due",
            "Emails that are due for delivery.",
            emails.due,
        ),
        (
            "guardpost_outbox_late",
            "Due emails that have been undelivered for over an hour.",
            emails.late,
        ),
        (
            "guardpost_outbox_failed",
            "Emails that have failed for good; an operator may retry them.",
            emails.failed,
        ),
        (
            "guardpost_outbox_held",
            "Emails held since a restore; an operator may release them.",
            emails.held,
        ),
    ]
    .map(|(name, help, count)| Metric::gauge(name, help, count.unsigned_abs()))
}

/// The last backup, its proof and the last deletion of old requests, the certificate and the disk.
fn maintenance(status: &SystemStatus, now: Time) -> impl Iterator<Item = Metric> {
    let age = |run: Option<&LastRun>| {
        let at = run?.succeeded_at?;
        u64::try_from(now.seconds() - at.seconds()).ok()
    };
    let failed = |run: Option<&LastRun>| Some(u64::from(!run?.ok));
    let (backup, proof) = (status.backup.as_ref(), status.proof.as_ref());
    let retention = status.retention.as_ref();
    let values = [
        (
            "guardpost_backup_age_seconds",
            "Seconds since the last successful backup.",
            age(backup),
        ),
        (
            "guardpost_backup_failed",
            "Whether the last backup has failed.",
            failed(backup),
        ),
        (
            "guardpost_backup_proof_age_seconds",
            "Seconds since a backup was last restored for proof.",
            age(proof),
        ),
        (
            "guardpost_backup_proof_failed",
            "Whether the last proof of a backup has failed.",
            failed(proof),
        ),
        (
            "guardpost_retention_age_seconds",
            "Seconds since old requests were last deleted.",
            age(retention),
        ),
        (
            "guardpost_certificate_days",
            "Days until the certificate expires; 0 once it has.",
            status
                .certificate_days
                .map(|days| u64::try_from(days).unwrap_or(0)),
        ),
        (
            "guardpost_disk_free_bytes",
            "Free bytes on the disk of the data folder.",
            status.disk_free,
        ),
    ];
    let gauge = |(name, help, value): (&'static str, &'static str, Option<u64>)| {
        Some(Metric::gauge(name, help, value?))
    };
    values.into_iter().filter_map(gauge)
}

/// Requests and sign-ins in the database; empty if it cannot be read.
async fn figures(app: &AppState) -> Vec<Metric> {
    let now = app.clock.now();
    let Ok(figures) = app.store.metrics_counts(now).await else {
        return Vec::new();
    };
    let oldest = figures
        .oldest_pending
        .map_or(0, |at| now.seconds() - at.seconds());
    [
        ("guardpost_quotes", "Stored quote requests.", figures.quotes),
        (
            "guardpost_quotes_pending",
            "Quote requests not accepted yet.",
            figures.pending,
        ),
        (
            "guardpost_oldest_pending_seconds",
            "Age of the oldest quote request not accepted yet; 0 without one.",
            u64::try_from(oldest).unwrap_or(0),
        ),
        (
            "guardpost_contact_messages",
            "Stored contact messages.",
            figures.messages,
        ),
        (
            "guardpost_alarms_waiting",
            "Emergencies that nobody has taken for five minutes, and missed test alarms.",
            figures.alarms_waiting,
        ),
        (
            "guardpost_sign_in_failures_hour",
            "Failed sign-ins within the last hour.",
            figures.sign_in_failures,
        ),
    ]
    .map(|(name, help, value)| Metric::gauge(name, help, value))
    .into()
}

/// The writer's queue length.
fn writes(app: &AppState) -> Metric {
    let help = "Writes that have not been committed yet.";
    let waiting = u64::try_from(app.store.pending_writes()).unwrap_or(u64::MAX);
    Metric::gauge("guardpost_writes_waiting", help, waiting)
}

/// Memory held by request bodies.
fn bodies(app: &AppState) -> Metric {
    let held = u64::try_from(app.bodies.held()).unwrap_or(u64::MAX);
    let help = "Memory held by request bodies.";
    Metric::gauge("guardpost_request_body_bytes", help, held)
}

/// Memory held by downloads.
fn downloads(app: &AppState) -> Metric {
    let held = u64::try_from(app.downloads.held()).unwrap_or(u64::MAX);
    let help = "Memory held by downloads.";
    Metric::gauge("guardpost_download_bytes", help, held)
}

/// What is missing of the disk space that is kept for requests.
fn reserve(app: &AppState) -> Metric {
    let help = "Bytes missing of the disk space that is kept for requests.";
    let missing = app.store.missing_reserve();
    Metric::gauge("guardpost_request_reserve_missing_bytes", help, missing)
}

/// The event streams of open dashboards.
fn streams(app: &AppState) -> Metric {
    let open = u64::try_from(app.live.count()).unwrap_or(u64::MAX);
    let help = "Open event streams.";
    Metric::gauge("guardpost_event_streams", help, open)
}

/// The state of the background tasks.
fn tasks(app: &AppState) -> [Metric; 2] {
    let down = u64::try_from(app.tasks.down().len()).unwrap_or(u64::MAX);
    [
        Metric::gauge(
            "guardpost_background_tasks_down",
            "Background tasks that have panicked and not recovered.",
            down,
        ),
        Metric::counter(
            "guardpost_background_restarts_total",
            "Restarts of background tasks after a panic.",
            app.tasks.restarts(),
        ),
    ]
}
