//! Runs the command, prints the error chain and sets the exit code.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match guardpost::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed.
            let _ = writeln!(std::io::stderr(), "guardpost: {error:#}");
            ExitCode::FAILURE
        }
    }
}
