//! The ordered, append-only list of schema files and the loop that applies them, one transaction each. `user_version` counts them.

use rusqlite::{Connection, TransactionBehavior};

use super::{Error, Result};

const FILES: &[&str] = &[
    include_str!("schema/0001_accounts.sql"),
    include_str!("schema/0002_quotes.sql"),
    include_str!("schema/0003_outbox.sql"),
    include_str!("schema/0004_lighter_posts.sql"),
    include_str!("schema/0005_words_of_the_index.sql"),
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
    fn what_an_older_program_has_stored_is_kept() {
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
        let old = "INSERT INTO quotes (id, created_at, updated_at, first_name, last_name, email, phone, service_type, duration, start_date, location, emergency_contact)
                   VALUES (?1, ?2, ?2, 'Maria', 'Lee', 'maria@property.example', '7135550188', 'fire-watch', '1-week', '2026-12-01', 'Houston', 0)";
        for (id, at) in [
            ("b", "1970-01-01T00:00:02.007Z"),
            ("a", "1970-01-01T00:00:01.500Z"),
            ("c", "1970-01-01T00:00:02.007Z"),
        ] {
            conn.execute(old, [id, at]).unwrap();
        }
        apply(&mut conn).unwrap();
        let rows = |sql: &str| {
            let mut rows = conn.prepare(sql).unwrap();
            let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
            rows.collect::<Result<Vec<_>, _>>().unwrap()
        };
        assert_eq!(
            rows("SELECT key || fingerprint || subject_id FROM submissions WHERE key IS NOT NULL"),
            ["key-00000001printid-1"]
        );
        assert_eq!(
            rows("SELECT client FROM submissions WHERE key IS NULL"),
            ["somebody"]
        );
        assert_eq!(
            rows("SELECT id || (seq - 2007 * 16) FROM quotes WHERE seq >= 2007 * 16 ORDER BY seq"),
            ["b0", "c1"]
        );
        assert_eq!(rows("SELECT id FROM quotes ORDER BY seq"), ["a", "b", "c"]);
        assert_eq!(
            rows("SELECT CAST(quotes AS TEXT) FROM quote_counts WHERE status = 'pending'"),
            ["3"]
        );
    }
}
