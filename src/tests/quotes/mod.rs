//! Quote submissions through the JSON API.

mod submissions;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::visitors::{json, quote};

fn message<'a>(problem: &'a Value, field: &str) -> &'a str {
    let fields = problem["fields"].as_array().unwrap();
    fields
        .iter()
        .find(|f| f["field"] == field)
        .and_then(|f| f["message"].as_str())
        .unwrap_or("")
}

#[tokio::test]
async fn a_quote_is_stored_as_pending_with_its_notice() {
    let app = TestApp::start().await;
    let answer = app
        .ask("198.51.100.1", None, &quote(json!({"company": ""})))
        .await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    let receipt = json(answer).await;
    assert_eq!(receipt["status"], "pending");
    assert_eq!(receipt["created_at"], crate::support::app::START);
    let stored = app
        .store
        .quote(receipt["id"].as_str().unwrap().to_owned())
        .await
        .unwrap();
    assert_eq!(stored.first_name, "María");
    assert_eq!(stored.company, None, "an empty company is null");
    assert!(stored.emergency_contact);
    assert_eq!(app.rows("outbox").await, 1);
}

#[tokio::test]
async fn every_invalid_field_is_reported_with_the_message_of_the_specification() {
    let app = TestApp::start().await;
    let answer = app
        .ask(
            "198.51.100.1",
            None,
            &json!({"first_name": "A", "email": "nobody", "location": "x; DROP TABLE"}),
        )
        .await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.headers()["content-type"], "application/problem+json");
    let problem = json(answer).await;
    assert_eq!(
        message(&problem, "first_name"),
        "First name must be at least 2 characters"
    );
    assert_eq!(
        message(&problem, "email"),
        "Please enter a valid email address"
    );
    assert_eq!(
        message(&problem, "location"),
        "Invalid characters in location"
    );
    assert_eq!(
        message(&problem, "service_type"),
        "Please select a service type"
    );
    assert_eq!(
        message(&problem, "start_date"),
        "Please select a start date"
    );
    assert_eq!(app.rows("quotes").await, 0);
    assert_eq!(app.rows("outbox").await, 0);
}

#[tokio::test]
async fn a_field_of_the_wrong_type_is_reported_together_with_the_others() {
    let app = TestApp::start().await;
    let body = quote(json!({
        "first_name": 5, "company": ["Bayou"], "service_type": {}, "location": "x",
        "description": true,
        "emergency_contact": "yes", "attribution": {"landing": "/quote", "utm_source": 7},
    }));
    let answer = app.ask("198.51.100.1", None, &body).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let problem = json(answer).await;
    assert_eq!(problem["title"], "Validation Error");
    let expected = json!([
        {"field": "first_name", "message": "Invalid characters in first name"},
        {"field": "company", "message": "Invalid characters in company name"},
        {"field": "service_type", "message": "Please select a service type"},
        {"field": "location", "message": "Please enter your location"},
        {"field": "description", "message": "Invalid characters in description"},
        {"field": "emergency_contact", "message": "Invalid input"},
        {"field": "attribution.utm_source", "message": "Invalid input"},
    ]);
    assert_eq!(problem["fields"], expected);
    for attribution in [json!("ads"), json!(["/quote"])] {
        let body = quote(json!({"attribution": attribution}));
        let problem = json(app.ask("198.51.100.1", None, &body).await).await;
        assert_eq!(message(&problem, "attribution"), "Invalid input");
    }
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn a_text_too_long_to_be_cleaned_is_rejected_with_the_message_of_its_limit() {
    let app = TestApp::start().await;
    let spread = format!("<{}{}", " ".repeat(31_000), ">".repeat(31_000));
    let tagged = format!("{}Panel is down", "<p class='quoted'>".repeat(1_000));
    for (description, words) in [
        (spread, "Description must be less than 2000 characters"),
        (tagged, "Invalid characters in description"),
    ] {
        let quote = quote(json!({"description": description}));
        let answer = app.ask("198.51.100.1", None, &quote).await;
        assert_eq!(answer.status(), 422);
        assert_eq!(message(&json(answer).await, "description"), words);
    }
}

#[tokio::test]
async fn only_the_known_attribution_fields_are_stored_with_the_quote() {
    let app = TestApp::start().await;
    let long = "x".repeat(5000);
    let body = quote(
        json!({"attribution": {"utm_source": "ads\u{7}", "landing": "/fire-watch", "gclid": long,
            "surprise": "kept?"}}),
    );
    let receipt = json(app.ask("198.51.100.1", None, &body).await).await;
    let stored = app
        .store
        .quote(receipt["id"].as_str().unwrap().to_owned())
        .await
        .unwrap();
    let from = stored.attribution.unwrap();
    assert_eq!(from.utm_source.as_deref(), Some("ads"));
    assert_eq!(from.landing.as_deref(), Some("/fire-watch"));
    assert_eq!(from.gclid, None, "an identifier is not cut");
}

#[tokio::test]
async fn hostile_bodies_get_a_client_error_and_never_a_server_error() {
    let app = TestApp::start().await;
    let long = format!("{{\"first_name\": \"{}\"}}", "a".repeat(70_000));
    let deep = "[".repeat(10_000);
    let cases: &[(&str, &str, u16)] = &[
        ("application/json", "", 400),
        ("application/json", "{", 400),
        ("application/json", "null", 400),
        ("application/json", "[]", 400),
        ("application/json", "\"text\"", 400),
        ("application/json", &deep, 400),
        ("application/json", "{\"first_name\": 5}", 422),
        ("application/json", "{\"emergency_contact\": \"yes\"}", 422),
        ("application/json", "{\"phone\": 7135550188}", 422),
        (
            "application/json",
            "{\"phone\": \"1\", \"phone\": \"2\"}",
            400,
        ),
        ("application/json", "{\"first_name\": \"\\ud800\"}", 400),
        ("application/json", &long, 413),
        ("text/plain", "{}", 415),
        ("application/x-www-form-urlencoded", "first_name=A", 415),
        ("application/json; charset=utf-8", "{}", 422),
    ];
    for (kind, body, status) in cases {
        let request = app
            .http
            .post(app.url("/api/quotes"))
            .header("content-type", *kind)
            .body((*body).to_owned());
        let answer = request.send().await.unwrap();
        assert_eq!(
            answer.status(),
            *status,
            "{kind} {}",
            &body[..body.len().min(40)]
        );
        assert_eq!(
            answer.headers()["content-type"],
            "application/problem+json",
            "{kind} {}",
            &body[..body.len().min(40)]
        );
        let problem = json(answer).await;
        assert_eq!(problem["status"], *status);
        assert!(!problem["detail"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_cross_site_post_is_rejected() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
    ] {
        let answer = app
            .http
            .post(app.url("/api/quotes"))
            .header(name, value)
            .json(&quote(json!({})))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    }
    assert_eq!(app.rows("quotes").await, 0);
}
