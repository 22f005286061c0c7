//! The state that all connections share. Connections, streams and request heads are bounded.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use poem::http::uri::Scheme;
use poem::http::{HeaderValue, Method, header};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Request, Response};
use tokio::net::TcpListener;

use super::access_log::AccessLog;
use super::connection_limits::{ConnectionSlot, Connections};
use super::timeouts::ConnectionTimer;
use super::tls::{self, Tls};
use crate::AppState;
use crate::pages::page_map::PageResponse;

/// Maximum length of a request head, in bytes; a longer one gets 431.
pub(crate) const MAX_HEAD_BYTES: usize = 16 * 1024;
/// HTTP/2 flow-control window, in bytes. Small, because bodies are small and these bytes are not in
/// the body budget.
const HTTP2_WINDOW: u32 = 64 * 1024;
/// Maximum concurrent HTTP/2 streams per connection.
const MAX_STREAMS: u32 = 64;
/// Bytes of a response buffered by an HTTP/2 stream for a client that reads none, beside the next
/// piece.
const HTTP2_SEND_BUFFER: usize = 16 * 1024;
/// Number of streams that a client may open and reset before its connection is closed
/// (CVE-2023-44487).
const MAX_RESETS: usize = 20;
/// The body of a response: a page of the page map, or the router's answer.
pub(crate) type Body = http_body_util::Either<Full<Bytes>, BoxBody<Bytes, io::Error>>;

/// State shared by all connections.
pub(crate) struct ServerState {
    pub app: Arc<AppState>,
    pub routes: Box<dyn Routes>,
    pub connections: Arc<Connections>,
    pub access_log: Option<AccessLog>,
    /// The site's origin, to which plain requests are redirected.
    pub origin: String,
    pub http1: http1::Builder,
    pub http2: http2::Builder<TokioExecutor>,
    pub tls: Option<Tls>,
    local: LocalAddr,
}

impl ServerState {
    /// Fails if the listener has no address, or TLS or the access log cannot be set up.
    pub(crate) fn open(
        app: Arc<AppState>,
        routes: Box<dyn Routes>,
        listener: &TcpListener,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            routes,
            http1: http1_builder(),
            http2: http2_builder(),
            connections: Connections::new(
                app.server.max_connections,
                app.limits.connections_per_client,
            ),
            access_log: AccessLog::open(&app.server.access_log)?,
            local: LocalAddr(Addr::SocketAddr(listener.local_addr()?)),
            origin: app.server.origin().into_owned(),
            tls: tls::acceptor(&app.server, app.certificates.as_ref(), &app.clock)?,
            app,
        })
    }

    /// The answer to a challenge of the certificate authority, if the path is that of one.
    pub(crate) fn challenge_response(&self, path: &str) -> Option<PageResponse> {
        let text = self.app.certificates.as_ref()?.challenge_text(path)?;
        let mut response = PageResponse::new(Full::new(Bytes::from(text)));
        let plain = HeaderValue::from_static("application/octet-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, plain);
        Some(response)
    }

    /// Waits for a slot for a connection from `peer`; `None` if its client has used its share. A
    /// trusted proxy has no share: it forwards for many clients.
    pub(crate) async fn admit(&self, peer: SocketAddr) -> Option<ConnectionSlot> {
        let (server, address) = (&self.app.server, peer.ip().to_canonical());
        let timer = ConnectionTimer::new(
            Duration::from_secs(server.head_seconds.into()),
            Duration::from_secs(server.idle_seconds.into()),
        );
        let limited = !self.app.addresses.is_trusted_proxy(address);
        self.connections.admit(address, limited, timer).await
    }

    /// Writes a response's line of the access log. `path` is the route template if the path may
    /// contain an id; `None` if the path is unknown.
    pub(crate) fn log_request(
        &self,
        log: &AccessLog,
        method: &Method,
        path: Option<&str>,
        response: &hyper::Response<Body>,
        started: Instant,
    ) {
        let (now, path) = (self.app.clock.now(), path.unwrap_or("-"));
        let (status, bytes) = (response.status().as_u16(), body_length(response));
        let millis = started.elapsed().as_millis();
        log.write(format!("{now} {method} {path} {status} {bytes} {millis}\n"));
    }

    /// Has the router answer a request.
    pub(crate) async fn dispatch(
        self: Arc<Self>,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
    ) -> hyper::Response<Body> {
        let scheme = if self.tls.is_some() {
            Scheme::HTTPS
        } else {
            Scheme::HTTP
        };
        let peer = RemoteAddr(Addr::SocketAddr(peer));
        let request = with_host(request);
        let request = poem::Request::from((request, self.local.clone(), peer, scheme));
        let mut response = self.routes.respond(request).await;
        let pages = self.app.pages.current();
        pages.security_headers().apply_to(response.headers_mut());
        hyper::Response::<BoxBody<_, _>>::from(response).map(Body::Right)
    }
}

/// Length of a response body in bytes.
pub(crate) fn body_length(response: &hyper::Response<Body>) -> u64 {
    let size = response.body().size_hint();
    let header = response.headers().get(header::CONTENT_LENGTH);
    let announced = header.and_then(|length| length.to_str().ok()?.parse().ok());
    size.exact().or(announced).unwrap_or(size.lower())
}

fn http1_builder() -> http1::Builder {
    let mut builder = http1::Builder::new();
    // `ConnectionTimer` times request heads and idle connections.
    builder
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES);
    builder
}

fn http2_builder() -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEAD_BYTES as u32)
        .initial_stream_window_size(HTTP2_WINDOW)
        .initial_connection_window_size(HTTP2_WINDOW)
        .max_send_buf_size(HTTP2_SEND_BUFFER)
        .max_pending_accept_reset_streams(MAX_RESETS);
    builder
}

/// Copies HTTP/2's `:authority` to `Host`, which the handlers read (RFC 9113, section 8.3.1).
fn with_host(mut request: hyper::Request<Incoming>) -> hyper::Request<Incoming> {
    if let Some(authority) = request.uri().authority()
        && !request.headers().contains_key(header::HOST)
        && let Ok(host) = HeaderValue::from_str(authority.as_str())
    {
        request.headers_mut().insert(header::HOST, host);
    }
    request
}

/// What answers requests that are not for a page: the router of the crate `api`.
pub trait Routes: Send + Sync + 'static {
    /// The response to a request.
    fn respond(&self, request: Request) -> BoxFuture<'_, Response>;

    /// The template of the route that matches `path`; `None` if no route does.
    fn template(&self, path: &str) -> Option<&str>;
}
