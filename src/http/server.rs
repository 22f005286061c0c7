//! The accept loop on hyper. `PageMap` answers pages at once; all other requests go to the
//! `Router`. Connections, streams, request heads and waiting times are bounded.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use bytes::Bytes;
use futures_util::future::{BoxFuture, Either};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as _, Incoming};
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use poem::http::uri::Scheme;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::access_log::{AccessLog, LogEntry};
use super::client_address::network;
use super::connections::{ConnectionSlot, Connections};
use super::metrics::RouteGroup;
use super::page_map::PageResponse;
use super::runtime_pool::RuntimePool;
use super::stream::{ConnectionStream, HeaderLines};
use super::timeouts::{ConnectionTimer, StreamSlot};
use super::{App, Router, endpoint, html_forms, redirect, security_headers, tls};

/// Maximum length of a request head, in bytes; a longer one gets 431.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// HTTP/2 flow-control window, in bytes. Small, because bodies are small and these bytes are not in
/// the body budget.
const HTTP2_WINDOW: u32 = 64 * 1024;
/// Maximum concurrent HTTP/2 streams per connection.
const MAX_STREAMS: u32 = 64;
/// Streams that a client may open and reset before its connection is closed (CVE-2023-44487).
const MAX_RESETS: usize = 20;
/// The longest pause after `accept` fails, as when no file descriptors are left.
const MAX_PAUSE: Duration = Duration::from_secs(1);

type Body = http_body_util::Either<Full<Bytes>, BoxBody<Bytes, io::Error>>;
type ServiceResult = Result<hyper::Response<Body>, Infallible>;

/// A configured, bound server, ready to accept.
pub struct BoundServer {
    listeners: Listeners,
    state: Arc<ServerState>,
}

/// The sockets of the site.
struct Listeners {
    site: TcpListener,
    redirects: Option<TcpListener>,
}

impl Listeners {
    /// The next connection of either, and whether it is only to be redirected.
    async fn accept(&self) -> io::Result<(TcpStream, SocketAddr, bool)> {
        let (accepted, redirected) = match &self.redirects {
            None => (self.site.accept().await, false),
            Some(redirects) => tokio::select! {
                accepted = self.site.accept() => (accepted, false),
                accepted = redirects.accept() => (accepted, true),
            },
        };
        accepted.map(|(stream, peer)| (stream, peer, redirected))
    }
}

/// Prepares to serve on `site`, and starts the metrics server and the checks of event streams.
/// Requests on `redirects` are redirected to the site.
///
/// # Errors
/// If the listener has no address, or TLS, the access log or the metrics server cannot be set up.
pub async fn open(
    site: TcpListener,
    redirects: Option<TcpListener>,
    app: Arc<App>,
) -> anyhow::Result<BoundServer> {
    let state = Arc::new(ServerState::open(app, &site)?);
    let metrics = &state.app.server.metrics_listen;
    if !metrics.is_empty() {
        let listener = TcpListener::bind(metrics).await.with_context(|| {
            format!("setting `server.metrics_listen`: cannot listen on {metrics}")
        })?;
        let (listener, app) = (Arc::new(listener), state.app.clone());
        state.app.tasks.spawn("metrics server", move || {
            super::metrics_server::serve(listener.clone(), app.clone())
        });
    }
    let app = state.app.clone();
    state
        .app
        .tasks
        .spawn("live streams", move || super::live::run_checks(app.clone()));
    let listeners = Listeners { site, redirects };
    Ok(BoundServer { listeners, state })
}

impl BoundServer {
    /// Serves on the runtimes of `pool` until `stop` completes, then waits up to
    /// `server.shutdown_seconds` for running requests.
    pub async fn serve(self, mut pool: RuntimePool, stop: impl Future<Output = ()>) {
        let Self { listeners, state } = self;
        raise_fd_limit(state.app.server.max_connections);
        let (closing, closed) = watch::channel(false);
        tokio::select! {
            () = accept(&listeners, &mut pool, &state, &closed) => {}
            () = stop => {}
        }
        drop(listeners);
        // Streams end first: graceful shutdown waits for their responses.
        state.app.live.shut_down();
        let _ = closing.send(true);
        let grace = Duration::from_secs(state.app.server.shutdown_seconds.into());
        if timeout(grace, state.connections.wait_until_closed())
            .await
            .is_err()
        {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

/// Raises the limit of file descriptors to one per connection plus a reserve for other files.
fn raise_fd_limit(connections: usize) {
    let wanted = connections as u64 + 100;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return;
    }
    let max = limit.maximum.unwrap_or(wanted).min(wanted);
    let raised = Rlimit {
        current: Some(max),
        ..limit
    };
    if setrlimit(Resource::Nofile, raised).is_err() || max < wanted {
        tracing::warn!(
            max,
            wanted,
            "fewer open files are allowed than `server.max_connections` needs"
        );
    }
}

/// Accepts connections forever, each in its own task.
async fn accept(
    listeners: &Listeners,
    pool: &mut RuntimePool,
    state: &Arc<ServerState>,
    closing: &watch::Receiver<bool>,
) {
    let mut pause = Duration::ZERO;
    loop {
        match listeners.accept().await {
            Ok((stream, peer, redirected)) => {
                pause = Duration::ZERO;
                // Re-registered on its own runtime, the stream wakes no other thread.
                let Ok(stream) = stream.into_std() else {
                    continue;
                };
                let Some(slot) = state.admit(peer).await else {
                    state.app.metrics.connection_rejected();
                    continue;
                };
                let connection = Connection {
                    peer,
                    redirected,
                    slot,
                };
                let (state, closing) = (state.clone(), closing.clone());
                pool.next_runtime()
                    .spawn(state.serve_connection(stream, connection, closing));
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                // There may be no file descriptor left.
                state.connections.close_oldest();
                pause = (pause * 2).clamp(Duration::from_millis(50), MAX_PAUSE);
                tracing::error!(%error, "no connection can be taken; trying again");
                sleep(pause).await;
            }
        }
    }
}

/// Whether the error concerns one connection that was aborted before it was accepted.
fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// An accepted connection.
struct Connection {
    peer: SocketAddr,
    /// Whether its requests are only redirected to https.
    redirected: bool,
    slot: ConnectionSlot,
}

/// State shared by all connections.
struct ServerState {
    app: Arc<App>,
    endpoint: Router,
    http: auto::Builder<TokioExecutor>,
    connections: Arc<Connections>,
    header_lines: HeaderLines,
    access_log: Option<AccessLog>,
    local: LocalAddr,
    /// The site's origin, to which plain requests are redirected.
    origin: String,
    tls: Option<TlsAcceptor>,
}

impl ServerState {
    fn open(app: Arc<App>, listener: &TcpListener) -> anyhow::Result<Self> {
        Ok(Self {
            endpoint: endpoint(app.clone()),
            http: http_builder(),
            connections: Connections::new(
                app.server.max_connections,
                app.limits.connections_per_client,
            ),
            header_lines: HeaderLines::new(app.pages.current().security_headers()),
            access_log: AccessLog::open(&app.server.access_log)?,
            local: LocalAddr(Addr::SocketAddr(listener.local_addr()?)),
            origin: app.server.origin().into_owned(),
            tls: tls::acceptor(&app.server, app.certificates.as_ref(), &app.clock)?,
            app,
        })
    }

    /// The answer to a challenge of the certificate authority, if the path asks for one.
    fn challenge_response(&self, path: &str) -> Option<PageResponse> {
        let text = self.app.certificates.as_ref()?.challenge_text(path)?;
        let mut response = PageResponse::new(Full::new(Bytes::from(text)));
        let plain = HeaderValue::from_static("application/octet-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, plain);
        Some(response)
    }

    /// Waits for a slot for a connection from `peer`; `None` if its client has used its share. A
    /// trusted proxy has no share: it forwards for many clients.
    async fn admit(&self, peer: SocketAddr) -> Option<ConnectionSlot> {
        let (server, address) = (&self.app.server, peer.ip().to_canonical());
        let timer = ConnectionTimer::new(
            Duration::from_secs(server.head_seconds.into()),
            Duration::from_secs(server.idle_seconds.into()),
        );
        let limited = !self.app.addresses.is_trusted_proxy(address);
        self.connections
            .admit(network(address), limited, timer)
            .await
    }

    /// Serves one connection until it is closed. Its slot is freed when this returns.
    async fn serve_connection(
        self: Arc<Self>,
        stream: std::net::TcpStream,
        connection: Connection,
        closing: watch::Receiver<bool>,
    ) {
        let Ok(stream) = TcpStream::from_std(stream) else {
            return;
        };
        // Responses are written whole; Nagle's algorithm would only delay the last packet.
        let _ = stream.set_nodelay(true);
        let timer = connection.slot.timer();
        self.app.metrics.connection_opened();
        let lost = match &self.tls {
            Some(tls) if !connection.redirected => tokio::select! {
                done = tls.accept(stream) => match done {
                    Ok(stream) if tls::is_challenge(&stream) => false,
                    // Boxed: it is larger, and a plain connection would take as much memory.
                    Ok(stream) => Box::pin(self.drive_http(stream, &connection, closing)).await,
                    Err(_) => false,
                },
                () = timer.expired() => true,
            },
            _ => self.drive_http(stream, &connection, closing).await,
        };
        self.app.metrics.connection_closed(lost);
    }

    /// Drives HTTP until the connection is closed or times out; returns whether it timed out.
    async fn drive_http<S>(
        self: &Arc<Self>,
        stream: S,
        connection: &Connection,
        mut closing: watch::Receiver<bool>,
    ) -> bool
    where
        S: AsyncRead + AsyncWrite + Unpin + 'static,
    {
        let timer = connection.slot.timer();
        let caller = ConnectionService {
            state: self.clone(),
            timer: timer.clone(),
            peer: connection.peer,
            redirected: connection.redirected,
        };
        let stream = ConnectionStream::new(stream, timer.clone(), self.header_lines.clone());
        let connection = self.http.serve_connection(TokioIo::new(stream), caller);
        tokio::pin!(connection);
        let mut open = true;
        loop {
            tokio::select! {
                biased;
                _ = connection.as_mut() => return false,
                _ = closing.wait_for(|closing| *closing), if open => {
                    open = false;
                    connection.as_mut().graceful_shutdown();
                }
                () = timer.expired() => return true,
            }
        }
    }

    /// Writes a response's line of the access log.
    fn log_request(
        &self,
        log: &AccessLog,
        method: &Method,
        path: Option<&str>,
        response: &hyper::Response<Body>,
        started: Instant,
    ) {
        log.write(&LogEntry {
            now: self.app.clock.now(),
            method,
            path,
            status: response.status(),
            bytes: body_length(response),
            duration: started.elapsed(),
        });
    }

    async fn dispatch(
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
        let mut response = self.endpoint.get_response(request).await;
        security_headers::apply_default_headers(
            response.headers_mut(),
            self.app.pages.current().security_headers(),
        );
        hyper::Response::<BoxBody<_, _>>::from(response).map(Body::Right)
    }
}

/// Length of a response body in bytes.
fn body_length(response: &hyper::Response<Body>) -> u64 {
    response.body().size_hint().lower()
}

/// Whether a response of the page map belongs to a path of the site.
fn is_site_path(status: StatusCode) -> bool {
    !matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST)
}

fn http_builder() -> auto::Builder<TokioExecutor> {
    let mut http_builder = auto::Builder::new(TokioExecutor::new());
    // `ConnectionTimer` times request heads and idle connections.
    http_builder
        .http1()
        .header_read_timeout(None)
        .max_buf_size(MAX_HEAD_BYTES);
    http_builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEAD_BYTES as u32)
        .initial_stream_window_size(HTTP2_WINDOW)
        .initial_connection_window_size(HTTP2_WINDOW)
        .max_pending_accept_reset_streams(MAX_RESETS);
    http_builder
}

/// The hyper service of one connection.
struct ConnectionService {
    state: Arc<ServerState>,
    timer: Arc<ConnectionTimer>,
    peer: SocketAddr,
    /// Whether requests are only redirected to https.
    redirected: bool,
}

impl Service<hyper::Request<Incoming>> for ConnectionService {
    type Response = hyper::Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<ServiceResult>, BoxFuture<'static, ServiceResult>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        self.timer.head_received();
        let (state, started) = (&self.state, Instant::now());
        let app = &state.app;
        let found = if let Some(proof) = state.challenge_response(request.uri().path()) {
            Some(proof)
        } else if has_valid_target(&request) && self.redirected {
            Some(redirect::response(&state.origin, request.uri()))
        } else if has_valid_target(&request) {
            app.pages
                .current()
                .response(request.method(), request.uri(), request.headers())
        } else {
            let text = "A request names one host and one path.\n";
            Some(
                app.pages
                    .current()
                    .text_response(StatusCode::BAD_REQUEST, text),
            )
        };
        if let Some(found) = found {
            if html_forms::is_form_view(&request) && !self.redirected {
                let client = app.addresses.client(self.peer.ip(), request.headers());
                app.form_views.record(&client.key, app.clock.now());
            }
            let response = found.map(Body::Left);
            self.timer.record_response(body_length(&response));
            app.metrics
                .record_response(RouteGroup::Page, response.status());
            if let Some(log) = &state.access_log {
                let path = is_site_path(response.status()).then(|| request.uri().path());
                state.log_request(log, request.method(), path, &response, started);
            }
            return Either::Left(ready(Ok(response)));
        }
        let Some(running) = self.timer.begin_request() else {
            // The connection is being closed, and this request has not been started.
            let text = "Please send this again on another connection.\n";
            let busy = app
                .pages
                .current()
                .text_response(StatusCode::SERVICE_UNAVAILABLE, text);
            return Either::Left(ready(Ok(busy.map(Body::Left))));
        };
        let (state, peer, timer) = (state.clone(), self.peer, self.timer.clone());
        Either::Right(Box::pin(async move {
            let host_names = state
                .access_log
                .is_some()
                .then(|| (request.method().clone(), request.uri().clone()));
            let mut response = state.clone().dispatch(request, peer).await;
            timer.record_response(body_length(&response));
            state
                .app
                .metrics
                .record_response(RouteGroup::Api, response.status());
            if let (Some(log), Some((method, uri))) = (&state.access_log, host_names) {
                let path = state.endpoint.template(uri.path());
                state.log_request(log, &method, path, &response, started);
            }
            match response.extensions_mut().remove::<StreamSlot>() {
                Some(slot) => slot.hold(ConnectionTimer::begin_stream(running)),
                None => drop(running),
            }
            Ok(response)
        }))
    }
}

/// RFC 9112, section 3.2: an HTTP/1.1 request has exactly one `Host`. Requests to a proxy are
/// rejected.
fn has_valid_target(request: &hyper::Request<Incoming>) -> bool {
    let host_names = host_count(request.headers());
    let valid = match request.version() {
        Version::HTTP_11 => host_names == 1,
        Version::HTTP_2 => {
            host_names <= 1 && (host_names == 1 || request.uri().authority().is_some())
        }
        _ => host_names <= 1,
    };
    valid && request.uri().path().starts_with('/')
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

fn host_count(headers: &HeaderMap) -> usize {
    headers.get_all(header::HOST).iter().count()
}
