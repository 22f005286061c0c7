//! Shows the progress of a long command on standard error: a bar on a terminal, a line per step
//! otherwise. Ctrl-C, SIGTERM or the end of the terminal stops the command, which then removes what
//! it has begun.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use super::stop_signals::stop_signals;
use backup::{Progress, Watch};

/// Runs `work` on a blocking thread; `work` passes the given `Watch` on.
pub(in crate::cli) async fn run<T: Send + 'static>(
    work: impl FnOnce(Watch<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (stop, listener) = stop_signals()?;
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
