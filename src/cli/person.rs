//! `guardpost person`: answers and erases on request of a visitor.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::count_noun;
use super::global_args::GlobalArgs;
use crate::backup::{Place, ledger, remove_migration_copies, remove_written_emails};
use crate::config::Config;
use crate::domain::clock::Clock;
use crate::store::Store;
use crate::store::person::{ALWAYS, Erased};

/// Show or erase what is stored about a visitor.
///
/// A visitor is found by the email address of the requests. Accounts are managed by the account
/// commands.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost person export maria@property.example > maria.json\n  \
    guardpost person erase maria@property.example\n  \
    guardpost person erase maria@property.example --yes")]
pub(super) struct PersonCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print everything that is stored about the person, as JSON
    Export {
        /// The person's email address
        email: String,
    },
    /// Erase the person; without --yes, only show what would be erased
    ///
    /// Erases requests, messages, emails about them, search words, history and files in one
    /// transaction. A line with a keyed hash of the address goes to the ledger (`erasures.jsonl`)
    /// first: restoring an older backup erases the person again. Backups made before contain the
    /// person until they are deleted by `backup.keep_days`, `keep_weeks` and `keep_months`.
    Erase {
        /// The person's email address
        email: String,
        /// Erase now; this cannot be undone
        #[arg(long)]
        yes: bool,
    },
}

impl PersonCommand {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        let now = Clock::system().now();
        match self.command {
            Command::Export { email } => {
                let email = address(&email)?;
                let tables = store.export_person(email.clone()).await?;
                let export = json!({"email": email, "exported_at": now, "tables": tables});
                println!("{}", serde_json::to_string_pretty(&export)?);
                Ok(())
            }
            Command::Erase { email, yes } => erase(&config, &store, &address(&email)?, yes).await,
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

async fn erase(config: &Config, store: &Store, email: &str, yes: bool) -> Result<()> {
    let found = store.count_person(email.to_owned(), ALWAYS).await?;
    if store.has_account(email.to_owned()).await? {
        eprintln!("note: an account has this address; it stays");
    }
    if found == Erased::default() {
        println!("Nothing is stored about {email}.");
        return Ok(());
    }
    print_counts(if yes { "Erased" } else { "Would erase" }, &found);
    if !yes {
        println!("Nothing was changed. To erase: guardpost person erase {email} --yes");
        return Ok(());
    }
    // A request may be newer than the clock, if that was set back.
    let now = Clock::system().now();
    let at = found.newest.map_or(now, |newest| newest.max(now));
    let backups = Some(Path::new(&config.backup.to)).filter(|_| !config.backup.to.is_empty());
    let backups = backups.map(|to| Place::open(to, &config.s3)).transpose()?;
    ledger::record(&config.data.dir, backups.as_ref(), email, at)
        .context("nothing was erased: the ledger of erasures cannot be written")?;
    let erased = store.erase_person(email.to_owned(), ALWAYS).await?;
    let files = remove_written_emails(&config.data.dir, &erased.email_ids)?;
    // They hold the person as well; the next migration makes another.
    let copies = remove_migration_copies(&config.data.dir, ALWAYS)?;
    if copies > 0 {
        println!(
            "  {} of the database from before a migration",
            count_copies(copies)
        );
    }
    if files > 0 {
        println!("  {} in mail/", count_noun(files, "file"));
    }
    println!("The erasure is in the ledger: restored backups erase it again.");
    Ok(())
}

/// `1 copy`, `2 copies`.
fn count_copies(copies: usize) -> String {
    match copies {
        1 => "1 copy".to_owned(),
        _ => format!("{copies} copies"),
    }
}

fn print_counts(verb: &str, found: &Erased) {
    println!("{verb}:");
    for (number, noun) in [
        (found.quotes, "quote request"),
        (found.messages, "message"),
        (found.emails, "email"),
        (found.files, "attached file"),
        (found.history, "history record"),
    ] {
        if number > 0 {
            println!("  {}", count_noun(number, noun));
        }
    }
    if found.search_entries > 0 {
        println!(
            "  the search words of {}",
            count_noun(found.search_entries, "request")
        );
    }
}
