//! The rows of received emails, stored before they are acknowledged.

use rusqlite::Connection;

use super::copies::SEPARATOR;
use crate::database::row::{self, read_row};
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Result, Store, query};
use domain::clock::Time;

domain::text_enum! {
    /// How an email came.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Way {
        /// By `guardpost receive`.
        Pipe = "pipe",
        /// From a mailbox.
        Imap = "imap",
    }
}

/// An email to store.
#[derive(Clone, Debug)]
pub struct NewEmail {
    /// UUIDv7.
    pub id: String,
    pub fingerprint: String,
    pub way: Way,
    /// The address of its envelope, if it is known.
    pub recipient: Option<String>,
    /// Its bytes.
    pub object: Object,
}

/// An email that is not in a conversation yet.
#[derive(Clone, Debug)]
pub struct PendingEmail {
    pub id: String,
    pub recipient: Option<String>,
    /// The content with its bytes.
    pub sha256: String,
}

/// The name of the object with the bytes of an email.
pub fn object_name(id: &str) -> String {
    format!("{id}/message.eml")
}

impl Store {
    /// Whether an email with this fingerprint is stored.
    pub async fn has_email(&self, fingerprint: String) -> Result<bool> {
        self.read(move |conn| is_known(conn, &fingerprint)).await
    }

    /// Stores an email, once. Returns whether it is new.
    pub async fn store_email(&self, email: NewEmail, now: Time) -> Result<bool> {
        self.write(move |conn| {
            if is_known(conn, &email.fingerprint)? {
                return Ok(false);
            }
            objects::insert(conn, &email.object)?;
            row::insert_row!(conn, "received_emails", {
                id: email.id, fingerprint: email.fingerprint, received_at: now.to_string(),
                way: email.way.as_str(), recipient: email.recipient,
                size: email.object.size.cast_signed(),
            })?;
            Ok(true)
        })
        .await
    }

    /// The first email that waits to be read: the oldest that was never tried, else the one that was
    /// tried longest ago.
    pub async fn next_email(&self) -> Result<Option<PendingEmail>> {
        self.read(|conn| {
            let sql = "SELECT received_emails.id, recipient, sha256 FROM received_emails
                JOIN objects ON bucket_id = 'mail'
                  AND name = received_emails.id || '/message.eml'
                LEFT JOIN email_tries ON email = received_emails.id
                WHERE state = 'new' ORDER BY began_at, received_at LIMIT 1";
            let read = read_row!(PendingEmail => id, recipient, sha256);
            query::optional(conn, sql, [], read)
        })
        .await
    }

    /// Puts an email among those without a request that is not read at all.
    pub async fn set_email_aside(&self, id: String) -> Result<()> {
        let email_id = id.clone();
        let done = self.write(move |conn| {
            let sql = "UPDATE received_emails SET state = 'unmatched', class = 'human'
                WHERE id = ?1 AND state = 'new'";
            Ok(conn.prepare_cached(sql)?.execute([id])?)
        });
        if done.await? > 0 {
            self.changes.email_waits(&email_id);
        }
        Ok(())
    }

    /// The number of stored emails, whatever way they came, each once.
    pub async fn count_received_emails(&self) -> Result<u64> {
        self.read(|conn| {
            let sql = "SELECT count(*) FROM received_emails WHERE instr(fingerprint, ?1) = 0";
            let separator = SEPARATOR.to_string();
            let count: i64 = conn.query_row(sql, [separator], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        })
        .await
    }

    /// The number of emails that are not in a conversation yet.
    pub async fn count_pending_emails(&self) -> Result<u64> {
        self.read(|conn| {
            let sql = "SELECT count(*) FROM received_emails WHERE state = 'new'";
            let count: i64 = conn.query_row(sql, [], |row| row.get(0))?;
            Ok(count.unsigned_abs())
        })
        .await
    }

    /// Deletes emails without a request that were discarded, or whose programs say that they wrote
    /// them, and came before `before`; returns how many. One with a mark may be a person's, as may
    /// one that was read before there were marks: they stay until they are discarded.
    pub async fn purge_emails(&self, before: Time) -> Result<usize> {
        self.write(move |conn| {
            let purge = "DELETE FROM received_emails
                WHERE state <> 'attached' AND received_at < ?1 AND (state = 'discarded'
                  OR state = 'unmatched' AND class <> 'human' AND detail ->> '$.marks' = '[]')";
            Ok(conn.prepare_cached(purge)?.execute([before.to_string()])?)
        })
        .await
    }
}

fn is_known(conn: &Connection, fingerprint: &str) -> Result<bool> {
    let sql = "SELECT 1 FROM received_emails WHERE fingerprint = ?1";
    query::exists(conn, sql, [fingerprint])
}
