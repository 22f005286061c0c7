//! The accept loop. `connection` serves each accepted connection.

pub(super) mod access_log;
pub mod certificate_checks;
mod certificate_files;
pub(super) mod connection;
pub(super) mod connection_limits;
pub(super) mod connection_service;
pub mod figures_cache;
pub mod metrics;
pub(super) mod metrics_server;
pub mod runtime_pool;
pub(super) mod server_state;
pub mod system_status;
pub mod timeouts;
pub mod tls;
pub mod to_do;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::AppState;
use connection::{Connection, serve_connection};
use domain::clock::{MINUTE_MS, Time};
use domain::outage::Outage;
use runtime_pool::RuntimePool;
pub use server_state::Routes;
use server_state::ServerState;
use tls::Tls;

/// The longest pause after `accept` fails, as when no file descriptors are left.
const MAX_PAUSE: Duration = Duration::from_secs(1);

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
    /// The next connection of either listener, and whether it came to that of redirects.
    async fn accept(&self) -> (io::Result<(TcpStream, SocketAddr)>, bool) {
        match &self.redirects {
            None => (self.site.accept().await, false),
            Some(redirects) => tokio::select! {
                accepted = self.site.accept() => (accepted, false),
                accepted = redirects.accept() => (accepted, true),
            },
        }
    }
}

/// Prepares to serve on `site`, and starts the metrics server. Requests that are not for a page go
/// to `routes`. Requests on `redirects` are redirected to the site. Fails if the listener has no
/// address, or TLS, the access log or the metrics server cannot be set up.
pub async fn open(
    site: TcpListener,
    redirects: Option<TcpListener>,
    app: Arc<AppState>,
    routes: impl Routes,
) -> anyhow::Result<BoundServer> {
    let state = Arc::new(ServerState::open(app, Box::new(routes), &site)?);
    let metrics = &state.app.server.metrics_listen;
    if !metrics.is_empty() {
        let listener = TcpListener::bind(metrics).await.with_context(|| {
            format!("setting `server.metrics_listen`: cannot listen on {metrics}")
        })?;
        let (listener, app) = (Arc::new(listener), state.app.clone());
        state.app.tasks.spawn("metrics server", move || {
            metrics_server::serve(listener.clone(), app.clone())
        });
    }
    let listeners = Listeners { site, redirects };
    Ok(BoundServer { listeners, state })
}

/// Reloads the files of a running server.
pub struct Reloader(Arc<ServerState>);

impl Reloader {
    /// Reopens the access log at its path and reloads the certificate. After an error, the open
    /// file and the current certificate stay.
    pub fn reload(&self) -> anyhow::Result<()> {
        let log = match &self.0.access_log {
            Some(log) => log.reopen(),
            None => Ok(()),
        };
        let certificate = self.0.tls.as_ref().map_or(Ok(()), Tls::reload);
        log.and(certificate)
    }
}

impl BoundServer {
    /// The handle that reloads its files.
    pub fn reloader(&self) -> Reloader {
        Reloader(self.state.clone())
    }

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
            "fewer open files are allowed than all connections need"
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
    let (mut outage, mut failed_at) = (Outage::default(), Time::from_millis(0));
    loop {
        let (accepted, redirected) = listeners.accept().await;
        match accepted {
            Ok((stream, peer)) => {
                pause = Duration::ZERO;
                if outage.lasts() {
                    let now = state.app.clock.now();
                    // A connection in between, for which another was closed, is no end of it.
                    if now.millis() - failed_at.millis() > MINUTE_MS
                        && let Some((since, failures)) = outage.ended(now)
                    {
                        tracing::info!(%since, failures, "connections can be taken again");
                    }
                }
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
                    .spawn(serve_connection(state, stream, connection, closing));
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                // There may be no file descriptor left.
                state.connections.close_oldest();
                pause = (pause * 2).clamp(Duration::from_millis(50), MAX_PAUSE);
                failed_at = state.app.clock.now();
                if let Some((since, failures)) = outage.failed(failed_at) {
                    tracing::error!(
                        %error, %since, failures,
                        "no connection can be taken; for each, the longest idle one is closed"
                    );
                }
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
