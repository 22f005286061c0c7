//! Messages of a mailbox that were tried and are not stored.

use rusqlite::{Connection, params};

use super::position::{MailboxPosition, keep};
use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;

/// Tries after which a message that fails is set aside, while the others are read.
pub const MAX_TRIES: u32 = 3;
/// A message of a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageKey {
    pub mailbox: String,
    /// The server's number for its numbering of messages (UIDVALIDITY).
    pub uid_validity: u32,
    pub uid: u32,
}

/// A message that is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedMessage {
    pub uid_validity: u32,
    pub uid: u32,
    /// When it was tried first.
    pub first_at: Time,
    /// When it was tried last.
    pub tried_at: Time,
    /// Whether the others are read without it.
    pub is_set_aside: bool,
}

impl Store {
    /// The messages of a mailbox that were tried and are not stored.
    pub async fn tried_messages(&self, mailbox: String) -> Result<Vec<TriedMessage>> {
        self.read(move |conn| {
            let sql = "SELECT uid_validity, uid, first_at, tried_at,
                  tries >= ?2 AS set_aside
                FROM mailbox_tries WHERE mailbox = ?1 ORDER BY uid";
            query::all(conn, sql, params![mailbox, MAX_TRIES], |found| {
                read_row!(found => TriedMessage {
                    uid_validity, uid, first_at, tried_at, is_set_aside: "set_aside",
                })
            })
        })
        .await
    }

    /// Counts a try that failed, with its reason; returns how many there are with it.
    pub async fn message_failed(&self, key: MessageKey, error: String, now: Time) -> Result<u32> {
        self.write(move |conn| {
            let sql = "INSERT INTO mailbox_tries
                  (mailbox, uid_validity, uid, tries, first_at, tried_at, error)
                VALUES (?1, ?2, ?3, 1, ?4, ?4, ?5)
                ON CONFLICT DO UPDATE SET
                  tries = tries + 1, tried_at = excluded.tried_at, error = excluded.error
                RETURNING tries";
            let MessageKey {
                mailbox,
                uid_validity,
                uid,
            } = key;
            let values = params![mailbox, uid_validity, uid, now.to_string(), error];
            query::one(conn, sql, values, |row| row.get(0))
        })
        .await
    }

    /// Records that a message is stored, or is gone: the position moves to it, if it is before it.
    pub async fn end_message(&self, key: MessageKey, now: Time) -> Result<()> {
        self.write(move |conn| {
            let sql = "DELETE FROM mailbox_tries
                WHERE mailbox = ?1 AND uid_validity = ?2 AND uid = ?3";
            query::execute(conn, sql, params![key.mailbox, key.uid_validity, key.uid])?;
            let position = MailboxPosition {
                uid_validity: key.uid_validity,
                last_uid: key.uid,
                read_at: now,
            };
            keep(conn, &key.mailbox, &position)
        })
        .await
    }

    /// Forgets the messages of other numberings: those that are still there were compared.
    pub async fn forget_other_numberings(&self, mailbox: String, uid_validity: u32) -> Result<()> {
        self.write(move |conn| {
            let sql = "DELETE FROM mailbox_tries WHERE mailbox = ?1 AND uid_validity <> ?2";
            query::run(conn, sql, params![mailbox, uid_validity])
        })
        .await
    }
}

/// The numbers of the messages of a mailbox that were set aside.
pub(super) fn set_aside(conn: &Connection, mailbox: &str) -> Result<Vec<u32>> {
    let sql = "SELECT uid FROM mailbox_tries
        WHERE mailbox = ?1 AND tries >= ?2 ORDER BY uid";
    query::all(conn, sql, params![mailbox, MAX_TRIES], |row| row.get(0))
}
