//! Shows the progress of a long command on standard error: a bar on a terminal, a line per step
//! otherwise. Ctrl-C, SIGTERM or the end of the session stops the command, which then removes what it
//! has begun.

use std::future::poll_fn;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;

use anyhow::{Context, Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::signal::unix::{SignalKind, signal};

use backup::{Progress, Watch};

/// Runs `work` on a blocking thread; `work` passes the given `Watch` on.
pub(in crate::cli) async fn run<T: Send + 'static>(
    work: impl FnOnce(Watch<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let pressed = stop.clone();
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ];
    let signals = kinds.into_iter().map(signal).collect::<Result<Vec<_>, _>>();
    let mut signals = signals.context("cannot listen for signals")?;
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
    let done = tokio::task::spawn_blocking(move || {
        let (bar, mut last) = (bar(), "");
        let mut watch = |progress: Progress| {
            if progress.step != last {
                last = progress.step;
                if bar.is_hidden() {
                    note!("{last}");
                }
                bar.set_message(last);
            }
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            match stop.load(Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let result = work(&mut watch);
        bar.finish_and_clear();
        result
    });
    let result = done.await.map_err(|_| anyhow!("the command panicked"))?;
    listener.abort();
    result
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    match ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes}, {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
