//! The commands: one file each, all on the verbs that the web uses as well. `serve` is the only wiring of the parts.

mod place;
mod serve;

use clap::{Parser, Subcommand};

use place::Place;

/// Web presence and quote desk of a security guard company, in one binary.
#[derive(Parser)]
#[command(
    name = "guardpost",
    version,
    about,
    max_term_width = 100,
    propagate_version = true,
    after_help = "Settings come from config.toml in the current folder (or --config FILE), overridden by environment variables:\n  \
                  GUARDPOST_SERVER__LISTEN=0.0.0.0:8080 guardpost serve\n\nEach command has its own --help with examples."
)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
}

/// Reads the arguments and runs the command they name.
///
/// # Errors
/// Why the command did not do what it was asked, for a person to read.
pub fn run() -> anyhow::Result<()> {
    let Cli { place, command } = Cli::parse();
    match command {
        Command::Serve(command) => command.run(&place),
    }
}
