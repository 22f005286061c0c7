//! The commands: one file each, all on the verbs that the web uses as well. `serve` is the only wiring of the parts.

mod account_service;
mod batch;
mod check;
mod completions;
mod create_admin;
mod disable_factor;
mod export_quotes;
mod global_args;
mod invite_admin;
mod key_files;
mod list_users;
mod media;
mod openapi;
mod outbox;
mod replace_keys;
mod reset_password;
mod revoke_sessions;
mod rotate_keys;
mod rows;
mod seed_demo;
mod serve;
mod synced;
mod writing;

use std::fmt::Display;
use std::io::ErrorKind;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser, Subcommand};
use rustix::fs::Mode;

use global_args::GlobalArgs;

/// Web presence and quote desk of a security guard company, in one binary.
#[derive(Parser)]
#[command(
    name = "guardpost",
    version,
    about,
    max_term_width = 100,
    after_help = "Settings come from config.toml in the current folder (or --config FILE), overridden by environment variables:\n  \
                  GUARDPOST_SERVER__LISTEN=0.0.0.0:8080 guardpost serve\n\nEach command has its own --help with examples."
)]
struct Cli {
    #[command(flatten)]
    place: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    CreateAdmin(create_admin::CreateAdmin),
    InviteAdmin(invite_admin::InviteAdmin),
    ListUsers(list_users::ListUsers),
    ResetPassword(reset_password::ResetPassword),
    RevokeSessions(revoke_sessions::RevokeSessions),
    DisableFactor(disable_factor::DisableFactor),
    RotateKeys(rotate_keys::RotateKeys),
    ReplaceKeys(replace_keys::ReplaceKeys),
    ExportQuotes(export_quotes::ExportQuotes),
    Outbox(outbox::Outbox),
    Check(check::Check),
    SeedDemo(seed_demo::SeedDemo),
    Openapi(openapi::Openapi),
    Completions(completions::Completions),
}

/// Reads the arguments and runs the command they name.
///
/// # Errors
/// Why the command did not do what it was asked, for a person to read.
pub fn run() -> Result<()> {
    // Whatever any command writes is for its owner alone, whatever the folder and the shell say.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let Cli { place, command } = Cli::parse();
    let done = match command {
        Command::Serve(command) => command.run(&place),
        Command::CreateAdmin(command) => in_runtime(command.run(&place)),
        Command::InviteAdmin(command) => in_runtime(command.run(&place)),
        Command::ResetPassword(command) => in_runtime(command.run(&place)),
        Command::DisableFactor(command) => in_runtime(command.run(&place)),
        Command::ListUsers(command) => in_runtime(command.run(&place)),
        Command::RevokeSessions(command) => in_runtime(command.run(&place)),
        Command::RotateKeys(command) => in_runtime(command.run(&place)),
        Command::ReplaceKeys(command) => in_runtime(command.run(&place)),
        Command::ExportQuotes(command) => in_runtime(command.run(&place)),
        Command::Outbox(command) => in_runtime(command.run(&place)),
        Command::Check(command) => command.run(&place),
        Command::SeedDemo(command) => in_runtime(command.run(&place)),
        Command::Openapi(command) => command.run(),
        Command::Completions(command) => command.run(Cli::command()),
    };
    done.or_else(forgive_closed_pipe)
}

/// Runs a command that needs the store: its verbs are asynchronous.
fn in_runtime(command: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?
        .block_on(command)
}

/// A reader that has seen enough closes the pipe (`guardpost export-quotes | head`); that is no error of ours.
fn forgive_closed_pipe(error: anyhow::Error) -> Result<()> {
    let closed = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(closed) {
        return Ok(());
    }
    Err(error)
}

/// `1 letter`, `2 letters`.
fn counted<N: Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}
