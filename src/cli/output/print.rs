//! What commands print: lines on standard output (`say!`), notes on standard error (`note!`). Who
//! listens may have gone: a command then still does its work, and ends as if it were read.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use anyhow::{Context, Result};

/// The first error of standard output; nothing is written after it.
static FAILED: OnceLock<ErrorKind> = OnceLock::new();

const FAILED_TO_WRITE: &str = "cannot write its output";

/// Prints a line on standard output, as `println!`, which would panic once it is closed.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::output::print::line(format_args!($($text)*)) };
}

/// Prints a line on standard error, whether it is open or not.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

/// Standard output, for what is written in pieces.
pub(in crate::cli) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        remember(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        remember(io::stdout().flush())
    }
}

fn remember<T>(written: io::Result<T>) -> io::Result<T> {
    if let Err(error) = &written
        && error.kind() != ErrorKind::Interrupted
    {
        FAILED.get_or_init(|| error.kind());
    }
    written
}

/// Prints a line; an error is returned by `end`.
pub(in crate::cli) fn line(text: Arguments<'_>) {
    if FAILED.get().is_none() {
        // Remembered.
        let _ = writeln!(StandardOutput, "{text}");
    }
}

/// The result of a command that ended with `result`: a reader that has closed the pipe, as in
/// `guardpost export-quotes | head`, is no error, any other error of standard output is one.
pub(in crate::cli) fn end(result: Result<()>) -> Result<()> {
    let _ = StandardOutput.flush();
    match FAILED.get() {
        None => result,
        Some(ErrorKind::BrokenPipe) => {
            result.or_else(|error| match has_kind(&error, ErrorKind::BrokenPipe) {
                true => Ok(()),
                false => Err(error),
            })
        }
        Some(kind) => match result {
            Err(error) if !has_kind(&error, *kind) => Err(error),
            Err(error) => Err(error.context(FAILED_TO_WRITE)),
            Ok(()) => Err(io::Error::from(*kind)).context(FAILED_TO_WRITE),
        },
    }
}

fn has_kind(error: &anyhow::Error, kind: ErrorKind) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|error| error.kind() == kind)
    })
}
