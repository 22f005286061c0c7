//! Tries of received emails: what a stranger has sent may end the process that reads it, so a try
//! is counted before it begins. After two that did not come back only the header is read.

use rusqlite::{Connection, params};

use crate::{Result, Store, query};
use domain::clock::{DAY_MS, Time};

/// Tries that did not come back, after which an email is set aside.
const MAX_TRIES: u32 = 2;
/// For how long the desk and `check` say that an email was set aside, in milliseconds.
const NAMED_MS: i64 = 7 * DAY_MS;

impl Store {
    /// Counts a try that begins; returns how many did not come back.
    pub async fn begin_email(&self, id: String, now: Time) -> Result<u32> {
        self.write(move |conn| {
            let sql = "INSERT INTO email_tries (email, tries, running, began_at)
                VALUES (?1, 1, 1, ?2)
                ON CONFLICT DO UPDATE
                  SET tries = tries + 1, running = 1, began_at = excluded.began_at
                RETURNING tries - 1";
            query::one(conn, sql, [id, now.to_string()], |row| row.get(0))
        })
        .await
    }

    /// Records that a try came back.
    pub async fn email_read(&self, id: String) -> Result<()> {
        let sql = "DELETE FROM email_tries WHERE email = ?1";
        self.write(move |conn| query::run(conn, sql, [id])).await
    }

    /// Records that the process of a try was ended, while this one goes on.
    pub async fn email_try_ended(&self, id: String) -> Result<()> {
        let sql = "UPDATE email_tries SET running = 0 WHERE email = ?1";
        self.write(move |conn| query::run(conn, sql, [id])).await
    }

    /// Records that a try failed for another reason than its email: it does not count, but the
    /// email waits behind those that were never tried.
    pub async fn email_try_failed(&self, id: String) -> Result<()> {
        let sql = "UPDATE email_tries SET running = 0, tries = tries - 1
            WHERE email = ?1 AND running = 1";
        self.write(move |conn| query::run(conn, sql, [id])).await
    }

    /// At the orderly end of a server: what is under way has not ended the process.
    pub async fn stop_email_tries(&self) -> Result<()> {
        self.write(|conn| {
            let sql = "UPDATE email_tries SET running = 0, tries = tries - 1 WHERE running = 1";
            conn.execute(sql, [])?;
            query::run(conn, "DELETE FROM email_tries WHERE tries = 0", [])
        })
        .await
    }

    /// The emails that were set aside within the last days, in a sentence.
    pub async fn set_aside_problem(&self, now: Time) -> Result<Option<String>> {
        self.read(move |conn| problem(conn, now)).await
    }
}

/// The emails that were set aside within the last days, in a sentence.
pub fn problem(conn: &Connection, now: Time) -> Result<Option<String>> {
    let sql = "SELECT count(*) FROM email_tries
        WHERE running = 0 AND tries >= ?1 AND began_at > ?2";
    let since = now.plus_millis(-NAMED_MS).to_string();
    let count: u32 = query::one(conn, sql, params![MAX_TRIES, since], |row| row.get(0))?;
    let emails = match count {
        0 => return Ok(None),
        1 => "1 received email was".to_owned(),
        count => format!("{count} received emails were"),
    };
    Ok(Some(format!(
        "{emails} set aside, since two tries did not come back: open the original on the desk."
    )))
}
