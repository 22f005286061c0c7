//! The commands, one file each. They call the same functions of `auth` and `store` as the HTTP
//! handlers; `serve` starts the server.

mod account_service;
mod backup;
mod backup_key;
mod certificate;
mod check;
mod completions;
mod content;
mod create_admin;
mod data_owner;
mod delete_user;
mod demote_admin;
mod disable_factor;
mod environment_file;
mod export_filter;
mod export_requests;
mod files;
mod global_args;
mod invite_admin;
mod key_files;
mod list_backups;
mod list_users;
mod log_format;
mod man;
mod media;
mod notify;
mod openapi;
mod outbox;
mod person;
mod progress;
mod render_pages;
mod replace_keys;
mod reset_password;
mod restore;
mod revoke_sessions;
mod rotate_keys;
mod seed_demo;
mod serve;
mod suspend_user;
mod synced_file;
mod transfer;
mod verify_backup;

use std::fmt::Display;
use std::io::ErrorKind;

use anyhow::{Context, Result};
use clap::{CommandFactory, Parser, Subcommand};
use rustix::fs::Mode;

use global_args::{GlobalArgs, RunAs};

/// Website and quote management of a security guard company, in one binary.
#[derive(Parser)]
#[command(
    name = "guardpost",
    version,
    about,
    max_term_width = 100,
    after_help = "Settings are read from config.toml in the current folder (or --config FILE) and \
                  overridden by environment variables:\n  \
                  GUARDPOST_SERVER__LISTEN=0.0.0.0:8080 guardpost serve\n\n\
                  Each command has its own --help with examples."
)]
struct Cli {
    #[command(flatten)]
    globals: GlobalArgs,
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
    DemoteAdmin(demote_admin::DemoteAdmin),
    SuspendUser(suspend_user::SuspendUser),
    DeleteUser(delete_user::DeleteUser),
    RotateKeys(rotate_keys::RotateKeys),
    ReplaceKeys(replace_keys::ReplaceKeys),
    ExportQuotes(export_requests::ExportQuotes),
    ExportMessages(export_requests::ExportMessages),
    Outbox(outbox::Outbox),
    Person(person::PersonCommand),
    Backup(backup::Backup),
    BackupKey(backup_key::BackupKeyCommand),
    ListBackups(list_backups::ListBackups),
    VerifyBackup(verify_backup::VerifyBackup),
    Restore(restore::Restore),
    Files(files::Files),
    Export(transfer::Export),
    Import(transfer::Import),
    Check(check::Check),
    Certificate(certificate::CertificateCommand),
    Content(content::ContentCommand),
    SeedDemo(seed_demo::SeedDemo),
    Openapi(openapi::Openapi),
    Completions(completions::Completions),
    Man(man::Man),
    #[command(hide = true)]
    RenderPages(render_pages::RenderPages),
}

/// Parses the arguments and runs the command.
///
/// # Errors
/// If the command failed; the message is written for an operator.
pub fn run() -> Result<()> {
    // Only the owner may read what a command writes, even in a shared folder or with umask 000.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let Cli {
        mut globals,
        command,
    } = Cli::parse();
    let owner = globals.prepare(command.run_as())?;
    let result = command.run(&globals);
    let result = result.or_else(ignore_broken_pipe);
    match owner {
        Some(owner) => result.context(owner),
        None => result,
    }
}

impl Command {
    /// Whose rights the command needs if root runs it.
    fn run_as(&self) -> RunAs {
        match self {
            Self::Serve(_) => RunAs::OwnerWithPorts,
            // They write elsewhere, or nothing.
            Self::BackupKey(_)
            | Self::ListBackups(_)
            | Self::VerifyBackup(_)
            | Self::Restore(_)
            | Self::Openapi(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::RenderPages(_) => RunAs::Caller,
            _ => RunAs::Owner,
        }
    }

    fn run(self, globals: &GlobalArgs) -> Result<()> {
        match self {
            Self::Serve(command) => command.run(globals),
            Self::CreateAdmin(command) => block_on(command.run(globals)),
            Self::InviteAdmin(command) => block_on(command.run(globals)),
            Self::ResetPassword(command) => block_on(command.run(globals)),
            Self::DisableFactor(command) => block_on(command.run(globals)),
            Self::DemoteAdmin(command) => block_on(command.run(globals)),
            Self::SuspendUser(command) => block_on(command.run(globals)),
            Self::DeleteUser(command) => block_on(command.run(globals)),
            Self::ListUsers(command) => block_on(command.run(globals)),
            Self::RevokeSessions(command) => block_on(command.run(globals)),
            Self::RotateKeys(command) => block_on(command.run(globals)),
            Self::ReplaceKeys(command) => block_on(command.run(globals)),
            Self::ExportQuotes(command) => block_on(command.run(globals)),
            Self::ExportMessages(command) => block_on(command.run(globals)),
            Self::Outbox(command) => block_on(command.run(globals)),
            Self::Person(command) => block_on(command.run(globals)),
            Self::Backup(command) => block_on(command.run(globals)),
            Self::BackupKey(command) => command.run(),
            Self::ListBackups(command) => command.run(globals),
            Self::VerifyBackup(command) => block_on(command.run(globals)),
            Self::Restore(command) => block_on(command.run(globals)),
            Self::Files(command) => block_on(command.run(globals)),
            Self::Export(command) => block_on(command.run(globals)),
            Self::Import(command) => block_on(command.run(globals)),
            Self::Check(command) => command.run(globals),
            Self::Certificate(command) => block_on(command.run(globals)),
            Self::Content(command) => block_on(command.run(globals)),
            Self::SeedDemo(command) => block_on(command.run(globals)),
            Self::Openapi(command) => command.run(),
            Self::Completions(command) => command.run(Cli::command()),
            Self::Man(command) => command.run(Cli::command()),
            Self::RenderPages(command) => command.run(),
        }
    }
}

/// Runs an asynchronous command.
fn block_on(command: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?
        .block_on(command)
}

/// Treats a closed pipe as success: `guardpost export-quotes | head` is a normal use.
fn ignore_broken_pipe(error: anyhow::Error) -> Result<()> {
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

/// `1 email`, `2 emails`.
fn count_noun<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}
