//! Damaged pages of the database file.

use std::fs;
use std::path::Path;

use domain::clock::Time;
use domain::form::Forms;
use domain::request::quote::NewQuote;
use reqwest::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};
use store::{Error, Store, Submission, Submitted};

use super::{is_refused, pass_check_interval, readiness};
use crate::support::app::{START, TestApp};
use crate::support::visitors::{quote, visitor};

/// Page size in bytes.
const PAGE_SIZE: usize = 4096;

/// Stores enough quotes for a B-tree of several levels, and closes the store, so that the file
/// alone is complete.
async fn closed_with_quotes() -> TestApp {
    let app = TestApp::start().await;
    for n in 0..60 {
        let lead = json!({"location": format!("Lot {n}"), "description": "x".repeat(1500)});
        let answer = app.ask(&visitor(n), None, &quote(lead)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
    app.store.close().await;
    app
}

/// Overwrites the bytes at `offset`; returns the old ones.
fn overwrite(file: &Path, offset: usize, with: &[u8]) -> Vec<u8> {
    use std::os::unix::fs::FileExt;
    let file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(file)
        .unwrap();
    let mut before = vec![0; with.len()];
    file.read_exact_at(&mut before, offset as u64).unwrap();
    file.write_all_at(with, offset as u64).unwrap();
    before
}

#[tokio::test]
async fn a_damaged_page_is_reported_and_stops_writes() {
    let log = crate::support::log::Log::start();
    let mut app = closed_with_quotes().await;
    let file = app.folder.path().join("guardpost.db");
    let content = fs::read(&file).unwrap();
    let at = content
        .windows(6)
        .position(|text| text == b"Lot 30")
        .unwrap()
        / PAGE_SIZE
        * PAGE_SIZE;
    let before = overwrite(&file, at, &[0xff; 64]);
    app.restart().await;
    let token = app.admin().await.access_token;
    let list = || async {
        let asked = app.http.get(app.url("/api/admin/quotes?limit=100"));
        asked.bearer_auth(&token).send().await.unwrap()
    };
    let refused = list().await;
    assert!(is_refused(refused.status()));
    let problem: Value = refused.json().await.unwrap();
    assert!(problem["detail"].as_str().unwrap().contains("call us"));
    let id = problem["request_id"].as_str().unwrap();
    assert_eq!(
        log.count(&format!("request_id=\"{id}\"")),
        1,
        "{}",
        log.text()
    );
    assert!(is_refused(app.met("198.51.100.1", "Houston").await));
    let (status, why) = readiness(&app).await;
    assert!(is_refused(status) && why.contains("damaged"), "{why}");
    assert!(matches!(
        app.store.check_pages().await,
        Err(Error::Unusable(_))
    ));

    overwrite(&file, at, &before);
    app.store.check_pages().await.unwrap();
    app.store.probe().await.unwrap();
    assert_eq!(readiness(&app).await.0, StatusCode::OK);
    assert_eq!(list().await.status(), StatusCode::OK);
    assert_eq!(
        app.met("198.51.100.1", "Houston").await,
        StatusCode::CREATED
    );
}

#[tokio::test]
async fn a_quote_on_a_damaged_page_is_not_acknowledged_even_if_the_writer_has_it_cached() {
    let mut app = closed_with_quotes().await;
    // The second one finds room on the page of the first: it reads the root and does not write it.
    for place in ["Houston", "Katy"] {
        app.store.close().await;
        app.restart().await;
        let met = app.met("198.51.100.1", place).await;
        assert_eq!(met, StatusCode::CREATED);
    }
    let root = |conn: &Connection| {
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'requests'";
        Ok(conn.query_row(root, [], |row| row.get::<_, i64>(0))?)
    };
    let root = usize::try_from(app.store.read(root).await.unwrap()).unwrap();
    let file = app.folder.path().join("guardpost.db");
    overwrite(&file, (root - 1) * PAGE_SIZE, &[0xff; 64]);
    pass_check_interval();
    for n in 0..3 {
        let lead = quote(json!({"location": format!("Dallas {n}")}));
        let answer = app
            .ask(&visitor(n), Some(&format!("key-{n:08}")), &lead)
            .await;
        assert!(is_refused(answer.status()));
    }
    let (status, why) = readiness(&app).await;
    assert!(is_refused(status) && why.contains("damaged"), "{why}");
}

/// Submits a quote directly to the store; returns its id.
async fn submit(store: &Store, n: u32) -> Option<String> {
    let forms = Forms::bundled().unwrap();
    let Value::Object(fields) = quote(json!({"location": format!("Lot {n}")})) else {
        unreachable!()
    };
    let raw = |key: &str| match fields.get(key) {
        Some(Value::Bool(set)) => set.then_some("true"),
        value => value.and_then(Value::as_str),
    };
    let quote = NewQuote::parse(&forms.quote, raw, None, "").unwrap();
    let submission = Submission {
        spam: Default::default(),
        client: visitor(n),
        site: None,
        key: Some(format!("key-{n:08}")),
        fingerprint: n.to_string(),
        max: 3,
        window_ms: 300_000,
    };
    match store
        .submit_quote(quote, submission, Time::parse(START).unwrap())
        .await
    {
        Ok(Submitted::Stored(receipt)) => Some(receipt.id),
        _ => None,
    }
}

#[tokio::test]
async fn acknowledged_quotes_are_found_whichever_page_is_damaged_before_or_after_the_start() {
    let app = closed_with_quotes().await;
    let whole = fs::read(app.folder.path().join("guardpost.db")).unwrap();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut acknowledged = 0;
    for round in 0..80 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        fs::write(&file, &whole).unwrap();
        let harm: Vec<_> = (0..1 + random(8))
            .map(|_| {
                let bytes: Vec<u8> = (0..1 + random(40)).map(|_| random(256) as u8).collect();
                (random(whole.len() - bytes.len()), bytes)
            })
            .collect();
        let damage = || {
            harm.iter()
                .for_each(|(at, with)| drop(overwrite(&file, *at, with)))
        };
        if round % 2 == 0 {
            damage();
        }
        let Ok(store) = Store::open(&file) else {
            continue;
        };
        let mut ids = vec![submit(&store, 1000).await];
        if round % 2 == 1 {
            damage();
        }
        ids.push(submit(&store, 1001).await);
        ids.push(submit(&store, 1002).await);
        store.close().await;
        // Damage after a response may affect any row.
        let stand = if round % 2 == 1 { 1 } else { 0 };
        for id in ids.into_iter().skip(stand).flatten() {
            // Only new connections read a damaged schema: it is detected within seconds.
            let store = Store::open(&file);
            if store.is_err() && round % 2 == 1 {
                continue;
            }
            let found = store.unwrap().quote(id).await;
            assert!(found.is_ok(), "round {round}: {found:?}");
            acknowledged += 1;
        }
    }
    assert!(acknowledged > 20, "{acknowledged} were acknowledged at all");
}
