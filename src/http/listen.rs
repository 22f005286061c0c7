//! The accept loop. Connections are taken here, on hyper; a page is answered from the map at once, everything else goes to the endpoint.
//! Bounded in every direction: connections, streams, heads, and the time a client may take.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use futures_util::future::{BoxFuture, Either};
use http_body_util::Full;
use http_body_util::combinators::BoxBody;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use poem::http::uri::Scheme;
use poem::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;

use super::metrics::Door;
use super::pace::{Pace, Paced};
use super::rooms::Rooms;
use super::{App, Doors, endpoint, headers, tls};

/// The longest request head, in bytes; longer ones are answered 431.
const HEAD: usize = 32 * 1024;
/// HTTP/2 streams at once on a connection.
const STREAMS: u32 = 64;
/// Streams a client may open and reset before it is taken for an attacker (CVE-2023-44487).
const RESETS: usize = 20;
/// The longest pause after the system refuses a connection (no file descriptors left).
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

type Body = http_body_util::Either<Full<Bytes>, BoxBody<Bytes, io::Error>>;
type Answer = Result<hyper::Response<Body>, Infallible>;

/// Everything that can go wrong with the settings has gone well: connections can be taken.
pub struct Listening {
    listener: TcpListener,
    house: Arc<House>,
}

/// Gets ready to serve `listener`; the metrics are served from here on.
///
/// # Errors
/// When the listener has no address, or TLS or the metrics cannot be set up as the settings say.
pub async fn open(listener: TcpListener, app: Arc<App>) -> anyhow::Result<Listening> {
    let house = Arc::new(House::open(app, &listener)?);
    let metrics = &house.app.server.metrics_listen;
    if !metrics.is_empty() {
        let listener = TcpListener::bind(metrics).await.with_context(|| {
            format!("setting `server.metrics_listen`: cannot listen on {metrics}")
        })?;
        let (listener, app) = (Arc::new(listener), house.app.clone());
        house.app.tasks.spawn("metrics server", move || {
            super::operator::serve(listener.clone(), app.clone())
        });
    }
    Ok(Listening { listener, house })
}

impl Listening {
    /// Serves in `rooms` until `stop` is done, then finishes the requests under way within `server.shutdown_seconds`.
    pub async fn serve(self, mut rooms: Rooms, stop: impl Future<Output = ()>) {
        let Self { listener, house } = self;
        make_room(house.app.server.max_connections);
        let places = u32::try_from(house.app.server.max_connections).unwrap_or(u32::MAX);
        let free = Arc::new(Semaphore::new(house.app.server.max_connections));
        let (closing, closed) = watch::channel(false);
        tokio::select! {
            () = accept(&listener, &mut rooms, &house, &free, &closed) => {}
            () = stop => {}
        }
        drop(listener);
        let _ = closing.send(true);
        let patience = Duration::from_secs(house.app.server.shutdown_seconds.into());
        if timeout(patience, free.acquire_many(places)).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
    }
}

/// Asks the system for a file descriptor for each connection and some for the rest of the house.
fn make_room(connections: usize) {
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
    rooms: &mut Rooms,
    house: &Arc<House>,
    free: &Arc<Semaphore>,
    closing: &watch::Receiver<bool>,
) {
    let mut pause = Duration::ZERO;
    loop {
        let Ok(place) = free.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, peer)) => {
                pause = Duration::ZERO;
                // From here on the stream wakes the thread of its room and no other.
                let Ok(stream) = stream.into_std() else {
                    continue;
                };
                rooms
                    .in_turn()
                    .spawn(house.clone().tend(stream, peer, place, closing.clone()));
            }
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
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
struct House {
    app: Arc<App>,
    endpoint: Doors,
    http: auto::Builder<TokioExecutor>,
    local: LocalAddr,
    tls: Option<TlsAcceptor>,
}

impl House {
    fn open(app: Arc<App>, listener: &TcpListener) -> anyhow::Result<Self> {
        Ok(Self {
            endpoint: endpoint(app.clone()),
            http: builder(),
            local: LocalAddr(Addr::SocketAddr(listener.local_addr()?)),
            tls: tls::acceptor(&app.server, &app.clock)?,
            app,
        })
    }

    /// One connection, from the first byte to the last. Its place is free when this ends.
    async fn tend(
        self: Arc<Self>,
        stream: std::net::TcpStream,
        peer: SocketAddr,
        _place: OwnedSemaphorePermit,
        closing: watch::Receiver<bool>,
    ) {
        let Ok(stream) = TcpStream::from_std(stream) else {
            return;
        };
        // Answers are written whole; waiting for more to send only delays the last packet.
        let _ = stream.set_nodelay(true);
        let pace = Pace::new(Duration::from_secs(self.app.server.head_seconds.into()));
        self.app.metrics.opened();
        let lost = match &self.tls {
            None => self.speak(stream, peer, &pace, closing).await,
            Some(tls) => tokio::select! {
                done = tls.accept(stream) => match done {
                    Ok(stream) => self.speak(stream, peer, &pace, closing).await,
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
        pace: &Arc<Pace>,
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
        let stream = TokioIo::new(Paced::new(stream, pace.clone()));
        let connection = self.http.serve_connection(stream, caller);
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
        headers::complete(response.headers_mut(), self.app.pages.security());
        hyper::Response::<BoxBody<_, _>>::from(response).map(Body::Right)
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // `Pace` watches over heads and idle connections.
    builder.http1().header_read_timeout(None).max_buf_size(HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEAD as u32)
        .max_pending_accept_reset_streams(RESETS);
    builder
}

/// Answers the requests of one connection.
struct Caller {
    house: Arc<House>,
    pace: Arc<Pace>,
    peer: SocketAddr,
}

impl Service<hyper::Request<Incoming>> for Caller {
    type Response = hyper::Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<Answer>, BoxFuture<'static, Answer>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        self.pace.spoken();
        let app = &self.house.app;
        let page = if is_addressed(&request) {
            app.pages
                .answer(request.method(), request.uri(), request.headers())
        } else {
            let text = "A request names one host and one path.\n";
            Some(app.pages.short(StatusCode::BAD_REQUEST, text))
        };
        if let Some(page) = page {
            app.metrics.answered(Door::Page, page.status());
            return Either::Left(ready(Ok(page.map(Body::Left))));
        }
        let (house, peer, running) = (self.house.clone(), self.peer, self.pace.running());
        Either::Right(Box::pin(async move {
            let answer = house.clone().call(request, peer).await;
            house.app.metrics.answered(Door::Call, answer.status());
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
