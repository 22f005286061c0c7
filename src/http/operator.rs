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
use super::metrics::Gauge;

/// Answers every request on `listener` with the metrics, for ever.
pub async fn serve(listener: TcpListener, app: Arc<App>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_secs(1)).await;
            continue;
        };
        let app = app.clone();
        let service = service_fn(move |_| {
            let app = app.clone();
            async move {
                let mut gauges = outbox(&app).await;
                gauges.push(writes(&app));
                let text = app.metrics.text(&gauges);
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
async fn outbox(app: &App) -> Vec<Gauge> {
    let Ok(counts) = app.store.outbox_counts().await else {
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
            "Of these, letters that nobody could be told of for an hour.",
            counts.late,
        ),
        (
            "guardpost_outbox_failed",
            "Letters given up; an operator may retry them.",
            counts.failed,
        ),
    ]
    .map(|(name, help, count)| (name, help, count.unsigned_abs()))
    .into()
}

/// How busy the writer is.
fn writes(app: &App) -> Gauge {
    let help = "Writes that wait for their commit.";
    let waiting = u64::try_from(app.store.waiting()).unwrap_or(u64::MAX);
    ("guardpost_writes_waiting", help, waiting)
}
