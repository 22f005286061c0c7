//! Full disk and locked database: clients get a readable error, stored data is unaffected, and the
//! server recovers by itself.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::{Response, StatusCode};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use store::lists::quote_list::QuoteQuery;
use store::{Error, Store};

use crate::support::app::TestApp;
use crate::support::visitors::{quote, visitor};

/// Limits the database to `pages` pages; existing pages stay.
async fn limit_pages(store: &Store, pages: u32) {
    let set = move |conn: &Connection| {
        Ok(conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
    };
    store.write(set).await.unwrap();
}

async fn assert_unavailable(answer: Response) {
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(
        answer.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 0
    );
    assert_eq!(answer.headers()["content-type"], "application/problem+json");
    let problem: Value = answer.json().await.unwrap();
    assert!(
        problem["detail"].as_str().unwrap().ends_with('.'),
        "in words: {problem}"
    );
}

async fn status(app: &TestApp, path: &str) -> StatusCode {
    let answer = app.http.get(app.url(path)).send().await;
    answer.unwrap().status()
}

async fn assert_intact(app: &TestApp) {
    let check = |conn: &Connection| {
        Ok(conn.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))?)
    };
    assert_eq!(app.store.read(check).await.unwrap(), "ok");
}

#[tokio::test]
async fn a_full_disk_rejects_posts_with_a_message_and_recovers_by_itself() {
    let app = TestApp::start().await;
    limit_pages(&app.store, 1).await;
    let lead =
        |n: u32| quote(json!({"description": "x".repeat(1500), "location": format!("Lot {n}")}));
    let mut stored = 0;
    let full = loop {
        let answer = app.ask(&visitor(stored), None, &lead(stored)).await;
        if answer.status() != StatusCode::CREATED {
            break answer;
        }
        stored += 1;
        assert!(stored < 1000, "the size is limited");
    };
    assert_unavailable(full).await;
    // Smaller writes may still succeed; `/readyz` reports the post that was not stored.
    assert_eq!(status(&app, "/readyz").await, 503);
    assert!(matches!(app.store.probe().await, Err(Error::Full)));

    // Many at once: each is either stored and acknowledged, or neither.
    let many: Vec<_> = (1000..1050).map(|n| (visitor(n), lead(n))).collect();
    let answers = join_all(many.iter().map(|(who, lead)| app.ask(who, None, lead))).await;
    for answer in answers {
        if answer.status() == StatusCode::CREATED {
            stored += 1;
        } else {
            assert_unavailable(answer).await;
        }
    }
    assert_eq!(app.rows("quotes").await, i64::from(stored));
    assert_eq!(app.rows("outbox").await, i64::from(stored));
    assert_eq!(
        app.store
            .quotes(QuoteQuery {
                limit: 5,
                ..QuoteQuery::default()
            })
            .await
            .unwrap()
            .quotes
            .len(),
        5.min(stored as usize),
        "readers go on"
    );
    let searched = QuoteQuery {
        search: "lot".into(),
        limit: 2000,
        ..QuoteQuery::default()
    };
    app.store
        .quotes(searched.clone())
        .await
        .expect("a search finds what it can");
    assert_intact(&app).await;

    limit_pages(&app.store, 1_000_000).await;
    app.store.probe().await.unwrap();
    assert_eq!(status(&app, "/readyz").await, StatusCode::OK);
    for n in 1000..1010 {
        assert_eq!(app.ask(&visitor(n), None, &lead(n)).await.status(), 201);
    }
    let found = app.store.quotes(searched).await.unwrap().quotes;
    assert_eq!(found.len(), stored as usize + 10, "and then everything");
    assert_intact(&app).await;
}

#[tokio::test]
async fn the_office_is_told_of_a_disk_that_is_almost_full_and_when_it_has_space_again() {
    let app = TestApp::start().await;
    let mut jobs = app.maintenance();
    let subjects = async || {
        app.run_outbox().await;
        let mails = app.mailbox();
        mails
            .iter()
            .map(|mail| mail.subject.clone())
            .collect::<Vec<_>>()
    };
    jobs.low_disk_mb = 0;
    jobs.run_due().await;
    assert!(subjects().await.is_empty());
    jobs.low_disk_mb = 1 << 40;
    for _ in 0..3 {
        jobs.run_due().await;
        app.clock.advance(60 * 1000);
    }
    let low = "The website's disk is almost full: please have someone look at it";
    assert_eq!(subjects().await, [low]);
    app.clock.advance(24 * 60 * 60 * 1000);
    jobs.run_due().await;
    assert_eq!(subjects().await, [low, low], "once a day");
    jobs.low_disk_mb = 1;
    for _ in 0..3 {
        jobs.run_due().await;
    }
    let over = "The website's disk has enough space again";
    assert_eq!(subjects().await, [low, low, over]);
}

/// A connection of another process that holds a lock.
fn lock(app: &TestApp, how: &str) -> Connection {
    let conn = Connection::open_with_flags(
        app.folder.path().join("guardpost.db"),
        OpenFlags::SQLITE_OPEN_READ_WRITE,
    )
    .unwrap();
    conn.busy_timeout(Duration::from_secs(5)).unwrap();
    conn.execute_batch(how).unwrap();
    conn
}

#[tokio::test]
async fn while_another_process_holds_the_database_posts_wait_and_readers_go_on() {
    let app = TestApp::start().await;
    assert_eq!(app.met("198.51.100.1", "Houston").await, 201);
    for how in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
        let other = lock(&app, how);
        let mut waiting = Box::pin(app.store.probe());
        assert!(futures_util::poll!(&mut waiting).is_pending());
        let lead = quote(json!({"location": how}));
        let post = app.ask("198.51.100.2", None, &lead);
        let release = async {
            assert_eq!(
                app.rows("quotes").await,
                1 + i64::from(how == "BEGIN EXCLUSIVE"),
                "readers do not wait"
            );
            drop(other);
        };
        let (answer, ()) = tokio::join!(post, release);
        assert_eq!(answer.status(), StatusCode::CREATED);
        waiting.await.unwrap();
    }
}

#[tokio::test]
async fn a_database_that_stays_locked_is_a_503_for_all_waiting_posts_and_recovers_by_itself() {
    let app = TestApp::start().await;
    let short_timeout = |conn: &Connection| Ok(conn.busy_timeout(Duration::from_millis(200))?);
    app.store.write(short_timeout).await.unwrap();
    let other = lock(&app, "BEGIN IMMEDIATE");
    let many: Vec<_> = (0..40)
        .map(|n| (visitor(n), quote(json!({"location": format!("Lot {n}")}))))
        .collect();
    let begun = Instant::now();
    for answer in join_all(many.iter().map(|(who, lead)| app.ask(who, None, lead))).await {
        assert_unavailable(answer).await;
    }
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert!(matches!(app.store.probe().await, Err(Error::Busy)));
    assert_eq!(status(&app, "/readyz").await, 503);
    assert_eq!(status(&app, "/healthz").await, StatusCode::OK);
    drop(other);
    app.store.probe().await.unwrap();
    assert_eq!(status(&app, "/readyz").await, StatusCode::OK);
    for (who, lead) in &many[..5] {
        assert_eq!(app.ask(who, None, lead).await.status(), StatusCode::CREATED);
    }
    assert_eq!(app.rows("quotes").await, 5);
}

/// Copies every quote as another process would: the server is not notified.
const COPY: &str = "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at,
    first_name, last_name, email, phone, company,
      service, duration, start_date, location, description, status, emergency_contact,
      attribution, demo)
    SELECT seq + 1, kind, id, reference, created_at, updated_at, first_name, last_name, email,
    phone, company,
      service, duration, start_date, location, description, status, emergency_contact,
      attribution, demo FROM requests";

async fn search(app: &TestApp, token: &str) -> (usize, bool) {
    let asked = app
        .http
        .get(app.url("/api/admin/quotes?q=houston"))
        .bearer_auth(token);
    let page: Value = asked.send().await.unwrap().json().await.unwrap();
    let found = page["quotes"].as_array().unwrap().len();
    (found, page["search_incomplete"].as_bool().unwrap())
}

#[tokio::test]
async fn a_search_in_a_locked_database_responds_within_a_second_and_is_marked_incomplete() {
    let app = TestApp::start().await;
    let token = app.admin().await.access_token;
    app.met("198.51.100.1", "Houston").await;
    assert_eq!(search(&app, &token).await, (1, false));
    let other = lock(&app, COPY);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    let (_, incomplete) = search(&app, &token).await;
    assert!(incomplete);
    assert!(begun.elapsed() < Duration::from_secs(1));
    drop(other);
    while search(&app, &token).await != (2, false) {}
}

#[tokio::test]
async fn a_list_has_every_request_although_none_can_be_indexed() {
    let app = TestApp::start().await;
    let token = app.admin().await.access_token;
    app.met("198.51.100.1", "Houston").await;
    let other = lock(&app, COPY);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    for query in [
        "status=pending",
        "kind=quote&assignee=nobody",
        "attention=true",
    ] {
        let asked = app.http.get(app.url(&format!("/api/admin/inbox?{query}")));
        let answer = asked.bearer_auth(&token).send().await.unwrap();
        let page: Value = answer.json().await.unwrap();
        assert_eq!(page["requests"].as_array().unwrap().len(), 2, "{query}");
        assert_eq!(page["counts"]["pending"], 2, "{query}");
        assert_eq!(page["search_incomplete"], false, "{query}");
    }
    drop(other);
}

#[tokio::test]
async fn a_start_without_migrations_takes_no_lock() {
    let app = TestApp::start().await;
    let other = lock(&app, "BEGIN IMMEDIATE");
    let begun = Instant::now();
    let beside = app.beside().await;
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert_eq!(status(&beside, "/healthz").await, StatusCode::OK);
    other
        .execute_batch("PRAGMA user_version = 0; COMMIT; BEGIN IMMEDIATE")
        .unwrap();
    let refused = Store::open(&app.folder.path().join("guardpost.db"));
    let why = refused.map(drop).unwrap_err().to_string();
    assert!(why.contains("another process holds a lock"), "{why}");
}

#[tokio::test]
async fn the_readiness_check_writes_at_most_once_per_interval() {
    let app = TestApp::start().await;
    let log = app.folder.path().join("guardpost.db-wal");
    let content = || std::fs::read(&log).unwrap();
    let before = content();
    assert_eq!(status(&app, "/readyz").await, StatusCode::OK);
    let probed = content();
    assert!(probed != before, "a real write");
    join_all((0..50).map(|_| status(&app, "/readyz"))).await;
    assert!(content() == probed, "no other");
}
