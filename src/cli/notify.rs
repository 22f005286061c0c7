//! Tells systemd when the server is ready, alive and stopping (sd_notify(3)).

use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use crate::store::Store;

/// The socket of the service manager; `None` if there is no service manager.
pub(super) struct Notifier(Option<(UnixDatagram, SocketAddr)>);

impl Notifier {
    /// The socket named by `NOTIFY_SOCKET`.
    pub(super) fn from_environment() -> Self {
        let Some(name) = std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
            return Self(None);
        };
        let address = match name.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
            path => SocketAddr::from_pathname(std::ffi::OsStr::from_bytes(path)),
        };
        let opened = address.and_then(|address| Ok((UnixDatagram::unbound()?, address)));
        match opened {
            Ok(opened) => Self(Some(opened)),
            Err(error) => {
                tracing::warn!(%error, "cannot open the socket of the service manager");
                Self(None)
            }
        }
    }

    /// Sends `state`, as in `READY=1`.
    pub(super) fn send(&self, state: &str) {
        if let Some((socket, address)) = &self.0
            && let Err(error) = socket.send_to_addr(state.as_bytes(), address)
        {
            tracing::warn!(%error, "cannot notify the service manager");
        }
    }

    /// Sends a sign of life at half of the interval that the service manager expects
    /// (`WATCHDOG_USEC`), as long as the database answers; returns at once if it expects none.
    pub(super) async fn run_watchdog(&self, store: Store) {
        let micros = std::env::var_os("WATCHDOG_USEC")
            .and_then(|micros| micros.to_str()?.parse::<u64>().ok())
            .filter(|micros| *micros > 0);
        let (Some(micros), true) = (micros, self.0.is_some()) else {
            return;
        };
        loop {
            // A full disk or a damaged page is not mended by a restart, so only an answer counts.
            let _ = store.ready().await;
            self.send("WATCHDOG=1");
            tokio::time::sleep(Duration::from_micros(micros) / 2).await;
        }
    }
}
