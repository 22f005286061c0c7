//! One-time codes and links sent by email. The rules are in `auth::sign_in::email_tokens`.

mod token;

use rusqlite::{Connection, params};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::clock::Time;
use token::{COLUMNS, read};
pub use token::{OneTimeToken, Sender, SignUp};

/// Wrong attempts after which the code of an email is invalid.
pub const WRONG_CODES: u32 = 5;

/// Inserts a token. It replaces earlier tokens of the same sender in the slot, except sign-ups: a
/// sign-up must not cancel that of another client.
pub fn put(conn: &Connection, token: &OneTimeToken, now: Time) -> Result<()> {
    if token.slot != "confirmation" || token.sender == Sender::Admin {
        replace(conn, token)?;
    }
    let sign_up = token.sign_up.as_ref();
    let metadata = sign_up.map(|sign_up| row::text(&sign_up.user_metadata));
    row::insert_row!(conn, "one_time_tokens", {
        user_id: token.user_id, slot: token.slot, sender: token.sender.as_str(), kind: token.kind,
        address: token.address, nonce: token.nonce, digest: token.digest, flow_id: token.flow_id,
        wrong: token.wrong, password_hash: sign_up.and_then(|it| it.password_hash.as_ref()),
        user_metadata: metadata.transpose()?, expires_at: token.expires_at.to_string(),
        created_at: now.to_string(),
    })?;
    Ok(())
}

fn replace(conn: &Connection, token: &OneTimeToken) -> Result<()> {
    let (condition, key) = match &token.user_id {
        Some(id) => ("user_id = ?1", id),
        None => ("user_id IS NULL AND address = ?1", &token.address),
    };
    let sql =
        format!("DELETE FROM one_time_tokens WHERE {condition} AND slot = ?2 AND sender = ?3");
    query::run(conn, &sql, [key, &token.slot, token.sender.as_str()])
}

/// The tokens of a user's slot whose codes are valid at `now`: the newest of each sender, so that
/// more emails do not make a code easier to guess.
pub fn in_slot(
    conn: &Connection,
    user_id: &str,
    slot: &str,
    now: Time,
) -> Result<Vec<OneTimeToken>> {
    codes(conn, "user_id = ?1", user_id, slot, now)
}

/// The same for the tokens sent to an address, of any user.
pub fn sent_to(
    conn: &Connection,
    address: &str,
    slot: &str,
    now: Time,
) -> Result<Vec<OneTimeToken>> {
    codes(
        conn,
        "user_id IS NOT NULL AND address = ?1",
        address,
        slot,
        now,
    )
}

fn codes(
    conn: &Connection,
    condition: &str,
    key: &str,
    slot: &str,
    now: Time,
) -> Result<Vec<OneTimeToken>> {
    let newest = format!(
        "SELECT {COLUMNS} FROM one_time_tokens
         WHERE {condition} AND slot = ?2 AND sender = ?3 AND expires_at > ?4
         ORDER BY id DESC LIMIT 1"
    );
    let mut rows = Vec::new();
    for sender in [Sender::Request, Sender::Admin] {
        let values = [key, slot, sender.as_str(), &now.to_string()];
        let found = query::optional(conn, &newest, values, read)?;
        rows.extend(found.filter(|row| row.wrong < WRONG_CODES));
    }
    Ok(rows)
}

pub fn by_digest(conn: &Connection, digest: &str) -> Result<Option<OneTimeToken>> {
    let sql = format!("SELECT {COLUMNS} FROM one_time_tokens WHERE digest = ?1");
    query::optional(conn, &sql, [digest], read)
}

/// The password hash of the newest unconfirmed sign-up that has one.
pub fn newest_password_hash(conn: &Connection, user_id: &str) -> Result<Option<String>> {
    let sql = "SELECT password_hash FROM one_time_tokens
        WHERE user_id = ?1 AND slot = 'confirmation' AND password_hash IS NOT NULL
        ORDER BY id DESC LIMIT 1";
    query::optional(conn, sql, [user_id], |row| row.get(0))
}

/// The unconfirmed sign-up; `None` if there are several, which may come from different clients.
pub fn only_sign_up(conn: &Connection, user_id: &str) -> Result<Option<SignUp>> {
    let sql = "SELECT DISTINCT password_hash, user_metadata FROM one_time_tokens
        WHERE user_id = ?1 AND slot = 'confirmation' AND user_metadata IS NOT NULL LIMIT 2";
    let read = read_row!(SignUp => password_hash, user_metadata);
    let mut found: Vec<_> = query::all(conn, sql, [user_id], read)?;
    Ok(found.pop().filter(|_| found.is_empty()))
}

/// Counts a wrong attempt.
pub fn count_wrong(conn: &Connection, id: i64) -> Result<()> {
    let sql = "UPDATE one_time_tokens SET wrong = wrong + 1 WHERE id = ?1";
    query::run(conn, sql, [id])
}

/// Expires all codes and links of a user's slot that clients requested. Those sent by an admin stay
/// valid, and the data of sign-ups is kept.
pub fn void_requests(
    conn: &Connection,
    user_id: Option<&str>,
    slot: &str,
    now: Time,
) -> Result<()> {
    let sql = "UPDATE one_time_tokens SET expires_at = min(expires_at, ?3)
        WHERE user_id = ?1 AND slot = ?2 AND sender = 'request'";
    query::run(conn, sql, params![user_id, slot, now.to_string()])
}

pub fn delete(conn: &Connection, id: i64) -> Result<()> {
    query::run(conn, "DELETE FROM one_time_tokens WHERE id = ?1", [id])
}

pub fn delete_slot(conn: &Connection, user_id: &str, slot: &str) -> Result<()> {
    let sql = "DELETE FROM one_time_tokens WHERE user_id = ?1 AND slot = ?2";
    query::run(conn, sql, [user_id, slot])
}

/// Deletes all tokens of a user; returns how many.
pub fn delete_all(conn: &Connection, user_id: &str) -> Result<usize> {
    let sql = "DELETE FROM one_time_tokens WHERE user_id = ?1";
    query::execute(conn, sql, [user_id])
}

/// Deletes tokens that expired before `before`; sign-ups are kept until `sign_ups_before`, so that
/// their emails can be sent again.
pub fn prune(conn: &Connection, before: Time, sign_ups_before: Time) -> Result<usize> {
    let sql = "DELETE FROM one_time_tokens WHERE expires_at < iif(user_metadata IS NULL, ?1, ?2)";
    query::execute(conn, sql, [before.to_string(), sign_ups_before.to_string()])
}
