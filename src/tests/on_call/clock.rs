//! A clock that is set back while alarms, their messages and webhooks wait.

use serde_json::json;

use super::webhooks::add;
use super::{Desk, MINUTE};
use crate::support::listener::Listener;

const HOUR: i64 = 60 * MINUTE;

/// Sets the clock back, after which the server looks for due steps.
async fn set_back(desk: &Desk, millis: i64) {
    desk.app.clock.advance(-millis);
    assert_eq!(desk.deliver().await, 0);
}

#[tokio::test]
async fn a_clock_that_is_set_back_delays_no_step_and_no_webhook() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    target.answer(503);
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.app.webhooks().deliver_due().await.unwrap();
    target.answer(201);
    target.take();
    set_back(&desk, 6 * HOUR).await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.take().len(), 1);
    desk.after(3 * MINUTE - 1).await;
    assert!(desk.called().is_empty());
    desk.after(1).await;
    assert_eq!(desk.called(), ["+17135550111"]);
}

#[tokio::test]
async fn a_call_from_before_the_clock_was_set_back_delays_the_next_one_by_minutes() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
    desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let (number, _) = super::phone::placed(&desk).await;
    let path = format!("/api/phone/status/{number}");
    desk.callback(&path, &[("CallStatus", "no-answer")]).await;
    set_back(&desk, 6 * HOUR).await;
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.called(), ["+17135550111"]);
}

#[tokio::test]
async fn an_overdue_request_waits_for_working_hours_when_the_clock_is_set_back() {
    let desk =
        Desk::with(|config| config.alarms.working_hours = "Mon-Fri 09:00-17:00".to_owned()).await;
    desk.on_call(&[&desk.ada]).await;
    desk.device(&desk.ada, "/ada").await;
    let worker = desk.app.mailbox_worker();
    worker.escalate_overdue().await;
    desk.app.stored(json!({ "emergency_contact": false })).await;
    // Sunday 06:00 in Houston.
    desk.app.clock.advance(24 * HOUR);
    worker.escalate_overdue().await;
    desk.deliver().await;
    set_back(&desk, HOUR).await;
    desk.after(28 * HOUR - 1).await;
    assert_eq!(desk.push.take().len(), 0);
    desk.after(1).await;
    assert_eq!(desk.push.take().len(), 1);
}
