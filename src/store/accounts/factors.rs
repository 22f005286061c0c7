//! Second factors, their challenges, and recovery codes.

use rusqlite::{Connection, Row, params};

use crate::database::row::read_row;
use crate::{Result, query};
use domain::account::Factor;
use domain::clock::Time;

const COLUMNS: &str =
    "id, user_id, factor_type, friendly_name, status, last_challenged_at, created_at, updated_at";

/// A user's factors, oldest first.
pub fn of_user(conn: &Connection, user_id: &str) -> Result<Vec<Factor>> {
    let sql = format!("SELECT {COLUMNS} FROM factors WHERE user_id = ?1 ORDER BY created_at, id");
    query::all(conn, &sql, [user_id], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Factor> {
    read_row!(row => Factor {
        id, user_id, friendly_name, factor_type, status, last_challenged_at, created_at, updated_at,
    })
}

/// Inserts an unverified factor. `secret` is encrypted by the caller.
pub fn insert(
    conn: &Connection,
    id: &str,
    user_id: &str,
    friendly_name: &str,
    secret: &str,
    now: Time,
) -> Result<()> {
    let sql = "INSERT INTO factors
          (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
        VALUES (?1, ?2, ?3, 'totp', 'unverified', ?4, ?5, ?5)";
    let values = [id, user_id, friendly_name, secret, &now.to_string()];
    query::run(conn, sql, values)
}

/// The secret of a factor.
pub struct FactorSecret {
    /// Encrypted.
    pub sealed: String,
    /// The last accepted time step.
    pub last_step: i64,
}

pub fn secret(conn: &Connection, id: &str) -> Result<FactorSecret> {
    let sql = "SELECT secret, last_step FROM factors WHERE id = ?1";
    let read = read_row!(FactorSecret => sealed: "secret", last_step);
    query::one(conn, sql, [id], read)
}

/// Records a correct code: codes of this time step or an earlier one are rejected from now on.
pub fn accept_step(conn: &Connection, id: &str, step: i64, now: Time) -> Result<()> {
    let sql = "UPDATE factors SET last_step = ?2, status = 'verified', updated_at = ?3
        WHERE id = ?1";
    query::run(conn, sql, params![id, step, now.to_string()])
}

pub fn delete(conn: &Connection, id: &str) -> Result<()> {
    query::run(conn, "DELETE FROM factors WHERE id = ?1", [id])
}

pub fn delete_unverified(conn: &Connection, user_id: &str) -> Result<()> {
    let sql = "DELETE FROM factors WHERE user_id = ?1 AND status = 'unverified'";
    query::run(conn, sql, [user_id])
}

/// Deletes unverified factors created before `from`, or after `to` by a clock that was wrong.
pub fn prune_unverified(conn: &Connection, from: Time, to: Time) -> Result<usize> {
    let sql = "DELETE FROM factors
        WHERE status = 'unverified' AND (created_at < ?1 OR created_at > ?2)";
    query::execute(conn, sql, [from.to_string(), to.to_string()])
}

#[derive(Clone, Debug)]
pub struct FactorChallenge {
    pub factor_id: String,
    /// The keyed hash of the client's address.
    pub client: String,
    /// Whether it was completed.
    pub used: bool,
    pub expires_at: Time,
}

/// Inserts a challenge.
pub fn challenge(
    conn: &Connection,
    id: &str,
    factor_id: &str,
    client: &str,
    now: Time,
    expires_at: Time,
) -> Result<()> {
    let at = now.to_string();
    let sql = "INSERT INTO challenges (id, factor_id, client, created_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = [id, factor_id, client, &at, &expires_at.to_string()];
    query::execute(conn, sql, values)?;
    let sql = "UPDATE factors SET last_challenged_at = ?2 WHERE id = ?1";
    query::run(conn, sql, [factor_id, &at])
}

pub fn challenge_by_id(conn: &Connection, id: &str) -> Result<Option<FactorChallenge>> {
    let sql = "SELECT factor_id, client, used_at, expires_at FROM challenges WHERE id = ?1";
    query::optional(conn, sql, [id], |found| {
        read_row!(found => FactorChallenge {
            factor_id, client, expires_at;
            used: found.get::<_, Option<String>>("used_at")?.is_some(),
        })
    })
}

/// Marks a challenge as completed.
pub fn use_challenge(conn: &Connection, id: &str, now: Time) -> Result<()> {
    let sql = "UPDATE challenges SET used_at = ?2 WHERE id = ?1";
    query::run(conn, sql, [id, &now.to_string()])
}

/// Deletes challenges that expired before `before`.
pub fn prune_challenges(conn: &Connection, before: Time) -> Result<usize> {
    let sql = "DELETE FROM challenges WHERE expires_at < ?1";
    query::execute(conn, sql, [before.to_string()])
}

pub fn replace_recovery_codes(
    conn: &Connection,
    user_id: &str,
    digests: &[String],
    now: Time,
) -> Result<()> {
    delete_recovery_codes(conn, user_id)?;
    let mut insert = conn.prepare_cached(
        "INSERT INTO recovery_codes (user_id, digest, created_at) VALUES (?1, ?2, ?3)",
    )?;
    for digest in digests {
        insert.execute([user_id, digest, &now.to_string()])?;
    }
    Ok(())
}

/// Marks a recovery code as used; returns whether it was valid.
pub fn use_recovery_code(
    conn: &Connection,
    user_id: &str,
    digest: &str,
    now: Time,
) -> Result<bool> {
    let sql = "UPDATE recovery_codes SET used_at = ?3
        WHERE user_id = ?1 AND digest = ?2 AND used_at IS NULL";
    let rows = query::execute(conn, sql, [user_id, digest, &now.to_string()])?;
    Ok(rows == 1)
}

/// The number of unused recovery codes.
pub fn recovery_codes_left(conn: &Connection, user_id: &str) -> Result<u32> {
    let sql = "SELECT count(*) FROM recovery_codes WHERE user_id = ?1 AND used_at IS NULL";
    query::one(conn, sql, [user_id], |row| row.get(0))
}

pub fn delete_recovery_codes(conn: &Connection, user_id: &str) -> Result<()> {
    let sql = "DELETE FROM recovery_codes WHERE user_id = ?1";
    query::run(conn, sql, [user_id])
}
