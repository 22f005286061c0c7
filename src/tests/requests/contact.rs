//! Contact messages, and clicks on the phone link.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::visitors::json;

#[tokio::test]
async fn a_contact_message_is_stored_in_its_own_table_with_its_notice() {
    let app = TestApp::start().await;
    let body = json!({
        "first_name": "Ana", "last_name": "Lee", "email": "ana@site.example",
        "phone": "+1 713.555.0123", "company": "",
        "service": "event", "details": "Two guards for a concert, doors at 6 pm"
    });
    let post = || {
        app.http
            .post(app.url("/api/contact"))
            .header("x-forwarded-for", "198.51.100.1")
            .json(&body)
            .send()
    };
    let receipt = json(post().await.unwrap()).await;
    let stored = app
        .store
        .request(receipt["id"].as_str().unwrap().to_owned())
        .await
        .unwrap();
    assert_eq!((stored.service.as_str(), stored.company), ("event", None));
    assert_eq!(app.rows("outbox").await, 1);
    assert_eq!(
        app.met("198.51.100.1", "Houston").await,
        201,
        "each form has its own window"
    );
}

/// Reports a click on the phone link of `page`.
async fn click(app: &TestApp, page: &str) -> StatusCode {
    let body = json!({"page": page});
    let sent = app.http.post(app.url("/api/taps")).json(&body).send().await;
    sent.unwrap().status()
}

#[tokio::test]
async fn a_click_on_an_unknown_page_is_rejected_with_the_name_of_the_field() {
    let app = TestApp::start().await;
    for body in [json!({}), json!({"page": 5}), json!({"page": "elsewhere"})] {
        let url = app.url("/api/taps");
        let answer = app.http.post(url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 422, "{body}");
        let problem: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(problem["fields"][0]["field"], "page", "{body}");
    }
}

#[tokio::test]
async fn call_clicks_are_counted_by_page_and_day_with_a_limit_of_pages() {
    let app = TestApp::start().await;
    for page in ["/", "/fire-watch", "/fire-watch"] {
        assert_eq!(click(&app, page).await, StatusCode::NO_CONTENT, "{page}");
    }
    let clicks = app
        .store
        .call_clicks_since("2026-11-01".into())
        .await
        .unwrap();
    assert_eq!(clicks, [("/fire-watch".to_owned(), 2), ("/".to_owned(), 1)]);
    for page in [
        "javascript:alert(1)",
        "",
        "/a b",
        "//2130706433/admin",
        "/made-up",
        "/favicon.ico",
        "/api/quotes",
        "/Fire-Watch/",
    ] {
        assert_eq!(click(&app, page).await, 422, "{page}");
    }
    for n in 0..250 {
        app.store
            .count_call_click(format!("/made-up-{n}"), "2026-11-21".parse().unwrap())
            .await
            .unwrap();
    }
    assert_eq!(app.rows("taps").await, 200);
}
