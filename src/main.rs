//! Parses the arguments, runs the command, prints the error chain and sets the exit code; nothing else.

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
