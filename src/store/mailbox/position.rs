//! How far a mailbox is read, so that a restart reads no message twice and loses none.

use rusqlite::{Connection, params};

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;

/// The last message of a mailbox that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailboxPosition {
    /// The server's number for its numbering of messages (UIDVALIDITY, RFC 9051, 2.3.1.1).
    pub uid_validity: u32,
    pub last_uid: u32,
    /// When that message was read.
    pub read_at: Time,
}

impl Store {
    /// The position in a mailbox; `None` if it was never read.
    pub async fn mailbox_position(&self, mailbox: String) -> Result<Option<MailboxPosition>> {
        self.read(move |conn| {
            let sql =
                "SELECT uid_validity, last_uid, read_at FROM mailbox_positions WHERE mailbox = ?1";
            let read = read_row!(MailboxPosition => uid_validity, last_uid, read_at);
            query::optional(conn, sql, [mailbox], read)
        })
        .await
    }

    /// Stores a position. Within the same numbering it never goes back.
    pub async fn keep_mailbox_position(
        &self,
        mailbox: String,
        position: MailboxPosition,
    ) -> Result<()> {
        self.write(move |conn| keep(conn, &mailbox, &position))
            .await
    }
}

/// Stores a position. Within the same numbering it never goes back.
pub(super) fn keep(conn: &Connection, mailbox: &str, position: &MailboxPosition) -> Result<()> {
    let sql = "INSERT INTO mailbox_positions (mailbox, uid_validity, last_uid, read_at)
        VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (mailbox) DO UPDATE SET
          last_uid = iif(uid_validity = excluded.uid_validity,
            max(last_uid, excluded.last_uid), excluded.last_uid),
          uid_validity = excluded.uid_validity, read_at = excluded.read_at";
    let read_at = position.read_at.to_string();
    let values = params![mailbox, position.uid_validity, position.last_uid, read_at];
    query::run(conn, sql, values)
}
