use super::*;
use crate::Checkpoints;
use crate::database::{connection, schema};

/// A separate process with its own connection.
struct Process(Connection, Mutex<RecentTexts>);

impl Process {
    fn open(folder: &tempfile::TempDir) -> Self {
        let mut conn =
            connection::open(&folder.path().join("guardpost.db"), Checkpoints::Store).unwrap();
        schema::apply(&mut conn).unwrap();
        Self(conn, Mutex::default())
    }

    /// Submits in a transaction that ends with the statement `end`.
    fn submit(&self, client: &str, key: Option<&str>, text: &str, end: &str) -> Submitted {
        let submission = Submission {
            spam: Assessment::default(),
            client: client.into(),
            site: None,
            key: key.map(str::to_owned),
            fingerprint: text.into(),
            max: 3,
            window_ms: 300_000,
        };
        let Self(conn, texts) = self;
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        let now = Time::from_millis(1_800_000_000_000);
        let id = |_: &Connection, _| Ok((format!("{client} {text}"), String::new()));
        let submitted = insert_once(conn, texts, "quote", &submission, now, id).unwrap();
        conn.execute_batch(end).unwrap();
        submitted
    }
}

fn is_new(submitted: &Submitted) -> bool {
    matches!(submitted, Submitted::Stored(_))
}

fn is_duplicate(submitted: &Submitted, id: &str) -> bool {
    matches!(submitted, Submitted::Duplicate(receipt) if receipt.id == id)
}

#[test]
fn a_rolled_back_submission_is_not_found_even_if_another_process_reused_its_row_ids() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Process::open(&folder), Process::open(&folder));
    for key in ["a", "b", "c"] {
        assert!(is_new(&one.submit("Ann", Some(key), key, "ROLLBACK")));
    }
    for key in ["d", "e", "f"] {
        assert!(is_new(&other.submit("Bob", Some(key), key, "COMMIT")));
    }
    for key in ["a", "b", "c"] {
        assert!(is_new(&one.submit("Ann", Some(key), key, "COMMIT")));
    }
    assert!(is_duplicate(
        &one.submit("Bob", Some("f"), "f", "COMMIT"),
        "Bob f"
    ));
    assert!(is_duplicate(
        &other.submit("Ann", Some("a"), "a", "COMMIT"),
        "Ann a"
    ));
    let full = one.submit("Bob", Some("g"), "g", "COMMIT");
    assert_eq!(full, Submitted::TooMany { wait_ms: 300_000 });
}

#[test]
fn a_new_process_finds_duplicates_with_and_without_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let first = Process::open(&folder);
    assert!(is_new(&first.submit("Ann", Some("a"), "lot 1", "COMMIT")));
    assert!(is_new(&first.submit("Ann", None, "lot 2", "COMMIT")));
    drop(first);
    let next = Process::open(&folder);
    assert!(is_duplicate(
        &next.submit("Ann", Some("a"), "lot 1", "COMMIT"),
        "Ann lot 1"
    ));
    assert!(is_new(&next.submit("Bob", Some("a"), "lot 1", "COMMIT")));
    assert!(is_duplicate(
        &next.submit("Ann", None, "lot 2", "COMMIT"),
        "Ann lot 2"
    ));
    assert!(is_new(&next.submit("Bob", None, "lot 2", "COMMIT")));
    assert_eq!(
        next.submit("Ann", Some("a"), "lot 3", "COMMIT"),
        Submitted::KeyReused
    );
}
