//! Sessions and the counters of their refresh tokens. The rules of rotation are in
//! `auth::sessions::refresh`.

use rusqlite::{Connection, Row, params};

use crate::database::row::{self, read_row};
use crate::{Result, query};
use domain::account::Session;
use domain::clock::Time;

const COLUMNS: &str =
    "id, user_id, created_at, refreshed_at, aal, amr, factor_id, user_agent, counter, floor";

pub fn insert(conn: &Connection, session: &Session) -> Result<()> {
    row::insert_row!(conn, "sessions", {
        id: session.id, user_id: session.user_id, created_at: session.created_at.to_string(),
        refreshed_at: session.refreshed_at.to_string(), aal: session.aal.as_str(),
        amr: row::text(&session.amr)?, factor_id: session.factor_id, user_agent: session.user_agent,
        counter: session.counter, floor: session.min_counter,
    })?;
    Ok(())
}

pub fn by_id(conn: &Connection, id: &str) -> Result<Option<Session>> {
    let sql = format!("SELECT {COLUMNS} FROM sessions WHERE id = ?1");
    query::optional(conn, &sql, [id], read)
}

/// A user's sessions, newest first.
pub fn of_user(conn: &Connection, user_id: &str) -> Result<Vec<Session>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM sessions WHERE user_id = ?1 ORDER BY created_at DESC, id DESC"
    );
    query::all(conn, &sql, [user_id], read)
}

/// Updates what a refresh or a second factor changes: AAL, AMR, counters and time.
pub fn update(conn: &Connection, session: &Session) -> Result<()> {
    let sql = "UPDATE sessions SET refreshed_at = ?2, aal = ?3, amr = ?4, factor_id = ?5,
        counter = ?6, floor = ?7 WHERE id = ?1";
    let values = params![
        session.id,
        session.refreshed_at.to_string(),
        session.aal.as_str(),
        row::text(&session.amr)?,
        session.factor_id,
        session.counter,
        session.min_counter
    ];
    query::change(conn, sql, values)
}

/// Records the use of a refresh token. Deletes records from before `prune_before`.
pub fn mark_used(
    conn: &Connection,
    session_id: &str,
    counter: u32,
    now: Time,
    prune_before: Time,
) -> Result<()> {
    let sql = "DELETE FROM refreshes WHERE session_id = ?1 AND at < ?2";
    query::execute(conn, sql, [session_id, &prune_before.to_string()])?;
    let sql = "INSERT OR REPLACE INTO refreshes (session_id, counter, at) VALUES (?1, ?2, ?3)";
    query::run(conn, sql, params![session_id, counter, now.to_string()])
}

/// When a refresh token was used, unless that record was deleted.
pub fn used_at(conn: &Connection, session_id: &str, counter: u32) -> Result<Option<Time>> {
    let sql = "SELECT at FROM refreshes WHERE session_id = ?1 AND counter = ?2";
    query::optional(conn, sql, params![session_id, counter], |found| {
        row::column(found, "at")
    })
}

/// Deletes one session; returns whether it existed.
pub fn end(conn: &Connection, id: &str) -> Result<bool> {
    let rows = query::execute(conn, "DELETE FROM sessions WHERE id = ?1", [id])?;
    Ok(rows == 1)
}

/// Deletes all of a user's sessions; returns how many.
pub fn end_all(conn: &Connection, user_id: &str) -> Result<usize> {
    query::execute(conn, "DELETE FROM sessions WHERE user_id = ?1", [user_id])
}

/// Deletes all of a user's sessions except `keep`; returns how many.
pub fn end_others(conn: &Connection, user_id: &str, keep: &str) -> Result<usize> {
    let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id <> ?2";
    query::execute(conn, sql, [user_id, keep])
}

/// Deletes a user's sessions at AAL1 except `keep`.
pub fn end_others_at_aal1(conn: &Connection, user_id: &str, keep: &str) -> Result<usize> {
    let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id <> ?2 AND aal = 'aal1'";
    query::execute(conn, sql, [user_id, keep])
}

/// Sets the sessions that reached AAL2 with this factor to AAL1.
pub fn downgrade_aal(conn: &Connection, factor_id: &str) -> Result<()> {
    let sql = "UPDATE sessions SET aal = 'aal1', factor_id = NULL WHERE factor_id = ?1";
    query::run(conn, sql, [factor_id])
}

/// Sets all of a user's sessions to AAL1.
pub fn downgrade_all_aal(conn: &Connection, user_id: &str) -> Result<()> {
    let sql = "UPDATE sessions SET aal = 'aal1', factor_id = NULL WHERE user_id = ?1";
    query::run(conn, sql, [user_id])
}

/// Deletes sessions created before `created` or not refreshed since `refreshed`.
pub fn prune(conn: &Connection, created: Time, refreshed: Time) -> Result<usize> {
    let sql = "DELETE FROM sessions WHERE created_at < ?1 OR refreshed_at < ?2";
    query::execute(conn, sql, [created.to_string(), refreshed.to_string()])
}

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    read_row!(row => Session {
        id, user_id, created_at, refreshed_at, aal, amr, factor_id, user_agent, counter,
        min_counter: "floor",
    })
}
