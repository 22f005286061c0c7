//! The signals that stop a long command: Ctrl-C, SIGTERM, and the end of the terminal.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;

use anyhow::{Context, Result};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinHandle;

/// A flag that becomes true at the first of the signals, and the task that waits for it. Fails if
/// they cannot be listened for. Call it within a runtime.
pub(super) fn stop_signals() -> Result<(Arc<AtomicBool>, JoinHandle<()>)> {
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    let signals = kinds.into_iter().map(signal).collect::<Result<Vec<_>, _>>();
    let mut signals = signals.context("cannot listen for signals")?;
    let stopped = Arc::new(AtomicBool::new(false));
    let pressed = stopped.clone();
    let listener = tokio::spawn(async move {
        poll_fn(|context| {
            match signals
                .iter_mut()
                .any(|it| it.poll_recv(context).is_ready())
            {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
        pressed.store(true, Relaxed);
    });
    Ok((stopped, listener))
}
