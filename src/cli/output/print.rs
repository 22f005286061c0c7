//! What commands print: lines on standard output (`say!`), notes on standard error (`note!`). Who
//! listens may have gone: a command then still does its work, and ends as if it were read.

use std::io::{self, ErrorKind, Write};

/// Prints a line on standard output, whether it is open or not.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// Prints a line on standard error, whether it is open or not.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

/// Standard output, for data: whoever stores it has to know that it is incomplete. A reader that
/// has closed the pipe, as in `guardpost export-quotes | head`, has enough.
pub(in crate::cli) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match io::stdout().write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match io::stdout().flush() {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}
