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
                let text = app.metrics.text(&[]);
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
