//! Runs the command, prints the error chain and sets the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match guardpost::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("guardpost: {error:#}");
            ExitCode::FAILURE
        }
    }
}
