//! Sign-in by password: every wrong attempt causes the same response and the same work, and the
//! limit cannot be used against the owner.

use serde_json::json;

use super::AuthResponse;
use crate::support::app::TestApp;
use crate::support::people::PASSWORD;

pub(super) async fn try_password(
    app: &TestApp,
    email: &str,
    password: &str,
    from: &str,
) -> AuthResponse {
    let answer = app
        .http
        .post(app.url("/auth/v1/token?grant_type=password"))
        .header("x-supabase-api-version", "2024-01-01")
        .header("x-forwarded-for", from)
        .json(&json!({ "email": email, "password": password }))
        .send()
        .await
        .unwrap();
    AuthResponse {
        status: answer.status().as_u16(),
        headers: answer.headers().clone(),
        body: answer.json().await.unwrap(),
    }
}

#[tokio::test]
async fn every_failed_sign_in_gets_the_same_response_for_the_same_work() {
    let app = TestApp::start().await;
    app.join("max@guard.example").await;
    let mut answers = Vec::new();
    for (email, password) in [
        ("max@guard.example", "wrong"),
        ("nobody@guard.example", PASSWORD),
        ("nobody@guard.example", ""),
    ] {
        let before = app.auth.hasher.operations();
        let answer = try_password(&app, email, password, "198.51.100.1").await;
        assert_eq!(app.auth.hasher.operations() - before, 1, "{email}");
        assert_eq!(answer.error(), (400, "invalid_credentials"));
        answers.push(answer.body);
    }
    assert!(answers.iter().all(|body| body == &answers[0]));
    assert_eq!(answers[0]["message"], "Invalid login credentials");
}

#[tokio::test]
async fn attempts_are_limited_except_for_a_client_that_signed_in_before() {
    let app = TestApp::start().await;
    let owner = "max@guard.example";
    app.join(owner).await;
    try_password(&app, owner, PASSWORD, "198.51.100.7")
        .await
        .ok();
    for n in 0..20 {
        let from = format!("203.0.113.{n}");
        assert_eq!(try_password(&app, owner, "guess", &from).await.status, 400);
    }
    let answer = try_password(&app, owner, PASSWORD, "203.0.113.99").await;
    assert_eq!(answer.error(), (429, "over_request_rate_limit"));
    assert_eq!(answer.headers["retry-after"], "180");
    try_password(&app, owner, PASSWORD, "198.51.100.7")
        .await
        .ok();
    app.clock.advance(180_000);
    try_password(&app, owner, PASSWORD, "203.0.113.99")
        .await
        .ok();
}

#[tokio::test]
async fn correct_passwords_do_not_count_as_attempts() {
    let app = TestApp::start().await;
    app.join("max@guard.example").await;
    for n in 0..25 {
        try_password(
            &app,
            "max@guard.example",
            PASSWORD,
            &format!("203.0.113.{n}"),
        )
        .await
        .ok();
    }
}

#[tokio::test]
async fn sign_ins_of_one_client_are_rate_limited() {
    let app = TestApp::with(|config| config.limits.sign_in_per_minute = 5).await;
    for n in 0..5 {
        let email = format!("nobody{n}@guard.example");
        assert_eq!(
            try_password(&app, &email, "x", "203.0.113.1").await.status,
            400
        );
    }
    let answer = try_password(&app, "nobody6@guard.example", "x", "203.0.113.1").await;
    assert_eq!(answer.error(), (429, "over_request_rate_limit"));
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(
        try_password(&app, "nobody6@guard.example", "x", "203.0.113.2")
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn a_password_hashed_with_older_parameters_is_rehashed_at_sign_in() {
    let mut app = TestApp::start().await;
    app.join("max@guard.example").await;
    app.config.auth.argon2_iterations = 3;
    app.restart().await;
    let work = |app: &TestApp| app.auth.hasher.operations();
    app.sign_in("max@guard.example").await;
    assert_eq!(work(&app), 2, "checked and hashed anew");
    app.sign_in("max@guard.example").await;
    assert_eq!(work(&app), 3, "checked only");
}

#[tokio::test]
async fn a_password_that_is_too_weak_today_is_reported_at_sign_in() {
    let mut app = TestApp::start().await;
    app.join("max@guard.example").await;
    app.config.auth.password_min_length = 60;
    app.restart().await;
    let session = try_password(&app, "max@guard.example", PASSWORD, "198.51.100.1")
        .await
        .ok();
    assert_eq!(session["weak_password"]["reasons"], json!(["length"]));
}

#[tokio::test]
async fn a_failed_sign_in_is_recorded_with_its_subject_and_its_client() {
    let app = TestApp::start().await;
    let id = app.join("max@guard.example").await;
    for (email, from) in [
        ("max@guard.example", "198.51.100.1"),
        ("nobody@guard.example", "198.51.100.1"),
        ("nobody@guard.example", "198.51.100.2"),
        ("somebody@guard.example", "198.51.100.2"),
    ] {
        try_password(&app, email, "wrong", from).await;
        app.clock.advance(1);
    }
    let rows = app.audit_trail(4).await;
    assert!(rows.iter().all(|row| row.action == "sign_in_failed"));
    let subject = |n: usize| rows[n].subject_id.clone().unwrap();
    let client = |n: usize| rows[n].client.clone().unwrap();
    assert_eq!(subject(3), id);
    assert_eq!(subject(2), subject(1), "one address, known or not");
    assert_ne!(subject(1), subject(0));
    assert_eq!(client(3), client(2));
    assert_eq!(client(1), client(0));
    assert_ne!(client(2), client(1));
    assert_eq!(rows[0].detail["code"], "invalid_credentials");
    let all = format!("{rows:?}");
    assert!(!all.contains("guard.example") && !all.contains("198.51"));
}
