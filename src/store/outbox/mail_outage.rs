//! Whether the mail server takes emails, for the dashboard, the metrics and `guardpost check`.

use rusqlite::{Connection, params};

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::{MINUTE_MS, Time};

/// How long it may fail before that is a problem: shorter than a restart of a mail server is none.
const PATIENCE_MS: i64 = 2 * MINUTE_MS;

/// Since when the mail server takes no emails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailOutage {
    /// The first attempt that failed.
    pub since: Time,
    /// Why the last one failed.
    pub error: String,
}

impl MailOutage {
    /// What needs attention, once it has lasted two minutes.
    pub fn problem(&self, now: Time) -> Option<String> {
        let lasts = now.millis() - self.since.millis();
        (lasts >= PATIENCE_MS).then(|| {
            format!(
                "The mail server has taken no emails for {} minutes, they wait: {}.",
                lasts / MINUTE_MS,
                self.error.trim_end_matches('.')
            )
        })
    }
}

/// The outage, if there is one.
pub(crate) fn current(conn: &Connection) -> Result<Option<MailOutage>> {
    let sql = "SELECT since, error FROM mail_outage";
    query::optional(conn, sql, [], read_row!(MailOutage => since, error))
}

/// Records an attempt that failed because of the server.
pub(super) fn goes_on(conn: &Connection, error: &str, now: Time) -> Result<()> {
    let sql = "INSERT INTO mail_outage (id, since, error) VALUES (1, ?1, ?2)
        ON CONFLICT DO UPDATE SET error = excluded.error WHERE error <> excluded.error";
    query::run(conn, sql, params![now.to_string(), error])
}

/// Records that the server has taken an email.
pub(super) fn ends(conn: &Connection) -> Result<()> {
    // By its key, so that nothing is written if there is none.
    query::run(conn, "DELETE FROM mail_outage WHERE id = 1", [])
}

impl Store {
    /// Since when the mail server takes no emails; `None` while it takes them.
    pub async fn mail_outage(&self) -> Result<Option<MailOutage>> {
        self.read(current).await
    }

    /// Records that an attempt failed at `now` because of the mail server.
    pub async fn mail_server_failed(&self, error: String, now: Time) -> Result<()> {
        self.write(move |conn| goes_on(conn, &error, now)).await
    }
}
