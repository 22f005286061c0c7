//! Notifies systemd that the server is ready, alive or stopping (sd_notify(3)).

use sd_notify::NotifyState;

use store::Store;

/// Sends `state` to the service manager, if there is one.
pub(in crate::cli) fn send(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}

/// Sends a keep-alive at half of the interval that the service manager expects, as long as the
/// database answers. Returns at once if it expects none.
pub(in crate::cli) async fn run_watchdog(store: Store) {
    let Some(interval) = sd_notify::watchdog_enabled().filter(|interval| !interval.is_zero())
    else {
        return;
    };
    loop {
        // A restart mends neither a full disk nor a damaged page, so any answer counts.
        let _ = store.ready().await;
        send(NotifyState::Watchdog);
        tokio::time::sleep(interval / 2).await;
    }
}
