//! `guardpost outbox`: lists undelivered emails and retries them.

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};

use super::count_noun;
use super::global_args::GlobalArgs;
use crate::domain::clock::{Clock, Time};
use crate::store::{Error, OutboxRow, Store};

/// List and retry undelivered emails.
///
/// Delivery is retried with increasing delays of up to an hour. An email that the mail server has
/// rejected permanently, or that could not be delivered for `mail.give_up_hours`, stays here as
/// failed. A running server picks up a retried email within seconds.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost outbox list\n  \
    guardpost outbox retry 28723683921088\n  \
    guardpost outbox retry --all")]
pub(super) struct Outbox {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List failed emails, then waiting ones, oldest first
    List {
        /// Maximum number of emails
        #[arg(long, default_value_t = 100, value_name = "N")]
        limit: u32,
    },
    /// Retry one email, or all of them, immediately
    Retry {
        #[command(flatten)]
        target: RetryTarget,
    },
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct RetryTarget {
    /// The email's id, as shown by `outbox list`
    id: Option<String>,
    /// All failed and all waiting emails
    #[arg(long)]
    all: bool,
}

impl Outbox {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let store = GlobalArgs::open_existing(&globals.settings()?)?;
        match self.command {
            Command::List { limit } => list(&store, limit).await,
            Command::Retry { target } => retry(&store, target.id, Clock::system().now()).await,
        }
    }
}

async fn list(store: &Store, limit: u32) -> Result<()> {
    let counts = store.outbox_counts(Clock::system().now()).await?;
    let mut out = std::io::stdout().lock();
    for row in store.undelivered_emails(limit).await? {
        writeln!(out, "{}", format_row(&row))?;
    }
    writeln!(out, "{} waiting, {} failed", counts.due, counts.failed)?;
    Ok(())
}

/// One email on one line; line breaks in the mail server's reply become spaces.
fn format_row(row: &OutboxRow) -> String {
    let OutboxRow {
        id,
        created_at,
        kind,
        state,
        attempts,
        ..
    } = row;
    let tries = if *attempts == 1 { "try" } else { "tries" };
    let error = row.last_error.as_deref().unwrap_or_default();
    let error: Vec<_> = error.split_whitespace().collect();
    format!(
        "{id}  {created_at}  {kind:<7}  {state:<6}  {attempts} {tries}  {}",
        error.join(" ")
    )
    .trim_end()
    .to_owned()
}

/// Makes the email with this id due now, or every undelivered email if there is no id.
async fn retry(store: &Store, id: Option<String>, now: Time) -> Result<()> {
    let Some(id) = id else {
        let emails = store.retry_all_emails(now).await?;
        let are = if emails == 1 { "is" } else { "are" };
        println!("{} {are} due now", count_noun(emails, "email"));
        return Ok(());
    };
    let result = match id.parse() {
        Ok(id) => store.retry_email(id, now).await,
        Err(_) => Err(Error::Missing),
    };
    result.map_err(|error| match error {
        Error::Missing => anyhow!("there is no email {id}; `outbox list` shows the ids"),
        Error::Conflict(reason) => anyhow!("{reason}"),
        error => error.into(),
    })?;
    println!("{id} is due now");
    Ok(())
}
