//! `guardpost outbox`: lists undelivered emails, shows one, retries and releases them.

use std::io::Write;

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::output::count_noun::count_noun;
use super::output::print::StandardOutput;
use super::startup::global_args::GlobalArgs;
use domain::clock::{Clock, Time};
use domain::delivery::DeliveryState;
use store::outbox::admin::OutboxRow;
use store::{Error, Store};

/// List, show, retry and release undelivered emails.
///
/// Delivery is retried with increasing delays of up to an hour. An email that the mail server has
/// rejected permanently, or that could not be delivered for `mail.give_up_hours`, stays here as
/// failed. A running server picks up a retried email within seconds. A restore holds emails that
/// may have been sent before: check them, then release them.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost outbox list\n  \
    guardpost outbox show 28723683921088\n  \
    guardpost outbox retry 28723683921088\n  \
    guardpost outbox retry --all\n  \
    guardpost outbox list --held\n  \
    guardpost outbox release --all")]
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
        /// List the emails held by a restore
        #[arg(long)]
        held: bool,
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Show one email: to whom, about what, its state and its last error
    Show {
        /// The email's id, as shown by `outbox list`
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Retry one email, or all of them, immediately
    Retry {
        #[command(flatten)]
        target: Target,
    },
    /// Send one email held by a restore, or all of them
    Release {
        #[command(flatten)]
        target: Target,
    },
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// The email's id, as shown by `outbox list`
    id: Option<String>,
    /// All of them
    #[arg(long)]
    all: bool,
}

impl Outbox {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        if let Command::Retry { .. } | Command::Release { .. } = self.command {
            globals.refuse_drill(&config, "it sends no emails")?;
        }
        let store = GlobalArgs::open_existing(&config)?;
        let now = Clock::system().now();
        match self.command {
            Command::List { limit, held, json } => list(&store, limit, held, json, now).await,
            Command::Show { id, json } => show(&store, &id, json).await,
            Command::Retry { target } => retry(&store, target.id, now).await,
            Command::Release { target } => release(&store, target.id, now).await,
        }
    }
}

async fn list(store: &Store, limit: u32, held: bool, json: bool, now: Time) -> Result<()> {
    let counts = store.outbox_counts(now).await?;
    let rows = match held {
        true => store.held_emails(limit).await?,
        false => store.undelivered_emails(limit).await?,
    };
    let mut out = StandardOutput;
    for row in &rows {
        match json {
            true => writeln!(out, "{}", row_json(row))?,
            false => writeln!(out, "{}", format_row(row))?,
        }
    }
    if json {
        return Ok(());
    }
    write!(out, "{} waiting, {} failed", counts.due, counts.failed)?;
    match counts.held {
        0 => writeln!(out)?,
        held => writeln!(out, ", {held} held since a restore (`outbox list --held`)")?,
    }
    Ok(())
}

async fn show(store: &Store, id: &str, json: bool) -> Result<()> {
    let row = match id.parse() {
        Ok(id) => store.email(id).await,
        Err(_) => Err(Error::Missing),
    };
    let row = row.map_err(|error| explain(error, id))?;
    if json {
        say!("{}", serde_json::to_string_pretty(&row_json(&row))?);
        return Ok(());
    }
    if let Value::Object(fields) = row_json(&row) {
        for (name, value) in fields {
            match value {
                Value::Null => {}
                Value::String(text) => say!("{name:<11} {text}"),
                value => say!("{name:<11} {value}"),
            }
        }
    }
    Ok(())
}

/// `due`, `sent`, `failed` or `held`.
fn state(row: &OutboxRow) -> &'static str {
    match row.held_at {
        Some(_) => "held",
        None => row.state.as_str(),
    }
}

fn recipient(row: &OutboxRow) -> &str {
    match (row.recipient.as_str(), row.kind.as_str()) {
        ("", "account") => &row.subject_id,
        ("", _) => "the office",
        (recipient, _) => recipient,
    }
}

fn row_json(row: &OutboxRow) -> Value {
    let is_due = row.state == DeliveryState::Due;
    json!({
        "id": row.id.parse::<i64>().ok(),
        "state": state(row),
        "kind": row.kind,
        "to": recipient(row),
        "about": row.subject_id,
        "created_at": row.created_at,
        "attempts": row.attempts,
        "next_try": is_due.then(|| row.due_at.max(row.created_at)),
        "sent_at": row.sent_at,
        "held_at": row.held_at,
        "last_error": row.error,
    })
}

/// One email on one line; line breaks in the mail server's reply become spaces.
fn format_row(row: &OutboxRow) -> String {
    let OutboxRow {
        id,
        created_at,
        kind,
        attempts,
        ..
    } = row;
    let tries = if *attempts == 1 { "try" } else { "tries" };
    let state = state(row);
    let next = match row.state {
        DeliveryState::Due if *attempts > 0 => format!("  next {}", row.due_at),
        _ => String::new(),
    };
    let error = row.error.as_deref().unwrap_or_default();
    let error: Vec<_> = error.split_whitespace().collect();
    format!(
        "{id}  {created_at}  {kind:<7}  {state:<6}  {attempts} {tries}{next}  to {} about {}  {}",
        recipient(row),
        row.subject_id,
        error.join(" ")
    )
    .trim_end()
    .to_owned()
}

/// Makes the email with this id due now, or every undelivered email if there is no id.
async fn retry(store: &Store, id: Option<String>, now: Time) -> Result<()> {
    let Some(id) = id else {
        let emails = store.retry_all_emails(now).await?;
        say!("{} due now", are(emails));
        return Ok(());
    };
    let result = match id.parse() {
        Ok(id) => store.retry_email(id, now).await,
        Err(_) => Err(Error::Missing),
    };
    result.map_err(|error| explain(error, &id))?;
    say!("{id} is due now");
    Ok(())
}

/// Makes the held email with this id due now, or every held email if there is no id.
async fn release(store: &Store, id: Option<String>, now: Time) -> Result<()> {
    let number = id.as_ref().map(|id| id.parse::<i64>());
    let released = match number.transpose() {
        Ok(number) => store.release_emails(number, now).await,
        Err(_) => Err(Error::Missing),
    };
    let released = released.map_err(|error| match error {
        Error::Missing => anyhow!(
            "no email {} is held; `outbox list --held` shows the ids",
            id.unwrap_or_default()
        ),
        error => error.into(),
    })?;
    say!("{} due now", are(released));
    Ok(())
}

/// `1 email is`, `2 emails are`.
fn are(emails: usize) -> String {
    let verb = if emails == 1 { "is" } else { "are" };
    format!("{} {verb}", count_noun(emails, "email"))
}

fn explain(error: Error, id: &str) -> anyhow::Error {
    match error {
        Error::Missing => anyhow!("there is no email {id}; `outbox list` shows the ids"),
        Error::Conflict(reason) => anyhow!("{reason}"),
        error => error.into(),
    }
}
