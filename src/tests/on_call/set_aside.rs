//! Messages of alarms, webhooks and emails during which the server is killed: each is set aside
//! after two tries, the others go on, and the desk and `check` say so.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use outbox::email::Email;
use outbox::mailer::{DeliveryError, Mailer};
use serde_json::json;
use tokio::sync::watch;

use super::webhooks::add;
use super::{Desk, MINUTE};
use crate::support::cli_process::Cli;
use crate::support::listener::Listener;

/// A mail server that never answers.
struct Silent;

impl Mailer for Silent {
    fn send<'a>(&'a self, _: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(std::future::pending())
    }

    fn concurrency(&self) -> u32 {
        1
    }
}

/// A mail server that is down.
struct Down;

impl Mailer for Down {
    fn send<'a>(&'a self, _: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(async { Err(DeliveryError::temporary("it is down", "no answer")) })
    }

    fn concurrency(&self) -> u32 {
        4
    }
}

/// The desk names what was set aside; so does `guardpost check`.
async fn is_named(desk: &Desk, what: &str) {
    let sentence = format!("{what} was set aside, since two tries did not come back");
    let problems = desk.get("/system").await["problems"].to_string();
    assert!(problems.contains(&sentence), "{problems}");
    let checked = Cli::on_data_of(&desk.app).run(&["check"]);
    let said = checked.stdout + &checked.stderr;
    assert!(said.contains(&sentence), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_push_during_which_the_server_is_killed_twice_is_set_aside_and_the_next_way_stands_in() {
    let desk = Desk::open_now().await;
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
    desk.device(&desk.ada, "/ada").await;
    let id = desk.app.stored(json!({})).await;
    desk.push.answer(0);
    for _ in 0..2 {
        let (_stop, stopped) = watch::channel(false);
        let alarms = desk.app.alarms();
        desk.app.kill_during("alarm", alarms.run(stopped)).await;
        desk.app.clock.advance(MINUTE);
    }
    desk.push.answer(201);
    desk.deliver().await;
    let given_up = "alarm_messages WHERE channel = 'push' AND state = 'failed'
        AND last_error LIKE 'the server ended during two attempts%'";
    assert_eq!(desk.app.rows(given_up).await, 1);
    assert_eq!(desk.called(), ["+17135550111"], "the next way, at once");
    is_named(&desk, "1 message of an alarm").await;
    let told = desk.events(&id, "alarmed").await;
    assert!(!told.is_empty());
    // The next alarm is sent as ever.
    desk.push.take();
    desk.app.clock.advance(30 * MINUTE);
    desk.app
        .stored(json!({"email": "next@property.example"}))
        .await;
    desk.deliver().await;
    assert!(desk.push.count() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_during_which_the_server_is_killed_twice_has_failed_until_it_is_sent_again() {
    let desk = Desk::open_now().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    desk.app.stored(json!({})).await;
    target.answer(0);
    for _ in 0..2 {
        let (_stop, stopped) = watch::channel(false);
        let webhooks = desk.app.webhooks();
        desk.app.kill_during("webhook", webhooks.run(stopped)).await;
        desk.app.clock.advance(MINUTE);
    }
    target.answer(201);
    target.take();
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.count(), 0, "it is not tried a third time");
    is_named(&desk, "1 webhook").await;
    let log = desk.get("/webhooks/deliveries").await;
    let delivery = &log["deliveries"][0];
    assert_eq!(delivery["state"], "failed", "{log}");
    desk.app
        .stored(json!({"email": "next@property.example"}))
        .await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.take().len(), 1, "the next one is sent");
    let again = format!("/webhooks/deliveries/{}/replay", delivery["id"]);
    desk.post(&again, json!({})).await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.take().len(), 1, "a person may send it again");
    assert_eq!(desk.get("/system").await["problems"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_during_which_the_server_is_killed_twice_has_failed_and_the_others_are_sent() {
    let desk = Desk::open_now().await;
    desk.app.stored(json!({"emergency_contact": false})).await;
    let before = desk.app.mailbox().len();
    for _ in 0..2 {
        let worker = desk.app.delivery_worker(Arc::new(Silent));
        let deliver = async move {
            let _ = worker.deliver_due().await;
        };
        desk.app.kill_during("outbox", deliver).await;
        desk.app.clock.advance(10 * MINUTE);
    }
    desk.app.run_outbox().await;
    assert_eq!(desk.app.mailbox().len(), before);
    is_named(&desk, "1 email of the outbox").await;
    let next = json!({"email": "next@property.example", "emergency_contact": false});
    desk.app.stored(next).await;
    desk.app.run_outbox().await;
    assert_eq!(desk.app.mailbox().len(), before + 1);
    let retried = desk.app.store.retry_all_emails(desk.app.clock.now()).await;
    assert_eq!(retried.unwrap(), 1);
    desk.app.run_outbox().await;
    assert_eq!(desk.app.mailbox().len(), before + 2);
}

#[tokio::test]
async fn an_email_whose_failures_could_not_be_stored_is_set_aside_and_holds_back_no_other() {
    let desk = Desk::open_now().await;
    let quote = |name: &str| {
        let email = format!("{name}@property.example");
        json!({"email": email, "emergency_contact": false})
    };
    desk.app.run_outbox().await;
    let before = desk.app.mailbox().len();
    desk.app
        .sql(
            "CREATE TRIGGER no_outcome BEFORE UPDATE OF due_at ON outbox
               BEGIN SELECT RAISE(ABORT, 'full'); END;",
        )
        .await;
    let worker = desk.app.delivery_worker(Arc::new(Down));
    for name in ["first", "second"] {
        desk.app.stored(quote(name)).await;
        worker.deliver_due().await.unwrap();
        desk.app.clock.advance(10 * MINUTE);
    }
    let tries = "unfinished_work WHERE running = 1 AND kind = 'outbox'";
    assert_eq!(desk.app.rows(tries).await, 2);
    desk.app.sql("DROP TRIGGER no_outcome;").await;
    desk.app.run_outbox().await;
    is_named(&desk, "1 email of the outbox").await;
    assert_eq!(desk.app.mailbox().len(), before + 1, "the second is sent");
}
