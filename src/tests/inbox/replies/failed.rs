//! Replies that fail: when a request needs attention, and what settles it.

use std::sync::Arc;

use outbox::mailer::Smtp;
use reqwest::Method;
use serde_json::{Value, json};

use super::{DELAY, call, detail, reply, undo};
use crate::mail::delivery::{app_with, deliver_all};
use crate::support::app::TestApp;
use crate::support::smtp::{Behavior, SmtpServer};

#[tokio::test]
async fn a_reply_that_fails_answers_nothing_and_can_be_sent_again() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.sql("DELETE FROM outbox").await;
    let admin = app.admin().await;
    let token = &admin.access_token;
    let (_, event) = reply(&app, token, &id, "Your quote", "Hello").await;
    let retry = format!("/api/admin/emails/{}/retry", event["detail"]["email_id"]);
    let early = call(&app, token, Method::POST, &retry, json!({})).await;
    assert_eq!(early.status(), 409, "it has not failed");
    app.clock.advance(DELAY);
    let worker = app.delivery_worker(Arc::new(Smtp::new(&app.config.mail).unwrap()));
    deliver_all(&worker).await;
    let failed = detail(&app, "replied").await;
    assert_eq!(failed["state"], "failed");
    assert!(
        failed["error"].as_str().unwrap().contains("550"),
        "{failed}"
    );
    assert_eq!(app.rows("requests WHERE answered_at IS NULL").await, 1);
    assert_eq!(
        call(&app, token, Method::POST, &retry, json!({}))
            .await
            .status(),
        202
    );
    assert_eq!(detail(&app, "replied").await["state"], "queued");
    deliver_all(&worker).await;
    assert_eq!(detail(&app, "replied").await["state"], "delivered");
    assert_eq!(app.rows("requests WHERE answered_at IS NULL").await, 0);
    let unknown = call(
        &app,
        token,
        Method::POST,
        "/api/admin/emails/1/retry",
        json!({}),
    )
    .await;
    assert_eq!(unknown.status(), 404);
}

/// The counts of the view of what needs attention: its number, and the references listed there.
async fn attention(app: &TestApp, token: &str) -> (Value, Vec<Value>) {
    let path = "/api/admin/inbox?attention=true";
    let response = call(app, token, Method::GET, path, json!({})).await;
    let page: Value = response.json().await.unwrap();
    let listed = page["requests"].as_array().unwrap().clone();
    (page["views"]["attention"].clone(), listed)
}

/// A request that an earlier reply has answered, and whose second reply was rejected; its id.
async fn answered_then_failed(app: &TestApp, token: &str) -> String {
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.sql("DELETE FROM outbox").await;
    let worker = app.delivery_worker(Arc::new(Smtp::new(&app.config.mail).unwrap()));
    reply(app, token, &id, "Your quote", "Hello").await;
    app.clock.advance(DELAY);
    deliver_all(&worker).await;
    assert_eq!(attention(app, token).await, (json!(0), vec![]));
    reply(app, token, &id, "The price", "It is 900 a day").await;
    app.clock.advance(DELAY);
    deliver_all(&worker).await;
    assert_eq!(detail(app, "replied").await["state"], "failed");
    id
}

#[tokio::test]
async fn a_reply_that_fails_after_an_answer_needs_attention_until_it_is_sent() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let token = &app.admin().await.access_token;
    let id = answered_then_failed(&app, token).await;
    let (count, listed) = attention(&app, token).await;
    assert_eq!(count, 1);
    assert_eq!(listed[0]["id"], *id);
    assert_eq!(listed[0]["reply_failed"], true);
    assert!(listed[0]["answered_at"].is_string(), "it was answered");
    let settled = "/api/admin/inbox?attention=false";
    let listed = call(&app, token, Method::GET, settled, json!({})).await;
    let listed: Value = listed.json().await.unwrap();
    assert_eq!(listed["requests"], json!([]));
    let email = detail(&app, "replied").await["email_id"].clone();
    let retry = format!("/api/admin/emails/{email}/retry");
    let response = call(&app, token, Method::POST, &retry, json!({})).await;
    assert_eq!(response.status(), 202);
    assert_eq!(attention(&app, token).await, (json!(0), vec![]));
    let worker = app.delivery_worker(Arc::new(Smtp::new(&app.config.mail).unwrap()));
    deliver_all(&worker).await;
    assert_eq!(detail(&app, "replied").await["state"], "delivered");
    assert_eq!(attention(&app, token).await, (json!(0), vec![]));
    let listed = call(&app, token, Method::GET, settled, json!({})).await;
    let listed: Value = listed.json().await.unwrap();
    assert_eq!(listed["requests"][0]["reply_failed"], false);
}

#[tokio::test]
async fn a_reply_that_fails_after_an_answer_starts_no_clock() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let admin = app.admin().await;
    app.mailbox_worker().escalate_overdue().await;
    answered_then_failed(&app, &admin.access_token).await;
    app.clock.advance(48 * 60 * 60 * 1000);
    let token = &app.sign_in(&admin.email).await.access_token;
    let path = "/api/admin/inbox?overdue=true";
    let overdue = call(&app, token, Method::GET, path, json!({})).await;
    let overdue: Value = overdue.json().await.unwrap();
    assert_eq!(overdue["requests"], json!([]));
    app.mailbox_worker().escalate_overdue().await;
    assert_eq!(app.rows("events WHERE verb = 'escalated'").await, 0);
}

#[tokio::test]
async fn a_call_that_reaches_the_customer_settles_a_failed_reply_until_it_is_undone() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let token = &app.admin().await.access_token;
    let id = answered_then_failed(&app, token).await;
    let calls = format!("/api/admin/inbox/{id}/calls");
    let log = async |outcome: &str| -> Value {
        let body = json!({ "outcome": outcome });
        let response = call(&app, token, Method::POST, &calls, body).await;
        response.json().await.unwrap()
    };
    log("voicemail").await;
    assert_eq!(attention(&app, token).await.0, 1);
    let reached = log("reached").await;
    assert_eq!(attention(&app, token).await, (json!(0), vec![]));
    let event = reached["id"].as_i64().unwrap();
    assert_eq!(undo(&app, token, &id, event).await, 200);
    let (count, listed) = attention(&app, token).await;
    assert_eq!(count, 1);
    assert_eq!(listed[0]["reply_failed"], true);
}
