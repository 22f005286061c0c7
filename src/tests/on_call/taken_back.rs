//! What ended or acknowledged the alarm of an emergency is taken back: the customer waits again, and
//! so the alarm begins again.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, MINUTE};

impl Desk {
    /// A desk with Ada on call, and an emergency of which she was notified.
    async fn with_emergency() -> (Self, String) {
        let desk = Self::open().await;
        desk.on_call(&[&desk.ada]).await;
        desk.number(&desk.ada, "+17135550111").await;
        desk.device(&desk.ada, "/ada").await;
        let id = desk.app.stored(json!({})).await;
        assert_eq!(desk.deliver().await, 1);
        desk.push.take();
        (desk, id)
    }

    /// Makes a call about a request that succeeds.
    async fn change(&self, method: &Method, path: &str, body: &Value) -> Value {
        let (status, answer) = self.send(method.clone(), path, body.clone()).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    async fn undo(&self, id: &str, change: &Value) {
        let event = json!({ "event": change["event"].as_i64().or(change["id"].as_i64()) });
        self.post(&format!("/inbox/{id}/undo"), event).await;
    }

    async fn state(&self) -> Value {
        self.get("/alarms").await["alarms"][0]["state"].clone()
    }

    /// Checks that the person on call is notified again.
    async fn notifies_again(&self, what: &str) {
        assert_eq!(self.deliver().await, 1, "{what}");
        assert_eq!(self.push.take().len(), 1, "{what}");
        assert_eq!(self.state().await, "raised", "{what}");
    }

    /// Checks that the person on call is notified and called again, as of a new emergency.
    async fn notifies_and_calls_again(&self, what: &str) {
        self.notifies_again(what).await;
        self.after(3 * MINUTE).await;
        assert_eq!(self.called(), ["+17135550111"], "{what}");
    }
}

/// Changes that end or acknowledge an alarm, and can be undone.
fn changes() -> [(&'static str, Method, &'static str, Value); 5] {
    let reply = json!({ "subject": "Your request", "text": "We are on our way." });
    [
        (
            "rejected",
            Method::PATCH,
            "",
            json!({ "status": "cancelled" }),
        ),
        (
            "accepted",
            Method::PATCH,
            "",
            json!({ "status": "in_progress" }),
        ),
        ("taken", Method::PATCH, "", json!({ "assignee": "me" })),
        (
            "called",
            Method::POST,
            "/calls",
            json!({ "outcome": "reached" }),
        ),
        ("replied", Method::POST, "/replies", reply),
    ]
}

#[tokio::test]
async fn an_emergency_of_which_a_change_is_undone_raises_its_alarm_again() {
    for (what, method, path, body) in changes() {
        let (desk, id) = Desk::with_emergency().await;
        let path = format!("/inbox/{id}{path}");
        let change = desk.change(&method, &path, &body).await;
        desk.deliver().await;
        assert_ne!(desk.state().await, "raised", "{what}");
        desk.undo(&id, &change).await;
        desk.notifies_and_calls_again(what).await;
    }
}

#[tokio::test]
async fn a_change_that_is_undone_at_once_does_not_stop_the_chain() {
    for (what, method, path, body) in changes() {
        let (desk, id) = Desk::with_emergency().await;
        let path = format!("/inbox/{id}{path}");
        let change = desk.change(&method, &path, &body).await;
        desk.undo(&id, &change).await;
        desk.deliver().await;
        assert_eq!(desk.state().await, "raised", "{what}");
        desk.after(3 * MINUTE).await;
        assert_eq!(desk.called(), ["+17135550111"], "{what}");
    }
}

#[tokio::test]
async fn a_reopened_emergency_and_one_that_is_released_or_separated_raise_their_alarm_again() {
    let (desk, id) = Desk::with_emergency().await;
    let path = format!("/inbox/{id}");
    let rejected = json!({ "status": "cancelled" });
    desk.change(&Method::PATCH, &path, &rejected).await;
    desk.deliver().await;
    assert_eq!(desk.state().await, "over");
    let reopen = json!({ "correction": "reopen", "reason": "They called again" });
    desk.post(&format!("{path}/corrections"), reopen).await;
    desk.notifies_and_calls_again("reopened").await;

    desk.post(&format!("{path}/spam"), json!({})).await;
    desk.after(10 * MINUTE).await;
    assert_eq!(desk.state().await, "over");
    desk.push.take();
    desk.post(&format!("{path}/release"), json!({})).await;
    desk.notifies_again("released").await;

    // Of the request that stays, the alarm is acknowledged.
    desk.change(&Method::PATCH, &path, &json!({ "assignee": "me" }))
        .await;
    let other = desk.app.stored(json!({ "last_name": "Again" })).await;
    desk.deliver().await;
    let duplicate = json!({ "request": other });
    desk.post(&format!("{path}/merge"), duplicate.clone()).await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.state().await, "over");
    desk.push.take();
    desk.post(&format!("{path}/separate"), duplicate).await;
    desk.notifies_again("separated").await;
}

#[tokio::test]
async fn an_undo_of_something_else_leaves_an_acknowledged_alarm_alone() {
    let (desk, id) = Desk::with_emergency().await;
    let path = format!("/inbox/{id}");
    desk.change(&Method::PATCH, &path, &json!({ "assignee": "me" }))
        .await;
    desk.deliver().await;
    let at = desk.app.clock.now().plus_millis(20 * MINUTE).to_string();
    let reminder = json!({ "at": at });
    let set = desk
        .change(&Method::PUT, &format!("{path}/follow-up"), &reminder)
        .await;
    desk.undo(&id, &set).await;
    desk.deliver().await;
    assert_eq!(desk.state().await, "acknowledged");
    assert!(desk.push.take().is_empty());
}
