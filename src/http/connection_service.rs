//! One connection: TLS, HTTP/1.1 or HTTP/2, its timeouts, and the hyper service that answers its
//! requests. `PageMap` answers pages at once; all other requests go to the `Router`.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::ops::DerefMut;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, Either};
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use poem::http::{HeaderMap, StatusCode, Version, header};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;

use super::connections::ConnectionSlot;
use super::metrics::RouteGroup;
use super::page_map::PageResponse;
use super::server_state::{Body, ServerState, body_length};
use super::stream::ConnectionStream;
use super::timeouts::{ConnectionTimer, StreamSlot};
use super::{html_forms, redirect, tls};

/// The first bytes of a connection of HTTP/2, as of no request of HTTP/1.1.
const PREFACE: &[u8; 3] = b"PRI";
/// Interval at which the rest of the preface is looked for.
const PREFACE_POLL: Duration = Duration::from_millis(10);

type ServiceResult = Result<hyper::Response<Body>, Infallible>;

/// An accepted connection.
pub(super) struct Connection {
    pub peer: SocketAddr,
    /// Whether its requests are only redirected to https.
    pub redirected: bool,
    pub slot: ConnectionSlot,
}

/// Serves one connection until it is closed. Its slot is freed when this returns.
#[expect(
    clippy::manual_async_fn,
    reason = "an `async fn` holds its arguments twice, for each open connection"
)]
pub(super) fn serve_connection(
    state: Arc<ServerState>,
    stream: std::net::TcpStream,
    connection: Connection,
    mut closing: watch::Receiver<bool>,
) -> impl Future<Output = ()> {
    async move {
        let Ok(stream) = TcpStream::from_std(stream) else {
            return;
        };
        // Responses are written whole; Nagle's algorithm would only delay the last packet.
        let _ = stream.set_nodelay(true);
        state.app.metrics.connection_opened();
        let lost = match &state.tls {
            Some(tls) if !connection.redirected => {
                // Boxed: it is larger, and a plain connection would take as much memory.
                Box::pin(serve_tls(tls, stream, &state, &connection, &mut closing)).await
            }
            _ => match find_version(&stream, &connection, &mut closing).await {
                Ok(is_http2) => {
                    drive_http(is_http2, stream, &state, &connection, &mut closing).await
                }
                Err(lost) => lost,
            },
        };
        state.app.metrics.connection_closed(lost);
    }
}

/// Serves a connection with TLS; returns whether it timed out.
async fn serve_tls(
    tls: &TlsAcceptor,
    stream: TcpStream,
    state: &Arc<ServerState>,
    connection: &Connection,
    closing: &mut watch::Receiver<bool>,
) -> bool {
    let accepted = tokio::select! {
        accepted = tls.accept(stream) => accepted,
        () = connection.slot.timer().expired() => return true,
    };
    match accepted {
        Ok(stream) if !tls::is_challenge(&stream) => {
            let is_http2 = tls::is_http2(&stream);
            drive_http(is_http2, stream, state, connection, closing).await
        }
        _ => false,
    }
}

/// Whether the first request on a connection without TLS is one of HTTP/2.
///
/// # Errors
/// Whether the connection timed out, if it ended before its first request.
async fn find_version(
    stream: &TcpStream,
    connection: &Connection,
    closing: &mut watch::Receiver<bool>,
) -> Result<bool, bool> {
    tokio::select! {
        biased;
        is_http2 = begins_as_http2(stream) => Ok(is_http2),
        () = closed(closing) => Err(false),
        () = connection.slot.timer().expired() => Err(true),
    }
}

/// Completes when the server stops.
async fn closed(closing: &mut watch::Receiver<bool>) {
    // Without a sender, the server has stopped.
    let _ = closing.wait_for(|closing| *closing).await;
}

/// Whether a plain connection begins as one of HTTP/2 does (RFC 9113, section 3.4). Its bytes stay
/// unread.
async fn begins_as_http2(stream: &TcpStream) -> bool {
    let mut first = [0; 3];
    loop {
        match stream.peek(&mut first).await {
            Ok(3) => return first == *PREFACE,
            // A socket with unread bytes is always ready to be read: the rest has to be polled for.
            Ok(read @ 1..) if first[..read] == PREFACE[..read] => sleep(PREFACE_POLL).await,
            _ => return false,
        }
    }
}

/// Serves a version of HTTP until the connection is closed or times out; returns whether it timed
/// out.
async fn drive_http<S>(
    is_http2: bool,
    stream: S,
    state: &Arc<ServerState>,
    connection: &Connection,
    closing: &mut watch::Receiver<bool>,
) -> bool
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let timer = connection.slot.timer();
    let service = ConnectionService {
        state: state.clone(),
        timer: timer.clone(),
        peer: connection.peer,
        redirected: connection.redirected,
    };
    let stream = ConnectionStream::new(stream, timer.clone(), state.header_lines.clone());
    let stream = TokioIo::new(stream);
    if is_http2 {
        // Boxed: it is larger, and one of HTTP/1.1 would take as much memory.
        let connection = Box::pin(state.http2.serve_connection(stream, service));
        drive(connection, timer, closing).await
    } else {
        let connection = pin!(state.http1.serve_connection(stream, service));
        drive(connection, timer, closing).await
    }
}

/// Drives `connection` until it is closed or times out; returns whether it timed out. When the
/// server stops, it ends after the running request.
async fn drive<C: GracefulConnection>(
    mut connection: Pin<impl DerefMut<Target = C>>,
    timer: &ConnectionTimer,
    closing: &mut watch::Receiver<bool>,
) -> bool {
    let mut open = true;
    loop {
        tokio::select! {
            biased;
            _ = connection.as_mut() => return false,
            () = closed(closing), if open => {
                open = false;
                connection.as_mut().graceful_shutdown();
            }
            () = timer.expired() => return true,
        }
    }
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
        // The clock is read only for the log.
        let started = self.state.access_log.is_some().then(Instant::now);
        self.timer.head_received();
        if let Some(found) = self.find_page(&request) {
            let response = self.page_response(&request, found, started);
            return Either::Left(ready(Ok(response)));
        }
        let Some(running) = self.timer.begin_request() else {
            // The connection is being closed, and this request has not been started.
            let text = "Please send this again on another connection.\n";
            let pages = self.state.app.pages.current();
            let busy = pages.text_response(StatusCode::SERVICE_UNAVAILABLE, text);
            return Either::Left(ready(Ok(busy.map(Body::Left))));
        };
        let (state, peer, timer) = (self.state.clone(), self.peer, self.timer.clone());
        Either::Right(Box::pin(async move {
            let logged =
                started.map(|started| (started, request.method().clone(), request.uri().clone()));
            let mut response = state.clone().dispatch(request, peer).await;
            timer.record_response(body_length(&response));
            let metrics = &state.app.metrics;
            metrics.record_response(RouteGroup::Api, response.status());
            if let (Some(log), Some((started, method, uri))) = (&state.access_log, logged) {
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

impl ConnectionService {
    /// The response to a request that needs no handler: for a challenge, a redirect, a page, or a
    /// request without a valid target.
    fn find_page(&self, request: &hyper::Request<Incoming>) -> Option<PageResponse> {
        let (state, uri) = (&self.state, request.uri());
        let proof = state.challenge_response(uri.path());
        if proof.is_some() {
            return proof;
        }
        if !has_valid_target(request) {
            let text = "A request names one host and one path.\n";
            let pages = state.app.pages.current();
            return Some(pages.text_response(StatusCode::BAD_REQUEST, text));
        }
        if self.redirected {
            return Some(redirect::response(&state.origin, uri));
        }
        let pages = state.app.pages.current();
        pages.response(request.method(), uri, request.headers())
    }

    /// Records and logs the response of a page.
    fn page_response(
        &self,
        request: &hyper::Request<Incoming>,
        found: PageResponse,
        started: Option<Instant>,
    ) -> hyper::Response<Body> {
        let (state, app) = (&self.state, &self.state.app);
        if html_forms::is_form_view(request) && !self.redirected {
            let client = app.addresses.client(self.peer.ip(), request.headers());
            app.form_views.record(&client.key, app.clock.now());
        }
        let response = found.map(Body::Left);
        self.timer.record_response(body_length(&response));
        app.metrics
            .record_response(RouteGroup::Page, response.status());
        if let (Some(log), Some(started)) = (&state.access_log, started) {
            let path = is_site_path(response.status()).then(|| request.uri().path());
            state.log_request(log, request.method(), path, &response, started);
        }
        response
    }
}

/// Whether a response of the page map belongs to a path of the site.
fn is_site_path(status: StatusCode) -> bool {
    !matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST)
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

fn host_count(headers: &HeaderMap) -> usize {
    headers.get_all(header::HOST).iter().count()
}
