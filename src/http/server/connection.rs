//! One connection: TLS, HTTP/1.1 or HTTP/2, and its timeouts. `connection_service` answers its
//! requests.

use std::net::SocketAddr;
use std::ops::DerefMut;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_util::io::InspectWriter;

use super::connection_limits::ConnectionSlot;
use super::connection_service::ConnectionService;
use super::server_state::ServerState;
use super::timeouts::ConnectionTimer;
use super::tls;

/// The first bytes of an HTTP/2 connection, which no HTTP/1.1 request has.
const PREFACE: &[u8; 3] = b"PRI";
/// Polling interval for the rest of the preface.
const PREFACE_POLL: Duration = Duration::from_millis(10);

/// An accepted connection.
pub(crate) struct Connection {
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
pub(crate) fn serve_connection(
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
        let lost = match state.tls.as_ref().map(|tls| &tls.acceptor) {
            Some(tls) if !connection.redirected => {
                // Boxed: its future is larger, and a plain connection would take as much memory.
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

/// Whether a connection without TLS starts with HTTP/2.
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

/// Whether a plain connection starts with the preface of HTTP/2 (RFC 9113, section 3.4). Its bytes
/// stay unread.
async fn begins_as_http2(stream: &TcpStream) -> bool {
    let mut first = [0; 3];
    loop {
        match stream.peek(&mut first).await {
            Ok(3) => return first == *PREFACE,
            // A socket with unread bytes is always readable: the rest has to be polled for.
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
    let written = timer.clone();
    let stream = InspectWriter::new(stream, move |bytes: &[u8]| {
        written.record_write(bytes.len() as u64);
    });
    let stream = TokioIo::new(stream);
    if is_http2 {
        // Boxed: its future is larger, and an HTTP/1.1 connection would take as much memory.
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
