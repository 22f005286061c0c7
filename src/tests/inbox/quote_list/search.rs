//! The search of the quote list: words, prefixes, and quotes that were just stored.

use std::time::Duration;

use domain::request::quote::Status;
use serde_json::{Value, json};
use store::{Connection, QuoteQuery};

use super::all_pages;
use crate::support::app::TestApp;

/// Timeout for background work of the server.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn the_list_is_searched_by_words_of_which_the_last_may_be_a_prefix() {
    let app = TestApp::start().await;
    let lots: &[Value] = &[
        json!({"location": "Galveston", "first_name": "José", "last_name": "Núñez",
            "company": "Müller & Söhne", "phone": "(713) 555-0188"}),
        json!({"location": "Dallas", "first_name": "Anna", "last_name": "D'Angelo",
            "email": "anna.d@port-security.example", "phone": "+1 214.555.0199"}),
        json!({"location": "Waco", "first_name": "Zoe\u{301}", "last_name": "Adams-Lee",
            "phone": "832-555-0123", "description": "Concert on Friday night, doors at 6 pm"}),
        json!({"location": "Austin", "first_name": "Иван", "last_name": "Петров",
            "phone": "281 555 0145", "description": "कक्षा की सुरक्षा"}),
    ];
    for lot in lots {
        app.clock.advance(1);
        app.stored(lot.clone()).await;
    }
    for (words, found) in [
        ("galveston", &["Galveston"][..]),
        ("GALV", &["Galveston"]),
        ("jose nunez", &["Galveston"]),
        ("Nún\u{303}ez", &["Galveston"]),
        ("nun\u{303}", &["Galveston"]),
        ("muller sohne", &["Galveston"]),
        ("7135550188", &["Galveston"]),
        ("713555", &["Galveston"]),
        ("(713) 555-01", &["Galveston"]),
        ("555-01", &["Austin", "Waco", "Dallas", "Galveston"]),
        ("214 0199", &["Dallas"]),
        ("d'angelo", &["Dallas"]),
        ("anna.d@port-security.example", &["Dallas"]),
        ("zoe", &["Waco"]),
        ("concert friday doo", &["Waco"]),
        ("adams-lee", &["Waco"]),
        ("friday adams", &["Waco"]),
        ("петров", &["Austin"]),
        ("ПЕТ", &["Austin"]),
        ("सुरक्षा", &["Austin"]),
        ("o’brien", &["Austin"][..0]),
        ("friday galveston", &[]),
        ("ustin", &[]),
    ] {
        assert_eq!(app.found(None, words).await, found, "{words}");
    }
    assert_eq!(app.found(Some(Status::Pending), "concert").await, ["Waco"]);
    assert_eq!(app.found(Some(Status::Completed), "concert").await, [""; 0]);
}

#[tokio::test]
async fn a_prefix_finds_each_quote_with_one_of_many_matching_words() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for n in 0..60 {
        let place = ["Zürich", "ZURICH", "Zu\u{308}rich"][n % 3];
        let depot = ["Depot", "depo\u{302}t", "DÉPÔTS"][n % 3];
        app.clock.advance(1);
        let location = format!("{place}{n} by the {depot}, lot{}", n % 2);
        ids.push(app.stored(json!({"location": location})).await);
    }
    for id in ids.iter().step_by(2) {
        app.moved(id, Status::InProgress).await;
    }
    let newest_first = |of: &dyn Fn(usize) -> bool| {
        let chosen = (0..60).rev().filter(|n| of(*n));
        chosen.map(|n| ids[n].clone()).collect::<Vec<_>>()
    };
    let (all, even) = (newest_first(&|_| true), newest_first(&|n| n % 2 == 0));
    let teens = newest_first(&|n| n == 1 || (10..20).contains(&n));
    let mut new_quotes = 0;
    for (status, words, expected) in [
        (None, "zur", &all),
        (None, "ZÜR", &all),
        (None, "zu\u{308}ric", &all),
        (None, "dep zür", &newest_first(&|_| false)),
        (None, "by zür", &all),
        (None, "zurich1", &teens),
        (None, "ZÜRICH1 the", &newest_first(&|n| n == 1)),
        (None, "the ZÜRICH1", &teens),
        (None, "lot0 zu", &even),
        (Some(Status::InProgress), "zu", &even),
        (Some(Status::InProgress), "by the lot0 Zür", &even),
        (
            Some(Status::InProgress),
            "lot1 zür",
            &newest_first(&|_| false),
        ),
        (
            Some(Status::Pending),
            "depô",
            &newest_first(&|n| n % 2 == 1),
        ),
    ] {
        let query = QuoteQuery {
            status,
            search: words.to_owned(),
            ..QuoteQuery::default()
        };
        let found = all_pages(&app, query, &mut new_quotes).await;
        let found: Vec<_> = found.into_iter().map(|quote| quote.id).collect();
        assert_eq!(&found, expected, "{status:?} {words:?}");
    }
}

#[tokio::test]
async fn a_prefix_is_found_behind_thousands_of_newer_quotes_without_it() {
    let app = TestApp::start().await;
    let years_ago = |conn: &Connection| {
        Ok(conn.execute_batch(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2600)
             INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, first_name,
             last_name, email, phone, service, duration, start_date, location, emergency_contact)
             SELECT n, 'quote', 'old' || n, 'GP-' || n, seen, seen, 'Maria', 'Lee',
                    'maria@property.example', '7135550188', 'fire-watch', '1-week', '2020-12-01',
                    iif(n <= 100, 'Pier' || n, 'Dock' || n), 0
             FROM n, (SELECT '2020-11-21T00:00:00.000Z' AS seen)",
        )?)
    };
    app.store.write(years_ago).await.unwrap();
    for (words, first, last) in [("pie", "Pier100", "Pier1"), ("do", "Dock2600", "Dock2501")] {
        let found = app.found(None, words).await;
        assert_eq!(found.len(), 100);
        assert_eq!((&*found[0], &*found[99]), (first, last));
    }
}

#[tokio::test]
async fn a_quote_just_stored_by_another_process_is_found() {
    let app = TestApp::start().await;
    let other = app.beside().await;
    for stored in 1..=3 {
        app.stored(json!({"location": "Galveston"})).await;
        let words = ["galveston", "galvest"][stored % 2];
        assert_eq!(other.found(None, words).await.len(), stored, "{words}");
    }
}

#[tokio::test]
async fn a_quote_is_indexed_without_a_search() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let written = async {
        let count = |conn: &Connection| {
            Ok(
                conn.query_row("SELECT count(*) FROM request_words", [], |row| {
                    row.get::<_, i64>(0)
                })?,
            )
        };
        while app.store.read(count).await.unwrap() == 0 {}
    };
    tokio::time::timeout(TIMEOUT, written).await.unwrap();
}
