//! The operator's own listener: metrics, and nothing else. Kept off the public address.

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
use super::metrics::Figure;

/// Answers every request on `listener` with the metrics, for ever.
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
                let mut figures = outbox(&app).await;
                figures.push(writes(&app));
                figures.push(bodies(&app));
                figures.extend(tasks(&app));
                let text = app.metrics.text(&figures);
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

/// How the outbox stands; nothing where the database cannot say so.
async fn outbox(app: &App) -> Vec<Figure> {
    let Ok(counts) = app.store.outbox_counts(app.clock.now()).await else {
        return Vec::new();
    };
    [
        (
            "guardpost_outbox_due",
            "Letters that wait for a try.",
            counts.due,
        ),
        (
            "guardpost_outbox_late",
            "Of these, emails that have waited for over an hour.",
            counts.late,
        ),
        (
            "guardpost_outbox_failed",
            "Letters given up; an operator may retry them.",
            counts.failed,
        ),
    ]
    .map(|(name, help, count)| (name, help, "gauge", count.unsigned_abs()))
    .into()
}

/// How busy the writer is.
fn writes(app: &App) -> Figure {
    let help = "Writes that wait for their commit.";
    let waiting = u64::try_from(app.store.pending_writes()).unwrap_or(u64::MAX);
    ("guardpost_writes_waiting", help, "gauge", waiting)
}

/// How much memory request bodies take.
fn bodies(app: &App) -> Figure {
    let held = u64::try_from(app.bodies.held()).unwrap_or(u64::MAX);
    let help = "Memory held by request bodies.";
    ("guardpost_request_body_bytes", help, "gauge", held)
}

/// How the background tasks are.
fn tasks(app: &App) -> [Figure; 2] {
    let down = u64::try_from(app.tasks.down().len()).unwrap_or(u64::MAX);
    [
        (
            "guardpost_background_tasks_down",
            "Background tasks that panicked and have not recovered.",
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
