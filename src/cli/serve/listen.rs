//! The listening sockets: bound to the addresses of the settings, or passed by systemd.

use std::io::ErrorKind;
use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use listenfd::ListenFd;
use tokio::net::TcpListener;

use config::Config;

/// Listens on the addresses of the settings; or takes the sockets that systemd has opened before
/// the start: that of the site, then that of plain HTTP. Those stay open while a server is
/// replaced.
pub(super) async fn listen(config: &mut Config) -> Result<(TcpListener, Option<TcpListener>)> {
    let mut passed = passed_sockets()?.into_iter();
    let server = &mut config.server;
    let listener = match passed.next() {
        Some(listener) => listener,
        None => TcpListener::bind(server.listen)
            .await
            .map_err(|error| explain_bind_error(server.listen, &error))?,
    };
    server.listen = listener.local_addr()?;
    let redirects = match passed.next() {
        Some(redirects) if server.speaks_tls() => Some(redirects),
        Some(_) => bail!(
            "systemd passes a second socket, for plain HTTP beside TLS, but the server does not \
             speak TLS: remove its ListenStream"
        ),
        None => http::pages::redirect::listen(server).await?,
    };
    Ok((listener, redirects))
}

/// The listening sockets of sd_listen_fds(3).
fn passed_sockets() -> Result<Vec<TcpListener>> {
    let mut passed = ListenFd::from_env();
    let mut sockets = Vec::new();
    for at in 0..passed.len() {
        let socket = passed.take_tcp_listener(at);
        let socket = socket.with_context(|| format!("socket {} is no TCP listener", at + 1));
        if let Some(socket) = socket.context("the sockets of systemd")? {
            socket.set_nonblocking(true)?;
            sockets.push(TcpListener::from_std(socket)?);
        }
    }
    Ok(sockets)
}

/// Describes why the address cannot be bound, and how to fix it.
fn explain_bind_error(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let help = match error.kind() {
        ErrorKind::AddrInUse => {
            "; the port is in use, perhaps by another guardpost. Stop that program, or choose \
             another port with --listen or server.listen"
        }
        ErrorKind::AddrNotAvailable => {
            "; this host has no such address. Use 0.0.0.0 for all of its addresses"
        }
        ErrorKind::PermissionDenied => {
            "; ports below 1024 require the capability CAP_NET_BIND_SERVICE"
        }
        _ => "",
    };
    anyhow!("cannot listen on {address}: {error}{help}")
}
