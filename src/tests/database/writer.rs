//! Guarantees of the writer thread for each job, independent of the other jobs in its transaction.

use std::sync::mpsc;
use std::task::Poll;

use futures_util::future::{join_all, poll_immediate};
use store::{Error, Store};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

fn open(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("guardpost.db")).unwrap()
}

/// A job that inserts one row, a call click on `page`.
fn insert_click(conn: &rusqlite::Connection, page: &str) -> Result<(), Error> {
    conn.execute(
        "INSERT INTO taps (day, page, taps) VALUES ('2026-11-21', ?1, 1)",
        [page],
    )?;
    Ok(())
}

async fn pages(store: &Store) -> Vec<String> {
    let clicks = store.call_clicks_since("2026-11-21".into()).await.unwrap();
    clicks.into_iter().map(|(page, _)| page).collect()
}

/// Blocks the writer inside a job until it is dropped; jobs sent during that share the next
/// transactions.
struct BlockedWriter {
    _open: mpsc::Sender<()>,
    job: JoinHandle<Result<(), Error>>,
}

async fn block_writer(store: &Store, page: &'static str) -> BlockedWriter {
    block_writer_until(store, page, || Ok(())).await
}

/// The same; the job then has the result of `end`.
async fn block_writer_until(
    store: &Store,
    page: &'static str,
    end: fn() -> Result<(), Error>,
) -> BlockedWriter {
    let (open, opened) = mpsc::channel::<()>();
    let (inside, entered) = oneshot::channel();
    let store = store.clone();
    let job = tokio::spawn(async move {
        let work = move |conn: &rusqlite::Connection| {
            insert_click(conn, page)?;
            inside.send(()).unwrap();
            let _ = opened.recv();
            end()
        };
        store.write(work).await
    });
    entered.await.unwrap();
    BlockedWriter { _open: open, job }
}

#[tokio::test]
async fn a_job_that_fails_or_panics_does_not_affect_others_in_its_transaction() {
    write_with_failing_jobs(|| Ok(()), &["/gate"]).await;
}

#[tokio::test]
async fn a_first_job_that_fails_or_panics_does_not_affect_those_that_wait_behind_it() {
    write_with_failing_jobs(|| Err(Error::Missing), &[]).await;
    write_with_failing_jobs(|| panic!("the first job panics after its write"), &[]).await;
}

/// Queues forty jobs behind one that ends with `end`, and expects its row to be `stored`.
async fn write_with_failing_jobs(end: fn() -> Result<(), Error>, stored: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let gate = block_writer_until(&store, "/gate", end).await;
    let jobs: Vec<_> = (0..40)
        .map(|n| {
            let job = store.write(move |conn| {
                insert_click(conn, &format!("/{n:02}"))?;
                match n % 4 {
                    1 => Err(Error::Conflict("no".into())),
                    2 => panic!("a job panics after its write"),
                    3 => insert_click(conn, "/00").or(Ok(())),
                    _ => Ok(()),
                }
            });
            Box::pin(job)
        })
        .collect();
    let all = join_all(jobs);
    tokio::pin!(all);
    assert!(
        poll_immediate(&mut all).await.is_none(),
        "they wait for the gate"
    );
    drop(gate);
    let results = all.await;
    for (n, result) in results.iter().enumerate() {
        match n % 4 {
            1 => assert!(matches!(result, Err(Error::Conflict(_))), "{n}: {result:?}"),
            2 => assert!(matches!(result, Err(Error::Failed)), "{n}: {result:?}"),
            _ => assert!(result.is_ok(), "{n}: {result:?}"),
        }
    }
    let mut found = pages(&store).await;
    found.sort();
    let expected = (0..40).filter(|n| matches!(n % 4, 0 | 3));
    let expected = expected.map(|n| format!("/{n:02}"));
    let first = stored.iter().map(|page| (*page).to_owned());
    assert_eq!(found, expected.chain(first).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_write_returns_only_after_its_commit_is_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let first = block_writer(&store, "/first").await;
    let mut done = Box::pin(store.write(|conn| insert_click(conn, "/done")));
    assert!(matches!(futures_util::poll!(&mut done), Poll::Pending));
    // The next job of the same transaction delays the commit; it has started, so `done` has run.
    let second = tokio::spawn({
        let store = store.clone();
        async move { block_writer(&store, "/second").await }
    });
    tokio::task::yield_now().await;
    drop(first);
    let second = second.await.unwrap();
    assert!(
        matches!(futures_util::poll!(&mut done), Poll::Pending),
        "it has run and waits for the commit"
    );
    assert!(!pages(&store).await.contains(&"/done".to_owned()));
    drop(second);
    done.await.unwrap();
    assert!(pages(&store).await.contains(&"/done".to_owned()));
}

#[tokio::test]
async fn a_full_queue_rejects_immediately_and_finishes_accepted_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let gate = block_writer(&store, "/gate").await;
    let jobs =
        (0..1500).map(|n| Box::pin(store.write(move |conn| insert_click(conn, &format!("/{n}")))));
    let mut waiting = Vec::new();
    let mut refused = 0;
    for mut job in jobs {
        match futures_util::poll!(&mut job) {
            Poll::Pending => waiting.push(job),
            Poll::Ready(outcome) => {
                assert!(matches!(outcome, Err(Error::Busy)));
                refused += 1;
            }
        }
    }
    assert_eq!(
        (waiting.len(), refused),
        (1024, 476),
        "jobs over the capacity do not wait"
    );
    drop(gate);
    for outcome in join_all(waiting).await {
        outcome.unwrap();
    }
    assert_eq!(pages(&store).await.len(), 1025);
    store.probe().await.unwrap();
}

#[tokio::test]
async fn queued_jobs_are_finished_when_the_store_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let gate = block_writer(&store, "/gate").await;
    for n in 0..100 {
        let mut job = Box::pin(store.write(move |conn| insert_click(conn, &format!("/{n}"))));
        assert!(matches!(futures_util::poll!(&mut job), Poll::Pending));
        // The caller is dropped without waiting for the result.
    }
    gate.job.abort();
    let _ = gate.job.await;
    let closing = tokio::task::spawn_blocking(move || drop(store));
    drop(gate._open);
    closing.await.unwrap();
    assert!(
        std::fs::metadata(folder.path().join("guardpost.db-wal")).is_err(),
        "the file alone is the complete database"
    );
    assert_eq!(pages(&open(&folder)).await.len(), 101);
}

#[tokio::test]
async fn a_job_may_change_more_than_fits_into_the_memory_for_its_rollback() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let write = |sql: &'static str| store.write(move |conn| Ok(conn.execute(sql, [])?));
    let rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO taps (day, page, taps) SELECT '2026-11-21', printf('/%0200d', i), 1 FROM n";
    assert_eq!(write(rows).await.unwrap(), 20_000);
    let twice = "UPDATE taps SET taps = taps + 1";
    assert_eq!(write(twice).await.unwrap(), 20_000);
    // The second job of a transaction: the first has no savepoint.
    let first = block_writer(&store, "/first").await;
    let rolled_back = store.write(move |conn| {
        conn.execute(twice, [])?;
        Err::<(), _>(Error::Missing)
    });
    drop(first);
    assert!(matches!(rolled_back.await, Err(Error::Missing)));
    let counted = |conn: &rusqlite::Connection| {
        Ok(conn.query_row("SELECT sum(taps) FROM taps", [], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(store.read(counted).await.unwrap(), 40_001);
}

#[tokio::test]
async fn a_read_that_panics_is_an_internal_error_and_does_not_affect_others() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    for _ in 0..10 {
        let read = store.read(|_| -> Result<(), Error> { panic!("a read panics") });
        assert!(matches!(read.await, Err(Error::Failed)), "not busy");
    }
    assert!(pages(&store).await.is_empty());
}

#[tokio::test]
async fn the_log_is_checkpointed_while_idle_and_truncated_when_its_reader_has_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (open(&folder), folder.path().join("guardpost.db"));
    let reader =
        rusqlite::Connection::open_with_flags(&file, rusqlite::OpenFlags::default()).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM taps")
        .unwrap();
    for n in 0..40 {
        let big = "INSERT OR REPLACE INTO write_probe VALUES (1, randomblob(1000000))";
        let write = move |conn: &rusqlite::Connection| {
            conn.execute(big, [])?;
            insert_click(conn, &format!("/{n}"))
        };
        store.write(write).await.unwrap();
    }
    let log = folder.path().join("guardpost.db-wal");
    let length = || log.metadata().unwrap().len();
    assert!(length() > 40_000_000, "{} bytes", length());
    drop(reader);
    let copy = folder.path().join("copy.db");
    loop {
        std::fs::copy(&file, &copy).unwrap();
        let alone =
            rusqlite::Connection::open_with_flags(&copy, rusqlite::OpenFlags::default()).unwrap();
        let clicks = alone.query_row("SELECT count(*) FROM taps", [], |row| row.get::<_, i64>(0));
        if clicks == Ok(40) && length() < 40_000_000 {
            break;
        }
    }
}
