//! The ordered, append-only list of schema files and the loop that applies them, one transaction each. `user_version` counts them.

use rusqlite::{Connection, TransactionBehavior};

use super::{Error, Result};

const FILES: &[&str] = &[
    include_str!("schema/0001_accounts.sql"),
    include_str!("schema/0002_quotes.sql"),
    include_str!("schema/0003_outbox.sql"),
    include_str!("schema/0004_submissions.sql"),
];

/// Applies what is missing. Safe to run from several processes at once: each step is checked again inside its transaction.
pub(super) fn apply(conn: &mut Connection) -> Result<()> {
    for (index, sql) in (0..).zip(FILES) {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: u32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if usize::try_from(version).is_ok_and(|version| version > FILES.len()) {
            return Err(Error::Conflict(format!(
                "this database was written by a newer guardpost (schema {version}, this program knows {})",
                FILES.len()
            )));
        }
        if version == index {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "user_version", index + 1)?;
            tx.commit()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_older_program_remembers_of_submissions_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut conn = crate::store::connection::open(&folder.path().join("old.db")).unwrap();
        for file in &FILES[..3] {
            conn.execute_batch(file).unwrap();
        }
        conn.execute_batch(
            "PRAGMA user_version = 3;
             INSERT INTO submissions VALUES ('quote', 'key-00000001', 'print', 'id-1', 1000);
             INSERT INTO form_window VALUES ('quote', 'somebody', 1000);",
        )
        .unwrap();
        apply(&mut conn).unwrap();
        let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(
            count(
                "SELECT count(*) FROM submissions WHERE key = 'key-00000001' AND fingerprint = 'print' AND subject_id = 'id-1'"
            ),
            1
        );
        assert_eq!(
            count("SELECT count(*) FROM submissions WHERE client = 'somebody' AND key IS NULL"),
            1
        );
    }
}
