//! The progress of a backup or restore, which can be stopped at each step.

use std::ops::ControlFlow;

/// The progress of a long operation.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The step, as in `copying the database`.
    pub step: &'static str,
    /// Bytes done.
    pub done: u64,
    /// Bytes in total.
    pub total: u64,
}

/// Receives the progress; can stop the operation.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The error of an operation that `Watch` has stopped.
#[derive(Debug, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Reports progress; fails if the operation is stopped.
pub(crate) fn report(
    watch: Watch<'_>,
    step: &'static str,
    done: u64,
    total: u64,
) -> Result<(), Stopped> {
    match watch(Progress { step, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stopped),
    }
}
