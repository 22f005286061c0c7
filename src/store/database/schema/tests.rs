use std::path::Path;

use super::*;
use crate::domain::clock::Time;
use crate::domain::request::quote::Status;
use crate::store::{Actor, Checkpoints, InboxQuery, MoveResult, RequestFilter, Store};

const OLD_QUOTE: &str = "INSERT INTO quotes (id, created_at, updated_at, first_name, last_name,
    email, phone, service_type, duration, start_date, location, emergency_contact)
    VALUES (?1, ?2, ?2, 'Maria', 'Lee', 'maria@property.example', '7135550188', 'fire-watch',
    '1-week', '2026-12-01', 'Houston', 0)";

/// A new database in `file` with the first `version` files of the schema.
fn old_database(file: &Path, version: u8) -> Connection {
    let conn = crate::store::database::connection::open(file, Checkpoints::Store).unwrap();
    add_functions(&conn).unwrap();
    for sql in &FILES[..usize::from(version)] {
        conn.execute_batch(sql).unwrap();
    }
    conn.pragma_update(None, "user_version", version).unwrap();
    conn
}

#[tokio::test]
async fn a_quote_whose_id_does_not_encode_its_seq_is_found_and_moved_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    let conn = old_database(&file, 3);
    let (id, at) = (
        "01a1fc3e-39c6-7a77-b418-fd7752849fdb",
        "2026-11-21T03:04:05.678Z",
    );
    conn.execute(OLD_QUOTE, [id, at]).unwrap();
    drop(conn);
    let store = Store::open(&file).unwrap();
    let copy = crate::store::database::connection::open(
        &folder.path().join("old.db.schema-3"),
        Checkpoints::Store,
    )
    .unwrap();
    let kept = "SELECT (SELECT location FROM quotes) || (SELECT user_version \
                FROM pragma_user_version)";
    let kept: String = copy.query_row(kept, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, "Houston3", "the state before the migration is kept");
    assert_eq!(
        store.quote(id.to_owned()).await.unwrap().location,
        "Houston"
    );
    let now = Time::parse(at).unwrap();
    let by = Actor {
        user_id: "admin".into(),
        client: "client".into(),
    };
    let moved = store
        .move_quote(id.to_owned(), Status::InProgress, by, now)
        .await;
    assert!(matches!(moved.unwrap(), MoveResult::Done(_)));
    assert_eq!(
        store.quote(id.to_owned()).await.unwrap().status,
        Status::InProgress
    );
    let beside = "01a1fc3e-39c6-7a77-b418-fd7752849fdc";
    assert!(matches!(
        store.quote(beside.to_owned()).await,
        Err(Error::Missing)
    ));
}

#[test]
fn a_migration_that_fails_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = old_database(&folder.path().join("old.db"), 3);
    // A later file creates a table with this name.
    conn.execute_batch("CREATE TABLE events (id INTEGER)")
        .unwrap();
    let count = "SELECT count(*) FROM sqlite_schema";
    let count = |conn: &Connection| conn.query_row(count, [], |row| row.get::<_, i64>(0));
    let before = count(&conn).unwrap();
    assert!(apply(&mut conn).is_err());
    assert_eq!(version_of(&conn).unwrap(), 3);
    assert_eq!(count(&conn).unwrap(), before);
}

#[tokio::test]
async fn requests_that_were_indexed_without_a_word_of_a_filter_are_indexed_again() {
    let in_texas = RequestFilter {
        state: Some("TX"),
        statuses: vec![Status::Pending],
        ..RequestFilter::default()
    };
    let attention = RequestFilter {
        attention: Some(true),
        ..RequestFilter::default()
    };
    for (version, filter) in [(22, in_texas), (52, attention)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("old.db");
        let conn = old_database(&file, version);
        conn.execute_batch(
            "INSERT INTO quotes (seq, id, reference, created_at, updated_at, first_name, last_name,
               email, phone, service_type, duration, start_date, location, emergency_contact)
             VALUES (16, 'a', 'GP-2K7Q', '', '', 'Maria', 'Lee', 'maria@property.example',
               '7135550188', 'fire-watch', '1-week', '2026-12-01', 'Houston, TX', 0);
             INSERT INTO request_words (rowid, words)
             VALUES (16, 'qqfpending qqfstatetx houston');",
        )
        .unwrap();
        drop(conn);
        let store = Store::open(&file).unwrap();
        let query = InboxQuery {
            filter,
            limit: 1,
            ..InboxQuery::default()
        };
        let page = store.inbox(query).await.unwrap();
        assert_eq!(page.requests.len(), 1, "{version}");
        assert_eq!(page.counts.by_status, [1, 0, 0, 0]);
        assert!(!page.incomplete);
    }
}

#[test]
fn data_of_an_older_version_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = old_database(&folder.path().join("old.db"), 3);
    conn.execute_batch(
        "INSERT INTO submissions VALUES ('quote', 'key-00000001', 'print', 'id-1', 1000);
         INSERT INTO form_window VALUES ('quote', 'somebody', 1000);",
    )
    .unwrap();
    for (id, at) in [
        ("b", "1970-01-01T00:00:02.007Z"),
        ("a", "1970-01-01T00:00:01.500Z"),
        ("c", "1970-01-01T00:00:02.007Z"),
    ] {
        conn.execute(OLD_QUOTE, [id, at]).unwrap();
    }
    for (id, at) in [
        ("m1", "1970-01-01T00:00:02.007Z"),
        ("m2", "1970-01-01T00:00:03.000Z"),
        ("m3", "1970-01-01T00:00:04.000Z"),
    ] {
        let message = "INSERT INTO contact_messages \
                       VALUES (?1, ?2, 'Maria', 'Lee', 'maria@property.example', \
                       '7135550188', NULL, 'fire-watch', 'Help', NULL)";
        conn.execute(message, [id, at]).unwrap();
    }
    // More quotes in a millisecond than there are values of `seq`.
    for n in 10..50 {
        let at = if n < 40 {
            "1970-01-01T00:00:03.000Z"
        } else {
            "1970-01-01T00:00:03.001Z"
        };
        conn.execute(OLD_QUOTE, [&n.to_string(), at]).unwrap();
        conn.execute(
            "INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at) \
                      VALUES (?1, ?2, 'quote', ?1, '', '')",
            [&n.to_string(), at],
        )
        .unwrap();
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
        rows(
            "SELECT id || (seq - 2007 * 16) FROM quotes WHERE seq BETWEEN 2007 * 16 \
             AND 3000 * 16 - 1 ORDER BY seq"
        ),
        ["b0", "c1"]
    );
    let many: Vec<_> = (10..50).map(|n| n.to_string()).collect();
    let order = rows("SELECT id FROM quotes ORDER BY seq");
    assert_eq!(
        order,
        [&["a", "b", "c"].map(str::to_owned)[..], &many].concat()
    );
    assert_eq!(
        rows("SELECT CAST(seq - 3000 * 16 AS TEXT) FROM quotes WHERE id IN ('10', '49')"),
        ["0", "39"]
    );
    // In the next unused numbers.
    assert_eq!(
        rows(
            "SELECT CAST(seq - (seq / 16000) * 16000 AS TEXT) FROM contact_messages \
             ORDER BY seq"
        ),
        ["114", "40", "0"]
    );
    assert_eq!(
        rows("SELECT CAST(seq AS TEXT) FROM old_request_ids WHERE id = 'm2'").len(),
        1
    );
    let references = "SELECT reference FROM quotes UNION SELECT reference FROM contact_messages";
    let references = rows(references);
    assert_eq!(references.len(), 46);
    for reference in references {
        assert_eq!(reference::parse(&reference), Some(reference));
    }
    assert_eq!(rows("SELECT subject_id FROM outbox ORDER BY id"), many);
    assert_eq!(
        rows("SELECT CAST(id - 3000 * 16 AS TEXT) FROM outbox WHERE subject_id IN ('10', '49')"),
        ["0", "39"]
    );
    assert_eq!(
        rows(
            "SELECT CAST(sum(requests) AS TEXT) FROM request_counts WHERE kind = 'quote' \
             AND status = 'pending'"
        ),
        ["43"]
    );
    assert_eq!(
        rows("SELECT CAST(requests AS TEXT) FROM request_counts WHERE kind = 'number'"),
        ["46"]
    );
}

#[test]
fn the_password_of_an_unconfirmed_account_moves_to_its_token_or_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut conn = old_database(&folder.path().join("old.db"), 8);
    conn.execute_batch(
        "INSERT INTO users (id, email, password_hash, email_confirmed_at, invited_at,
         user_metadata, created_at, updated_at) VALUES
           ('waits', 'a@b', 'hash-a', NULL, NULL, '{\"name\":\"A\"}', '', ''),
           ('late', 'b@b', 'hash-b', NULL, NULL, '{}', '', ''),
           ('invited', 'c@b', 'hash-c', NULL, '2026', '{}', '', ''),
           ('promoted', 'd@b', 'hash-d', NULL, NULL, '{}', '', ''),
           ('made', 'e@b', 'hash-e', NULL, NULL, '{}', '', ''),
           ('proved', 'f@b', 'hash-f', '2026', NULL, '{}', '', '');
         INSERT INTO user_roles VALUES ('promoted', 'admin', '');
         INSERT INTO audit (id, at, action, actor, subject_id)
         VALUES ('1', '', 'user_created', 'x', 'made');
         INSERT INTO one_time_tokens (user_id, slot, kind, address, nonce, digest, created_at,
         expires_at) VALUES
           ('waits', 'confirmation', 'signup', 'a@b', '', '1', '', '9'),
           ('invited', 'confirmation', 'invite', 'c@b', '', '2', '', '9'),
           ('promoted', 'confirmation', 'signup', 'd@b', '', '3', '', '9'),
           ('proved', 'recovery', 'recovery', 'f@b', '', '4', '', '9');",
    )
    .unwrap();
    apply(&mut conn).unwrap();
    let rows = |sql: &str| {
        let mut rows = conn.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(
        rows(
            "SELECT id || ' ' || password_hash FROM users WHERE password_hash IS NOT NULL \
             ORDER BY id"
        ),
        ["made hash-e", "proved hash-f"]
    );
    assert_eq!(
        rows(
            "SELECT concat_ws(' ', user_id, sender, password_hash, user_metadata) \
             FROM one_time_tokens ORDER BY digest"
        ),
        [
            "waits request hash-a {\"name\":\"A\"}",
            "invited admin",
            "promoted request",
            "proved request"
        ]
    );
    assert_eq!(
        rows("SELECT id FROM users WHERE admin_managed ORDER BY id"),
        ["invited", "made", "promoted"]
    );
}
