//! Whether a mailbox advances, for the dashboard and `guardpost check`.

use rusqlite::{Connection, params};

use super::tries::set_aside;
use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::{HOUR_MS, Time};

/// Hours without any message read, and without a look that found nothing, that are a problem.
const STUCK_HOURS: i64 = 1;
/// Messages named in a sentence.
const NAMED: usize = 5;

/// How the reading of a mailbox goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailboxState {
    /// When a message was last stored, or there was none to be stored.
    advanced_at: Option<Time>,
    /// Since when it fails.
    failing_since: Option<Time>,
    /// Why it fails.
    error: Option<String>,
    /// The numbers (UID) of the messages that were set aside.
    set_aside: Vec<u32>,
}

impl MailboxState {
    /// Whether the mailbox cannot be read.
    pub fn is_failing(&self) -> bool {
        self.error.is_some()
    }

    /// What needs attention, one sentence each.
    pub fn problems(&self, now: Time) -> Vec<String> {
        let since = self.advanced_at.or(self.failing_since);
        let hours = since.map_or(0, |since| (now.millis() - since.millis()) / HOUR_MS);
        let mut problems = Vec::new();
        if hours >= STUCK_HOURS {
            let hours = match hours {
                1 => "an hour".to_owned(),
                hours => format!("{hours} hours"),
            };
            let reason = self.error.as_deref();
            let reason = reason.unwrap_or("the server has not looked; is it running?");
            problems.push(format!(
                "The mailbox of customers' emails has not advanced for {hours}: {reason}."
            ));
        }
        if !self.set_aside.is_empty() {
            problems.push(self.set_aside_problem());
        }
        problems
    }

    fn set_aside_problem(&self) -> String {
        let count = self.set_aside.len();
        let (noun, verb) = match count {
            1 => ("email", "was"),
            _ => ("emails", "were"),
        };
        let named: Vec<String> = self.set_aside.iter().map(u32::to_string).collect();
        let named = named[..count.min(NAMED)].join(", ");
        let more = if count > NAMED { ", …" } else { "" };
        format!(
            "{count} {noun} in the mailbox could not be read and {verb} set aside (UID \
             {named}{more}): read it in a mail program. It is tried again each hour."
        )
    }
}

impl Store {
    /// How the reading of a mailbox goes.
    pub async fn mailbox_state(&self, mailbox: String) -> Result<MailboxState> {
        self.read(move |conn| known(conn, &mailbox)).await
    }

    /// Records that all messages of a mailbox are stored or set aside.
    pub async fn mailbox_read(&self, mailbox: String, now: Time) -> Result<()> {
        self.write(move |conn| {
            let sql = "INSERT INTO mailbox_states (mailbox, read_at) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET
                  read_at = excluded.read_at, failing_since = NULL, error = NULL";
            query::run(conn, sql, params![mailbox, now.to_string()])
        })
        .await
    }

    /// Records why a mailbox cannot be read.
    pub async fn mailbox_failed(&self, mailbox: String, error: String, now: Time) -> Result<()> {
        self.write(move |conn| {
            let sql = "INSERT INTO mailbox_states (mailbox, failing_since, error)
                VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET error = excluded.error,
                  failing_since = coalesce(failing_since, excluded.failing_since)";
            query::run(conn, sql, params![mailbox, now.to_string(), error])
        })
        .await
    }
}

/// How the reading of each mailbox goes, by its name.
pub fn all(conn: &Connection) -> Result<Vec<(String, MailboxState)>> {
    let sql = "SELECT mailbox FROM mailbox_states";
    let names: Vec<String> = query::all(conn, sql, [], |row| row.get(0))?;
    let state = |name: String| Ok((name.clone(), known(conn, &name)?));
    names.into_iter().map(state).collect()
}

fn known(conn: &Connection, mailbox: &str) -> Result<MailboxState> {
    let sql = "SELECT failing_since, error, max(coalesce(read_at, ''), coalesce((
           SELECT read_at FROM mailbox_positions WHERE mailbox = ?1), '')) AS advanced_at
        FROM mailbox_states WHERE mailbox = ?1";
    let found = query::optional(conn, sql, [mailbox], |found| {
        read_row!(found => MailboxState {
            failing_since, error;
            advanced_at: Time::parse(&found.get::<_, String>("advanced_at")?),
            set_aside: Vec::new(),
        })
    })?;
    let mut state = found.unwrap_or_default();
    state.set_aside = set_aside(conn, mailbox)?;
    Ok(state)
}
