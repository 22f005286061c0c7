//! How calls end that nobody answers.

use serde_json::json;
use store::on_call::messages::MessageOutcome;

use super::phone::placed;
use super::{Desk, MINUTE};

#[tokio::test]
async fn an_unanswered_call_about_several_alarms_is_followed_by_the_next_way_for_those_left() {
    let desk = Desk::open().await;
    desk.ada_by_phone().await;
    for _ in 0..3 {
        desk.app.stored(json!({})).await;
    }
    desk.deliver().await;
    desk.after(3 * MINUTE).await;
    let (number, _) = placed(&desk).await;
    // The newest is acknowledged at the desk while the phone rings.
    let alarms = desk.get("/alarms").await["alarms"].clone();
    let path = format!("/alarms/{}/acknowledge", alarms[0]["id"]);
    desk.post(&path, json!({})).await;
    let emails = "alarm_messages WHERE channel = 'email' AND step = 1";
    assert_eq!(desk.app.rows(emails).await, 0);
    // The provider repeats what it has said.
    for _ in 0..2 {
        let path = format!("/api/phone/status/{number}");
        desk.callback(&path, &[("CallStatus", "no-answer")]).await;
        assert_eq!(desk.app.rows(emails).await, 1);
    }
    let left = format!("{emails} AND alarm <> {}", alarms[0]["id"]);
    assert_eq!(desk.app.rows(&left).await, 1);
}

#[tokio::test]
async fn the_line_stays_busy_when_the_answer_of_the_provider_comes_after_its_callback() {
    let desk = Desk::open().await;
    desk.ada_by_phone().await;
    let id = desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.app.clock.advance(3 * MINUTE);
    let (store, now) = (&desk.app.store, desk.app.clock.now());
    let rules = || desk.app.alarms().rules.clone();
    store.advance_alarms(rules(), now).await.unwrap();
    let claimed = store.claim_messages(1, 20_000, rules(), now).await.unwrap();
    let path = format!("/api/phone/status/{}", claimed[0].id);
    desk.callback(&path, &[("CallStatus", "busy")]).await;
    let sent = store.message_attempted(&claimed[0], MessageOutcome::Sent, rules(), now);
    sent.await.unwrap();
    let told = desk.events(&id, "alarmed").await;
    let call = told.iter().find(|it| it["channel"] == "call").unwrap();
    assert_eq!(
        (&call["state"], &call["error"]),
        (&json!("failed"), &json!("the line was busy"))
    );
}
