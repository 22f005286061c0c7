//! `guardpost outbox`: the letters that have not left, and another try for them.

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};

use super::counted;
use super::global_args::GlobalArgs;
use crate::domain::clock::{Clock, Time};
use crate::store::{Error, OutboxRow, Store};

/// See and retry letters that have not left.
///
/// A letter is tried again with growing pauses, up to an hour. One that the mail server refused for
/// good, or that could not be delivered for `mail.give_up_hours`, is kept here as failed. A running
/// server takes up what is retried within seconds.
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
    /// List failed letters, then waiting ones, oldest first
    List {
        /// How many at most
        #[arg(long, default_value_t = 100, value_name = "N")]
        limit: u32,
    },
    /// Make a letter due at once, or all of them
    Retry {
        #[command(flatten)]
        which: Which,
    },
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// The letter's id, as `outbox list` shows it
    id: Option<String>,
    /// Every failed and every waiting letter
    #[arg(long)]
    all: bool,
}

impl Outbox {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let store = GlobalArgs::open_existing(&place.settings()?)?;
        match self.command {
            Command::List { limit } => list(&store, limit).await,
            Command::Retry { which } => retry(&store, which.id, Clock::system().now()).await,
        }
    }
}

async fn list(store: &Store, limit: u32) -> Result<()> {
    let counts = store.outbox_counts(Clock::system().now()).await?;
    let mut out = std::io::stdout().lock();
    for row in store.undelivered_emails(limit).await? {
        writeln!(out, "{}", line(&row))?;
    }
    writeln!(out, "{} waiting, {} failed", counts.due, counts.failed)?;
    Ok(())
}

/// One letter on one line; what a mail server said may have several.
fn line(row: &OutboxRow) -> String {
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

async fn retry(store: &Store, id: Option<String>, now: Time) -> Result<()> {
    let Some(id) = id else {
        let letters = store.retry_all_emails(now).await?;
        let are = if letters == 1 { "is" } else { "are" };
        println!("{} {are} due now", counted(letters, "letter"));
        return Ok(());
    };
    let retried = match id.parse() {
        Ok(id) => store.retry_email(id, now).await,
        Err(_) => Err(Error::Missing),
    };
    retried.map_err(|error| match error {
        Error::Missing => anyhow!("there is no letter {id}; `outbox list` shows the ids"),
        Error::Conflict(why) => anyhow!("{why}"),
        error => error.into(),
    })?;
    println!("{id} is due now");
    Ok(())
}
