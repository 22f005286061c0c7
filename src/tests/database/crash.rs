//! Durability: an acknowledged quote is on disk together with its notice, however the process ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::ids;
use reqwest::StatusCode;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use store::Store;
use store::lists::quote_list::QuoteQuery;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors;
use crate::support::visitors::quote;

/// Number of kills.
const KILLS: u32 = 20;
/// Number of graceful stops.
const STOPS: u32 = 10;
/// Concurrent visitors.
const VISITORS: u32 = 8;

/// Timeout for a hundred responses under load.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The clients' view: the id returned for each submission, and the submissions without a response.
#[derive(Default)]
struct Ledger {
    next: AtomicU32,
    acknowledged: Mutex<HashMap<u32, String>>,
    unacknowledged: Mutex<Vec<u32>>,
}

fn submission(n: u32) -> (String, Value) {
    let key = format!("00000000-0000-7000-8000-{n:012}");
    (key, quote(json!({"location": format!("Houston, lot {n}")})))
}

/// Posts submission `n` and records the response. Returns false if there is none: the server is
/// gone.
async fn post(http: &reqwest::Client, origin: &str, ledger: &Ledger, n: u32) -> bool {
    let (key, body) = submission(n);
    let answer = visitors::ask(http, origin, &visitors::visitor(n), Some(&key), &body).await;
    let receipt: Option<Value> = match answer {
        Ok(answer) => {
            assert_eq!(answer.status(), StatusCode::CREATED);
            answer.json().await.ok()
        }
        Err(_) => None,
    };
    let Some(receipt) = receipt else {
        ledger.unacknowledged.lock().unwrap().push(n);
        return false;
    };
    let id = receipt["id"].as_str().unwrap().to_owned();
    let before = ledger.acknowledged.lock().unwrap().insert(n, id.clone());
    assert!(
        before.is_none_or(|before| before == id),
        "a retry returns the first id"
    );
    true
}

/// Posts continuously, ends the server after a random number of responses, and waits for the
/// clients to stop.
async fn end_under_load(
    server: ServerProcess,
    ledger: &Arc<Ledger>,
    end: impl FnOnce(ServerProcess),
) {
    let answers = Arc::new(Semaphore::new(0));
    let visitors: Vec<_> = (0..VISITORS)
        .map(|_| {
            let (ledger, answers, origin) = (ledger.clone(), answers.clone(), server.origin());
            tokio::spawn(async move {
                let http = reqwest::Client::new();
                while post(
                    &http,
                    &origin,
                    &ledger,
                    ledger.next.fetch_add(1, Ordering::Relaxed),
                )
                .await
                {
                    answers.add_permits(1);
                }
            })
        })
        .collect();
    let [some] = ids::random_bytes::<1>();
    let enough = answers.acquire_many(1 + u32::from(some) / 2);
    let _ = timeout(TIMEOUT, enough)
        .await
        .expect("the server answers")
        .unwrap();
    end(server);
    for visitor in visitors {
        visitor.await.unwrap();
    }
}

fn open_read_only(folder: &std::path::Path) -> Connection {
    Connection::open_with_flags(
        folder.join("guardpost.db"),
        OpenFlags::SQLITE_OPEN_READ_ONLY,
    )
    .unwrap()
}

/// Asserts that every acknowledged id is stored, each with a notice of its own or in a list, and
/// that there are no duplicates.
fn verify(folder: &std::path::Path, ledger: &Ledger) {
    let conn = open_read_only(folder);
    let integrity: String = conn
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(integrity, "ok");
    let pairs: HashMap<String, String> = conn
        .prepare("SELECT id, location FROM quotes")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for (n, id) in &*ledger.acknowledged.lock().unwrap() {
        assert_eq!(
            pairs.get(id),
            Some(&format!("Houston, lot {n}")),
            "acknowledged, then lost"
        );
    }
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(
        count("SELECT count(*) FROM (SELECT 1 FROM quotes GROUP BY location HAVING count(*) > 1)"),
        0,
        "one key, two quotes"
    );
    let quotes = count("SELECT count(*) FROM quotes");
    assert_eq!(
        count(
            "SELECT count(*) FILTER (WHERE kind = 'quote')
               + coalesce(sum(notice ->> 'count') FILTER (WHERE kind = 'requests'), 0) FROM outbox"
        ),
        quotes,
        "each has its notice, once"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_kills_under_load_lose_no_acknowledged_quote_and_store_none_twice() {
    let cli = Cli::new();
    let data = cli.path("data");
    let ledger = Arc::new(Ledger::default());
    let http = reqwest::Client::new();
    for _ in 0..KILLS {
        end_under_load(
            ServerProcess::start(&cli, &[]),
            &ledger,
            ServerProcess::kill,
        )
        .await;
        let again = ServerProcess::start(&cli, &[]);
        verify(&data, &ledger);
        // Clients without a response retry with the same key, as the form does.
        let unacknowledged = std::mem::take(&mut *ledger.unacknowledged.lock().unwrap());
        for n in unacknowledged {
            assert!(post(&http, &again.origin(), &ledger, n).await);
        }
    }
    let last = ServerProcess::start(&cli, &[]);
    verify(&data, &ledger);
    let asked = ledger.next.load(Ordering::Relaxed);
    assert_eq!(
        ledger.acknowledged.lock().unwrap().len(),
        asked as usize,
        "every submission was acknowledged in the end"
    );
    let stored: u32 = open_read_only(&data)
        .query_row("SELECT count(*) FROM quotes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, asked);
    last.kill();
    every_quote_is_found(&data, stored).await;
}

/// A search finds every quote, also those that the killed servers did not index.
async fn every_quote_is_found(folder: &std::path::Path, quotes: u32) {
    let store = Store::open(&folder.join("guardpost.db")).unwrap();
    let all = QuoteQuery {
        search: "houston".into(),
        limit: quotes as usize,
        ..QuoteQuery::default()
    };
    let found = store.quotes(all).await.unwrap().quotes;
    assert_eq!(found.len(), quotes as usize);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_each_stop_under_load_the_database_file_alone_is_complete() {
    let cli = Cli::new();
    let data = cli.path("data");
    let ledger = Arc::new(Ledger::default());
    for _ in 0..STOPS {
        end_under_load(ServerProcess::start(&cli, &[]), &ledger, |server| {
            let (good, log) = server.stop("-TERM");
            assert!(good, "{log}");
        })
        .await;
        for left in ["guardpost.db-wal", "guardpost.db-shm"] {
            assert!(!data.join(left).exists(), "{left}");
        }
        let copy = tempfile::tempdir().unwrap();
        let alone = copy.path().join("guardpost.db");
        std::fs::copy(data.join("guardpost.db"), alone).unwrap();
        verify(copy.path(), &ledger);
    }
}
