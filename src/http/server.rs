//! The accept loop. Connections are taken here, on hyper; a page is answered from the map at once, everything else goes to the endpoint.
//! Bounded in every direction: connections, streams, heads, and the time a client may take.

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

use super::access_log::{AccessLog, Entry};
use super::client_address::network;
use super::connections::{Connections, Place};
use super::metrics::RouteGroup;
use super::runtime_pool::RuntimePool;
use super::stream::{HeaderLines, Stream};
use super::timeouts::ConnectionTimer;
use super::{App, Router, endpoint, security_headers, tls};

/// The longest request head, in bytes; longer ones are answered 431.
const HEAD: usize = 32 * 1024;
/// What a client may send on an HTTP/2 connection before it is read, in bytes: bodies are small, and
/// these bytes are in no budget.
const WINDOW: u32 = 64 * 1024;
/// HTTP/2 streams at once on a connection.
const STREAMS: u32 = 64;
/// Streams a client may open and reset before it is taken for an attacker (CVE-2023-44487).
const RESETS: usize = 20;
/// The longest pause after the system refuses a connection (no file descriptors left).
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

type Body = http_body_util::Either<Full<Bytes>, BoxBody<Bytes, io::Error>>;
type Answer = Result<hyper::Response<Body>, Infallible>;

/// Everything that can go wrong with the settings has gone well: connections can be taken.
pub struct BoundServer {
    listener: TcpListener,
    house: Arc<ServerState>,
}

/// Gets ready to serve `listener`; the metrics are served from here on.
///
/// # Errors
/// When the listener has no address, or TLS or the metrics cannot be set up as the settings say.
pub async fn open(listener: TcpListener, app: Arc<App>) -> anyhow::Result<BoundServer> {
    let house = Arc::new(ServerState::open(app, &listener)?);
    let metrics = &house.app.server.metrics_listen;
    if !metrics.is_empty() {
        let listener = TcpListener::bind(metrics).await.with_context(|| {
            format!("setting `server.metrics_listen`: cannot listen on {metrics}")
        })?;
        let (listener, app) = (Arc::new(listener), house.app.clone());
        house.app.tasks.spawn("metrics server", move || {
            super::metrics_server::serve(listener.clone(), app.clone())
        });
    }
    Ok(BoundServer { listener, house })
}

impl BoundServer {
    /// Serves in `rooms` until `stop` is done, then finishes the requests under way within `server.shutdown_seconds`.
    pub async fn serve(self, mut rooms: RuntimePool, stop: impl Future<Output = ()>) {
        let Self { listener, house } = self;
        raise_fd_limit(house.app.server.max_connections);
        let (closing, closed) = watch::channel(false);
        tokio::select! {
            () = accept(&listener, &mut rooms, &house, &closed) => {}
            () = stop => {}
        }
        drop(listener);
        let _ = closing.send(true);
        let patience = Duration::from_secs(house.app.server.shutdown_seconds.into());
        if timeout(patience, house.connections.ended()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

/// Asks the system for a file descriptor for each connection and some for the rest of the house.
fn raise_fd_limit(connections: usize) {
    let wanted = connections as u64 + 100;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return;
    }
    let most = limit.maximum.unwrap_or(wanted).min(wanted);
    let raised = Rlimit {
        current: Some(most),
        ..limit
    };
    if setrlimit(Resource::Nofile, raised).is_err() || most < wanted {
        tracing::warn!(
            most,
            wanted,
            "fewer open files are allowed than `server.max_connections` needs"
        );
    }
}

/// Takes connections for ever, each into a task of its own.
async fn accept(
    listener: &TcpListener,
    rooms: &mut RuntimePool,
    house: &Arc<ServerState>,
    closing: &watch::Receiver<bool>,
) {
    let mut pause = Duration::ZERO;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                pause = Duration::ZERO;
                // From here on the stream wakes the thread of its room and no other.
                let Ok(stream) = stream.into_std() else {
                    continue;
                };
                let Some(place) = house.admit(peer).await else {
                    house.app.metrics.refused();
                    continue;
                };
                rooms.next_runtime().spawn(house.clone().tend(
                    stream,
                    peer,
                    place,
                    closing.clone(),
                ));
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                // There may be no file descriptor left.
                house.connections.close_oldest();
                pause = (pause * 2).clamp(Duration::from_millis(50), LONGEST_PAUSE);
                tracing::error!(%error, "no connection can be taken; trying again");
                sleep(pause).await;
            }
        }
    }
}

/// Errors of one connection that was given up before it was taken; the next one is fine.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// What every connection needs.
struct ServerState {
    app: Arc<App>,
    endpoint: Router,
    http: auto::Builder<TokioExecutor>,
    connections: Arc<Connections>,
    lines: HeaderLines,
    access_log: Option<AccessLog>,
    local: LocalAddr,
    tls: Option<TlsAcceptor>,
}

impl ServerState {
    fn open(app: Arc<App>, listener: &TcpListener) -> anyhow::Result<Self> {
        Ok(Self {
            endpoint: endpoint(app.clone()),
            http: builder(),
            connections: Connections::new(
                app.server.max_connections,
                app.limits.connections_per_client,
            ),
            lines: HeaderLines::new(app.pages.security()),
            access_log: AccessLog::open(&app.server.access_log)?,
            local: LocalAddr(Addr::SocketAddr(listener.local_addr()?)),
            tls: tls::acceptor(&app.server, &app.clock)?,
            app,
        })
    }

    /// A place for a connection from `peer`, or none if its share is taken. A trusted proxy has no
    /// share: it speaks for many clients.
    async fn admit(&self, peer: SocketAddr) -> Option<Place> {
        let (server, address) = (&self.app.server, peer.ip().to_canonical());
        let pace = ConnectionTimer::new(
            Duration::from_secs(server.head_seconds.into()),
            Duration::from_secs(server.idle_seconds.into()),
        );
        let limited = !self.app.addresses.trusts(address);
        self.connections
            .admit(network(address), limited, pace)
            .await
    }

    /// One connection, from the first byte to the last. Its place is free when this ends.
    async fn tend(
        self: Arc<Self>,
        stream: std::net::TcpStream,
        peer: SocketAddr,
        place: Place,
        closing: watch::Receiver<bool>,
    ) {
        let Ok(stream) = TcpStream::from_std(stream) else {
            return;
        };
        // Answers are written whole; waiting for more to send only delays the last packet.
        let _ = stream.set_nodelay(true);
        let pace = place.pace();
        self.app.metrics.opened();
        let lost = match &self.tls {
            None => self.speak(stream, peer, pace, closing).await,
            Some(tls) => tokio::select! {
                done = tls.accept(stream) => match done {
                    Ok(stream) => self.speak(stream, peer, pace, closing).await,
                    Err(_) => false,
                },
                () = pace.lost() => true,
            },
        };
        self.app.metrics.closed(lost);
    }

    /// HTTP until the client or our patience ends it; says whether it was our patience.
    async fn speak<S>(
        self: &Arc<Self>,
        stream: S,
        peer: SocketAddr,
        pace: &Arc<ConnectionTimer>,
        mut closing: watch::Receiver<bool>,
    ) -> bool
    where
        S: AsyncRead + AsyncWrite + Unpin + 'static,
    {
        let caller = Caller {
            house: self.clone(),
            pace: pace.clone(),
            peer,
        };
        let stream = Stream::new(stream, pace.clone(), self.lines.clone());
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
                () = pace.lost() => return true,
            }
        }
    }

    /// Writes the access log's line for an answer.
    fn log(
        &self,
        log: &AccessLog,
        method: &Method,
        path: Option<&str>,
        answer: &hyper::Response<Body>,
        begun: Instant,
    ) {
        log.write(&Entry {
            now: self.app.clock.now(),
            method,
            path,
            status: answer.status(),
            bytes: length(answer),
            took: begun.elapsed(),
        });
    }

    async fn call(
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
        security_headers::complete(response.headers_mut(), self.app.pages.security());
        hyper::Response::<BoxBody<_, _>>::from(response).map(Body::Right)
    }
}

/// Bytes of an answer's body.
fn length(answer: &hyper::Response<Body>) -> u64 {
    answer.body().size_hint().lower()
}

/// Whether the path of a request that the pages answered is one of ours.
fn is_known(status: StatusCode) -> bool {
    !matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST)
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // `Pace` times heads and idle connections.
    builder.http1().header_read_timeout(None).max_buf_size(HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEAD as u32)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .max_pending_accept_reset_streams(RESETS);
    builder
}

/// Answers the requests of one connection.
struct Caller {
    house: Arc<ServerState>,
    pace: Arc<ConnectionTimer>,
    peer: SocketAddr,
}

impl Service<hyper::Request<Incoming>> for Caller {
    type Response = hyper::Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<Answer>, BoxFuture<'static, Answer>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        self.pace.spoken();
        let (house, begun) = (&self.house, Instant::now());
        let app = &house.app;
        let page = if is_addressed(&request) {
            app.pages
                .answer(request.method(), request.uri(), request.headers())
        } else {
            let text = "A request names one host and one path.\n";
            Some(app.pages.short(StatusCode::BAD_REQUEST, text))
        };
        if let Some(page) = page {
            let answer = page.map(Body::Left);
            self.pace.answered(length(&answer));
            app.metrics.answered(RouteGroup::Page, answer.status());
            if let Some(log) = &house.access_log {
                let path = is_known(answer.status()).then(|| request.uri().path());
                house.log(log, request.method(), path, &answer, begun);
            }
            return Either::Left(ready(Ok(answer)));
        }
        let Some(running) = self.pace.running() else {
            // The connection is being closed, and nothing of this request was begun.
            let text = "Please send this again on another connection.\n";
            let busy = app.pages.short(StatusCode::SERVICE_UNAVAILABLE, text);
            return Either::Left(ready(Ok(busy.map(Body::Left))));
        };
        let (house, peer, pace) = (house.clone(), self.peer, self.pace.clone());
        Either::Right(Box::pin(async move {
            let named = house
                .access_log
                .is_some()
                .then(|| (request.method().clone(), request.uri().clone()));
            let answer = house.clone().call(request, peer).await;
            pace.answered(length(&answer));
            house
                .app
                .metrics
                .answered(RouteGroup::Call, answer.status());
            if let (Some(log), Some((method, uri))) = (&house.access_log, named) {
                let path = house.endpoint.template(uri.path());
                house.log(log, &method, path, &answer, begun);
            }
            drop(running);
            Ok(answer)
        }))
    }
}

/// RFC 9112 section 3.2: an HTTP/1.1 request names its host once; and we are nobody's proxy.
fn is_addressed(request: &hyper::Request<Incoming>) -> bool {
    let named = hosts(request.headers());
    let enough = match request.version() {
        Version::HTTP_11 => named == 1,
        Version::HTTP_2 => named <= 1 && (named == 1 || request.uri().authority().is_some()),
        _ => named <= 1,
    };
    enough && request.uri().path().starts_with('/')
}

/// HTTP/2 names the host in `:authority`; the handlers look for it in `Host` (RFC 9113 section 8.3.1).
fn with_host(mut request: hyper::Request<Incoming>) -> hyper::Request<Incoming> {
    if let Some(authority) = request.uri().authority()
        && !request.headers().contains_key(header::HOST)
        && let Ok(host) = HeaderValue::from_str(authority.as_str())
    {
        request.headers_mut().insert(header::HOST, host);
    }
    request
}

fn hosts(headers: &HeaderMap) -> usize {
    headers.get_all(header::HOST).iter().count()
}
