//! A separate listener for metrics alone, so that they are not on the public address.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Response;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::App;
use super::metrics::Metric;

/// Serves the metrics on `listener` forever.
pub async fn serve(listener: Arc<TcpListener>, app: Arc<App>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        let app = app.clone();
        let service = service_fn(move |_| {
            let app = app.clone();
            async move {
                let mut metrics = outbox(&app).await;
                metrics.push(writes(&app));
                metrics.push(bodies(&app));
                metrics.extend(tasks(&app));
                let text = app.metrics.text(&metrics);
                Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(text))))
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

/// The outbox metrics; empty if the database cannot be read.
async fn outbox(app: &App) -> Vec<Metric> {
    let Ok(counts) = app.store.outbox_counts(app.clock.now()).await else {
        return Vec::new();
    };
    [
        (
            "guardpost_outbox_due",
            "Outbox messages due for delivery.",
            counts.due,
        ),
        (
            "guardpost_outbox_late",
            "Due emails that have been undelivered for over an hour.",
            counts.late,
        ),
        (
            "guardpost_outbox_failed",
            "Outbox messages that have failed for good; an operator may retry them.",
            counts.failed,
        ),
    ]
    .map(|(name, help, count)| (name, help, "gauge", count.unsigned_abs()))
    .into()
}

/// The writer's queue length.
fn writes(app: &App) -> Metric {
    let help = "Writes that have not been committed yet.";
    let waiting = u64::try_from(app.store.pending_writes()).unwrap_or(u64::MAX);
    ("guardpost_writes_waiting", help, "gauge", waiting)
}

/// Memory held by request bodies.
fn bodies(app: &App) -> Metric {
    let held = u64::try_from(app.bodies.held()).unwrap_or(u64::MAX);
    let help = "Memory held by request bodies.";
    ("guardpost_request_body_bytes", help, "gauge", held)
}

/// The state of the background tasks.
fn tasks(app: &App) -> [Metric; 2] {
    let down = u64::try_from(app.tasks.down().len()).unwrap_or(u64::MAX);
    [
        (
            "guardpost_background_tasks_down",
            "Background tasks that have panicked and not recovered.",
            "gauge",
            down,
        ),
        (
            "guardpost_background_restarts_total",
            "Restarts of background tasks after a panic.",
            "counter",
            app.tasks.restarts(),
        ),
    ]
}
