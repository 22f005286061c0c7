//! The commands, one file each. They call the same functions of `auth` and `store` as the HTTP
//! handlers; `serve` starts the server.

#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod output;

pub mod accounts;
pub mod backups;
mod check;
mod config_values;
mod content;
mod figures;
mod files;
mod generated;
mod help;
pub mod keys;
mod outbox;
mod promote;
mod receive;
pub mod requests;
mod serve;
mod startup;
mod transfer;

use std::io::ErrorKind;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rustix::fs::Mode;

use domain::program;
use domain::program::Build;
use site::engine;
use startup::global_args::{GlobalArgs, RunAs};
use startup::runtime::block_on;
use storage::pictures;

/// This build; `src/build.rs` asks git for the commit.
const BUILD: Build = Build {
    version: env!("CARGO_PKG_VERSION"),
    commit: env!("GUARDPOST_COMMIT"),
    date: env!("GUARDPOST_DATE"),
    text: concat!(
        env!("CARGO_PKG_VERSION"),
        " (",
        env!("GUARDPOST_COMMIT"),
        ", ",
        env!("GUARDPOST_DATE"),
        ")"
    ),
};

/// Website and quote management of a security guard company, in one binary.
#[derive(Parser)]
#[command(
    name = "guardpost",
    version = BUILD.text,
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
    CreateAdmin(accounts::create_admin::CreateAdmin),
    InviteAdmin(accounts::invite_admin::InviteAdmin),
    ListUsers(accounts::list_users::ListUsers),
    ResetPassword(accounts::reset_password::ResetPassword),
    RevokeSessions(accounts::user::RevokeSessions),
    DisableFactor(accounts::user::DisableFactor),
    SetRole(accounts::role::SetRole),
    SuspendUser(accounts::user::SuspendUser),
    DeleteUser(accounts::user::DeleteUser),
    RotateKeys(keys::rotate_keys::RotateKeys),
    ReplaceKeys(keys::replace_keys::ReplaceKeys),
    ExportQuotes(requests::export_requests::ExportQuotes),
    ExportMessages(requests::export_requests::ExportMessages),
    ExportOffers(requests::offer::ExportOffers),
    Offer(requests::offer::OfferCommand),
    Outbox(outbox::Outbox),
    Receive(receive::Receive),
    Person(requests::person::PersonCommand),
    Backup(backups::backup::Backup),
    BackupKey(backups::backup_key::BackupKeyCommand),
    ListBackups(backups::list_backups::ListBackups),
    VerifyBackup(backups::verify_backup::VerifyBackup),
    Restore(backups::restore::Restore),
    Promote(promote::Promote),
    Figures(figures::FiguresCommand),
    Files(files::Files),
    Export(transfer::Export),
    Import(transfer::Import),
    Check(check::Check),
    Status(check::status::Status),
    Config(config_values::ConfigCommand),
    Content(content::ContentCommand),
    SeedDemo(requests::seed_demo::SeedDemo),
    /// Print the API description (OpenAPI, JSON).
    #[command(
        hide = true,
        after_help = "Example:\n  guardpost openapi > openapi.json"
    )]
    Openapi,
    Completions(generated::Completions),
    #[command(hide = true)]
    Man(generated::Man),
    /// Render the documents of the site, for the server: all sections of the content as JSON on
    /// standard input, the documents as JSON on standard output.
    #[command(hide = true)]
    RenderPages,
    /// Rewrite a picture from standard input to standard output, which is a file, for the server.
    /// The exit code is the result.
    #[command(hide = true)]
    MakePicture {
        /// The format of the result: jpeg, png, webp or site
        task: String,
    },
    /// Read an email, for the server: a task as a line of JSON and the email on standard input,
    /// what it says as a line of JSON and its files on standard output.
    #[command(hide = true)]
    ReadEmail,
}

/// The definition of all commands.
fn definition() -> clap::Command {
    help::in_groups(Cli::command())
}

/// Parses the arguments and runs the command. Fails if the command failed; the message is written
/// for an operator.
pub fn run() -> Result<()> {
    program::set(BUILD);
    // Only the owner may read the files of a command, even in a shared folder or with umask 000.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let Cli {
        mut globals,
        command,
    } = Cli::from_arg_matches(&definition().get_matches()).unwrap_or_else(|error| error.exit());
    let owner = globals.prepare(command.run_as())?;
    match (owner, command.run(&globals)) {
        (Some(owner), Err(error)) if is_denied(&error) => Err(error.context(owner)),
        (_, result) => result,
    }
}

/// Whether the system has denied something to the user of the command.
fn is_denied(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        let store = cause.downcast_ref::<store::Error>();
        io.is_some_and(|error| error.kind() == ErrorKind::PermissionDenied)
            || store.is_some_and(store::Error::is_disk_error)
    })
}

impl Command {
    /// The rights that the command needs if root runs it.
    fn run_as(&self) -> RunAs {
        match self {
            Self::Serve(_) => RunAs::OwnerWithPorts,
            // They write elsewhere, or nothing.
            Self::BackupKey(_)
            | Self::ListBackups(_)
            | Self::VerifyBackup(_)
            | Self::Restore(_)
            | Self::Openapi
            | Self::Completions(_)
            | Self::Man(_)
            | Self::RenderPages
            | Self::MakePicture { .. }
            | Self::ReadEmail => RunAs::Caller,
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
            Self::SetRole(command) => block_on(command.run(globals)),
            Self::SuspendUser(command) => block_on(command.run(globals)),
            Self::DeleteUser(command) => block_on(command.run(globals)),
            Self::ListUsers(command) => block_on(command.run(globals)),
            Self::RevokeSessions(command) => block_on(command.run(globals)),
            Self::RotateKeys(command) => block_on(command.run(globals)),
            Self::ReplaceKeys(command) => block_on(command.run(globals)),
            Self::ExportQuotes(command) => block_on(command.run(globals)),
            Self::ExportMessages(command) => block_on(command.run(globals)),
            Self::ExportOffers(command) => block_on(command.run(globals)),
            Self::Offer(command) => block_on(command.run(globals)),
            Self::Outbox(command) => block_on(command.run(globals)),
            Self::Receive(command) => block_on(command.run(globals)),
            Self::Person(command) => block_on(command.run(globals)),
            Self::Backup(command) => block_on(command.run(globals)),
            Self::BackupKey(command) => command.run(),
            Self::ListBackups(command) => command.run(globals),
            Self::VerifyBackup(command) => block_on(command.run(globals)),
            Self::Restore(command) => block_on(command.run(globals)),
            Self::Promote(command) => block_on(command.run(globals)),
            Self::Figures(command) => block_on(command.run(globals)),
            Self::Files(command) => block_on(command.run(globals)),
            Self::Export(command) => block_on(command.run(globals)),
            Self::Import(command) => block_on(command.run(globals)),
            Self::Check(command) => command.run(globals),
            Self::Status(command) => block_on(command.run(globals)),
            Self::Config(command) => command.run(globals),
            Self::Content(command) => block_on(command.run(globals)),
            Self::SeedDemo(command) => block_on(command.run(globals)),
            Self::Openapi => generated::print_api_description(),
            Self::Completions(command) => command.run(definition()),
            Self::Man(command) => command.run(definition()),
            Self::RenderPages => engine::run(std::io::stdin().lock(), std::io::stdout().lock()),
            Self::MakePicture { task } => pictures::process::run(&task),
            Self::ReadEmail => inbound_mail::reading::process::run(),
        }
    }
}
