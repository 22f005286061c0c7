//! When the disk is full or another process holds the database: visitors are told in words, nothing stored is harmed, and it passes by itself.

use std::time::Duration;

use futures_util::future::join_all;
use guardpost::store::{Error, Listing, Store};
use reqwest::{Response, StatusCode};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::visitors::{quote, visitor};

/// Gives the database at most `pages` pages; what it has already is kept.
async fn room(store: &Store, pages: u32) {
    let set = move |conn: &Connection| {
        Ok(conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
    };
    store.write(set).await.unwrap();
}

async fn refused_for_now(answer: Response) {
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

async fn whole(app: &TestApp) {
    let check = |conn: &Connection| {
        Ok(conn.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))?)
    };
    assert_eq!(app.store.read(check).await.unwrap(), "ok");
}

#[tokio::test]
async fn a_full_disk_refuses_in_words_harms_nothing_and_passes_by_itself() {
    let app = TestApp::start().await;
    room(&app.store, 1).await;
    let lead =
        |n: u32| quote(json!({"description": "x".repeat(1500), "location": format!("Lot {n}")}));
    let mut stored = 0;
    let full = loop {
        let answer = app.ask(&visitor(stored), None, &lead(stored)).await;
        if answer.status() != StatusCode::CREATED {
            break answer;
        }
        stored += 1;
        assert!(stored < 1000, "the room is bounded");
    };
    refused_for_now(full).await;
    assert_eq!(
        status(&app, "/readyz").await,
        StatusCode::OK,
        "small writes may still fit"
    );

    // Many at once: each is either stored and acknowledged or neither.
    let many: Vec<_> = (1000..1050).map(|n| (visitor(n), lead(n))).collect();
    let answers = join_all(many.iter().map(|(who, lead)| app.ask(who, None, lead))).await;
    for answer in answers {
        if answer.status() == StatusCode::CREATED {
            stored += 1;
        } else {
            refused_for_now(answer).await;
        }
    }
    assert_eq!(app.rows("quotes").await, i64::from(stored));
    assert_eq!(app.rows("outbox").await, i64::from(stored));
    assert_eq!(
        app.store
            .quotes(Listing {
                limit: 5,
                ..Listing::default()
            })
            .await
            .unwrap()
            .quotes
            .len(),
        5.min(stored as usize),
        "readers go on"
    );
    let searched = Listing {
        words: "lot".into(),
        limit: 2000,
        ..Listing::default()
    };
    app.store
        .quotes(searched.clone())
        .await
        .expect("a search finds what it can");
    whole(&app).await;

    room(&app.store, 1_000_000).await;
    for n in 1000..1010 {
        assert_eq!(
            app.ask(&visitor(n), None, &lead(n)).await.status(),
            StatusCode::CREATED
        );
    }
    let found = app.store.quotes(searched).await.unwrap().quotes;
    assert_eq!(found.len(), stored as usize + 10, "and then everything");
    whole(&app).await;
}

/// Another process's connection that holds the database.
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
    assert_eq!(
        app.met("198.51.100.1", "Houston").await,
        StatusCode::CREATED
    );
    for how in ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"] {
        let other = lock(&app, how);
        let mut waiting = Box::pin(app.store.ready());
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
async fn a_database_that_stays_locked_is_a_503_for_all_who_wait_and_passes_by_itself() {
    let app = TestApp::start().await;
    let impatient = |conn: &Connection| Ok(conn.busy_timeout(Duration::from_millis(200))?);
    app.store.write(impatient).await.unwrap();
    let other = lock(&app, "BEGIN IMMEDIATE");
    let many: Vec<_> = (0..40)
        .map(|n| (visitor(n), quote(json!({"location": format!("Lot {n}")}))))
        .collect();
    for answer in join_all(many.iter().map(|(who, lead)| app.ask(who, None, lead))).await {
        refused_for_now(answer).await;
    }
    assert!(matches!(app.store.ready().await, Err(Error::Busy)));
    assert_eq!(
        status(&app, "/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(status(&app, "/healthz").await, StatusCode::OK);
    drop(other);
    for (who, lead) in &many[..5] {
        assert_eq!(app.ask(who, None, lead).await.status(), StatusCode::CREATED);
    }
    assert_eq!(app.rows("quotes").await, 5);
}
