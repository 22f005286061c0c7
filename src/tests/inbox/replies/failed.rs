//! Replies that fail: when a request needs attention, and what settles it.

use std::sync::Arc;

use outbox::mailer::Smtp;
use serde_json::{Value, json};

use super::super::Dispatcher;
use super::{DELAY, detail};
use crate::mail::delivery::{app_with, deliver_all};
use crate::support::app::TestApp;
use crate::support::smtp::{Behavior, SmtpServer};

#[tokio::test]
async fn a_reply_that_fails_answers_nothing_and_can_be_sent_again() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.sql("DELETE FROM outbox").await;
    let desk = Dispatcher::of(&app).await;
    let (_, event) = desk.reply(&id, "Your quote", "Hello").await;
    let retry = format!("/emails/{}/retry", event["detail"]["email_id"]);
    let early = desk.post(&retry, json!({})).await;
    assert_eq!(early.0, 409, "it has not failed");
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
    assert_eq!(desk.post(&retry, json!({})).await.0, 202);
    assert_eq!(detail(&app, "replied").await["state"], "queued");
    deliver_all(&worker).await;
    assert_eq!(detail(&app, "replied").await["state"], "delivered");
    assert_eq!(app.rows("requests WHERE answered_at IS NULL").await, 0);
    let unknown = desk.post("/emails/1/retry", json!({})).await;
    assert_eq!(unknown.0, 404);
}

/// The counts of the view of what needs attention: its number, and the references listed there.
async fn attention(desk: &Dispatcher) -> (Value, Vec<Value>) {
    let path = "/inbox?attention=true";
    let page = desk.get(path).await;
    let listed = page["requests"].as_array().unwrap().clone();
    (page["views"]["attention"].clone(), listed)
}

/// A request that an earlier reply has answered, and whose second reply was rejected; its id.
async fn answered_then_failed(app: &TestApp, desk: &Dispatcher) -> String {
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.sql("DELETE FROM outbox").await;
    let worker = app.delivery_worker(Arc::new(Smtp::new(&app.config.mail).unwrap()));
    desk.reply(&id, "Your quote", "Hello").await;
    app.clock.advance(DELAY);
    deliver_all(&worker).await;
    assert_eq!(attention(desk).await, (json!(0), vec![]));
    desk.reply(&id, "The price", "It is 900 a day").await;
    app.clock.advance(DELAY);
    deliver_all(&worker).await;
    assert_eq!(detail(app, "replied").await["state"], "failed");
    id
}

#[tokio::test]
async fn a_reply_that_fails_after_an_answer_needs_attention_until_it_is_sent() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let id = answered_then_failed(&app, &desk).await;
    let (count, listed) = attention(&desk).await;
    assert_eq!(count, 1);
    assert_eq!(listed[0]["id"], *id);
    assert_eq!(listed[0]["reply_failed"], true);
    assert!(listed[0]["answered_at"].is_string(), "it was answered");
    let settled = "/inbox?attention=false";
    let listed = desk.get(settled).await;
    assert_eq!(listed["requests"], json!([]));
    let email = detail(&app, "replied").await["email_id"].clone();
    let retry = format!("/emails/{email}/retry");
    let response = desk.post(&retry, json!({})).await;
    assert_eq!(response.0, 202);
    assert_eq!(attention(&desk).await, (json!(0), vec![]));
    let worker = app.delivery_worker(Arc::new(Smtp::new(&app.config.mail).unwrap()));
    deliver_all(&worker).await;
    assert_eq!(detail(&app, "replied").await["state"], "delivered");
    assert_eq!(attention(&desk).await, (json!(0), vec![]));
    let listed = desk.get(settled).await;
    assert_eq!(listed["requests"][0]["reply_failed"], false);
}

#[tokio::test]
async fn a_reply_that_fails_after_an_answer_starts_no_clock() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let desk = Dispatcher::of(&app).await;
    app.run_timers().await;
    answered_then_failed(&app, &desk).await;
    app.clock.advance(48 * 60 * 60 * 1000);
    let desk = desk.again(&app).await;
    let path = "/inbox?overdue=true";
    let overdue = desk.get(path).await;
    assert_eq!(overdue["requests"], json!([]));
    app.run_timers().await;
    assert_eq!(app.rows("events WHERE verb = 'escalated'").await, 0);
}

#[tokio::test]
async fn a_call_that_reaches_the_customer_settles_a_failed_reply_until_it_is_undone() {
    let server = SmtpServer::start(&[Behavior::Accept, Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, |_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let id = answered_then_failed(&app, &desk).await;
    desk.log_call(&id, "voicemail").await;
    assert_eq!(attention(&desk).await.0, 1);
    let (_, reached) = desk.log_call(&id, "reached").await;
    assert_eq!(attention(&desk).await, (json!(0), vec![]));
    assert_eq!(desk.undo(&id, &reached["id"]).await.0, 200);
    let (count, listed) = attention(&desk).await;
    assert_eq!(count, 1);
    assert_eq!(listed[0]["reply_failed"], true);
}
