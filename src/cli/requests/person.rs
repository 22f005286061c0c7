//! `guardpost person`: exports or erases a visitor's data.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use backup::erasure::{Actor, Eraser};
use domain::clock::Clock;
use s3::ownership::Role;
use store::person::Erased;

/// Show or erase the stored data of a visitor.
///
/// A visitor is found by the email address of the requests. Accounts are managed by the account
/// commands.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost person export maria@property.example > maria.json\n  \
    guardpost person erase maria@property.example\n  \
    guardpost person erase maria@property.example --yes")]
pub(in crate::cli) struct PersonCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print all stored data of the person, as JSON
    Export {
        /// The person's email address
        email: String,
    },
    /// Erase the person; without --yes, only show what would be erased
    ///
    /// Erases requests, messages, emails about them, search words, history and files in one
    /// transaction. A line with a keyed hash of the address is added to the ledger
    /// (`erasures.jsonl`) first: restoring an older backup erases the person again. Older backups
    /// contain the person until they are deleted, after six months at the latest.
    Erase {
        /// The person's email address
        email: String,
        /// Erase now; this cannot be undone
        #[arg(long)]
        yes: bool,
    },
}

impl PersonCommand {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        let role = Role::of(&store, &config.data, &Clock::system()).await?;
        let (folder, backups) = (&config.data.dir, &config.backup.to);
        let eraser = Eraser::new(store, folder, backups, &config.s3, role);
        match self.command {
            Command::Export { email } => {
                let (email, now) = (address(&email)?, Clock::system().now());
                let export = eraser.export(&email, Actor::operator(), now).await?;
                say!("{}", serde_json::to_string_pretty(&export)?);
                Ok(())
            }
            Command::Erase { email, yes } => erase(&eraser, &address(&email)?, yes).await,
        }
    }
}

/// The address without white space around it.
fn address(text: &str) -> Result<String> {
    let email = text.trim();
    if !email.contains('@') {
        bail!("`{email}` is not an email address");
    }
    Ok(email.to_owned())
}

async fn erase(eraser: &Eraser, email: &str, yes: bool) -> Result<()> {
    let found = eraser.find(email).await?;
    if found.has_account {
        note!("note: an account has this address; it stays");
    }
    if found.rows == Erased::default() && found.written_emails == 0 && found.copies == 0 {
        say!("Nothing is stored about {email}.");
        return Ok(());
    }
    if !yes {
        print_found(
            "Would erase",
            &found.rows,
            found.written_emails,
            found.copies,
        );
        say!("Nothing was changed. To erase: guardpost person erase {email} --yes");
        return Ok(());
    }
    let now = Clock::system().now();
    let done = eraser.erase(email, Actor::operator(), now).await?;
    print_found("Erased", &done.rows, done.written_emails, done.copies);
    for place in done.unreached {
        note!(
            "warning: the place of backups {place} is not there now and lacks this erasure. A \
             running server completes its ledger within a day after it is back, `guardpost backup \
             --to {place}` at once; a restore before that needs --ledger erasures.jsonl of the \
             data folder. If it is gone for good: `guardpost backup --forget {place}`"
        );
    }
    say!("The erasure is in the ledger: restored backups erase it again.");
    Ok(())
}

/// Prints what is erased: rows, written emails, and copies of the database, which go whole, since
/// they may have rows about anybody.
fn print_found(verb: &str, found: &Erased, written_emails: usize, copies: usize) {
    say!("{verb}:");
    for (number, noun, prefix, suffix) in [
        (found.quotes, "quote request", "", ""),
        (found.messages, "message", "", ""),
        (found.emails, "email", "", ""),
        (found.files, "attached file", "", ""),
        (found.history, "history record", "", ""),
        (found.search_entries, "request", "the search words of ", ""),
        (written_emails, "file", "", " in mail/"),
        (copies, "file", "", " of copies of the database"),
    ] {
        if number > 0 {
            say!("  {prefix}{}{suffix}", count_noun(number, noun));
        }
    }
    if found.kept_agreements > 0 {
        say!(
            "Kept: {} with the receipts. They are agreements, which the law wants kept.",
            count_noun(found.kept_agreements, "accepted offer")
        );
    }
}
