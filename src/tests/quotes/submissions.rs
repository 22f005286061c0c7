//! How often a client may submit a quote, and submissions that are repeated.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::visitors::{json, quote};

#[tokio::test]
async fn a_fourth_quote_within_five_minutes_is_rejected_also_after_a_restart() {
    let mut app = TestApp::start().await;
    for n in 0..3 {
        let met = app.met("198.51.100.1", &format!("Houston {n}")).await;
        assert_eq!(met, StatusCode::CREATED);
        app.clock.advance(60_000);
    }
    app.restart().await;
    let refused = app
        .ask(
            "198.51.100.1",
            None,
            &quote(json!({"location": "Houston 4"})),
        )
        .await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "120");
    let problem = json(refused).await;
    assert_eq!(problem["title"], "Too many requests");
    assert_eq!(
        problem["detail"],
        "Please wait before submitting another quote request."
    );
    assert_eq!(
        app.met("198.51.100.2", "Houston").await,
        201,
        "another client is free"
    );

    app.clock.advance(119_999);
    assert_eq!(app.met("198.51.100.1", "Houston 5").await, 429);
    app.clock.advance(1);
    assert_eq!(app.met("198.51.100.1", "Houston 6").await, 201);
    assert_eq!(app.met("198.51.100.1", "Houston 7").await, 429);
}

#[tokio::test]
async fn of_fifty_concurrent_quotes_of_one_client_three_are_stored() {
    let app = TestApp::start().await;
    let bodies: Vec<_> = (0..50)
        .map(|n| quote(json!({"location": format!("Houston {n}")})))
        .collect();
    let answers = futures_util::future::join_all(
        bodies
            .iter()
            .map(|body| app.ask("198.51.100.1", None, body)),
    )
    .await;
    assert_eq!(
        answers
            .iter()
            .filter(|a| a.status() == StatusCode::CREATED)
            .count(),
        3
    );
    assert_eq!(app.rows("quotes").await, 3);
    assert_eq!(app.rows("outbox").await, 3);
}

#[tokio::test]
async fn addresses_of_one_ipv6_network_share_a_limit() {
    let app = TestApp::start().await;
    for n in 1..=3 {
        let met = app
            .met(&format!("2001:db8:1:2::{n}"), &format!("Houston {n}"))
            .await;
        assert_eq!(met, StatusCode::CREATED);
    }
    assert_eq!(app.met("2001:db8:1:2:ffff::1", "Houston").await, 429);
    assert_eq!(app.met("2001:db8:1:3::1", "Houston").await, 201);
}

#[tokio::test]
async fn a_repeated_submission_is_stored_once_and_returns_the_same_receipt() {
    let app = TestApp::start().await;
    let key = "0192f1de-7b5a-7000-8000-000000000001";
    let first = json(app.ask("198.51.100.1", Some(key), &quote(json!({}))).await).await;
    for _ in 0..5 {
        let again = app.ask("198.51.100.1", Some(key), &quote(json!({}))).await;
        assert_eq!(again.status(), StatusCode::CREATED);
        assert_eq!(json(again).await, first);
    }
    assert_eq!(app.rows("quotes").await, 1);
    assert_eq!(app.rows("outbox").await, 1);
    let other = app
        .ask(
            "198.51.100.1",
            Some(key),
            &quote(json!({"location": "Dallas"})),
        )
        .await;
    assert_eq!(other.status(), 422, "a key is for one content");
}

// With keys shared across clients, a client that has a key could read the receipt of another, or
// block the key with other content.
#[tokio::test]
async fn an_idempotency_key_is_per_client() {
    let app = TestApp::start().await;
    let key = "0192f1de-7b5a-7000-8000-000000000001";
    let ask = async |address: &str, place: &str| {
        let quote = quote(json!({"location": place}));
        app.ask(address, Some(key), &quote).await
    };
    let first = json(ask("198.51.100.1", "Houston").await).await;
    for (address, place) in [("198.51.100.9", "Houston"), ("198.51.100.10", "Dallas")] {
        let other = ask(address, place).await;
        assert_eq!(other.status(), StatusCode::CREATED, "{address}");
        assert_ne!(json(other).await["id"], first["id"], "{address}");
    }
    assert_eq!(app.rows("quotes").await, 3);
    let again = json(ask("198.51.100.1", "Houston").await).await;
    assert_eq!(again, first, "the same client gets the same receipt");
}

#[tokio::test]
async fn without_a_key_each_call_is_a_new_submission_and_the_fourth_is_rejected() {
    let app = TestApp::start().await;
    let body = quote(json!({}));
    for _ in 0..3 {
        let answer = app.ask("198.51.100.1", None, &body).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
    assert_eq!(
        app.ask("198.51.100.1", None, &body).await.status(),
        429,
        "the same words four times"
    );
    assert_eq!(app.rows("quotes").await, 3);
}
