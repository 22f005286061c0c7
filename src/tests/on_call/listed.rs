//! The list of alarms: what each is about, who was notified how, and tests of one person.

use serde_json::{Value, json};

use super::{Desk, MINUTE};
use crate::support::listener::Listener;

#[tokio::test]
async fn an_alarm_says_whom_it_is_about_and_who_was_told_by_which_way() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    let settings = json!({ "name": "Dispatch room", "url": target.url("/hook"),
        "shape": "standard", "events": ["alarm.raised"], "is_on": true });
    desk.post("/webhooks", settings).await;
    desk.on_call(&[&desk.ada]).await;
    desk.device(&desk.ada, "/ada").await;
    desk.app.stored(json!({ "emergency_contact": true })).await;
    desk.deliver().await;
    desk.app.webhooks().deliver_due().await.unwrap();

    let alarm = desk.get("/alarms").await["alarms"][0].clone();
    let about = &alarm["about"];
    assert_eq!(
        (&about["kind"], &about["service"]),
        (&json!("quote"), &json!("fire-watch"))
    );
    assert_eq!(about["name"], "María O’Brien");
    assert_eq!(about["location"], "Houston, TX");
    let message = &alarm["messages"][0];
    assert_eq!(
        (&message["channel"], &message["state"]),
        (&json!("push"), &json!("sent"))
    );
    let told = json!([{ "name": "Dispatch room", "state": "sent", "error": null }]);
    assert_eq!(alarm["webhooks"], told);
}

#[tokio::test]
async fn a_test_of_one_person_tells_only_that_person_and_is_no_fault() {
    let desk = Desk::open().await;
    let ben = desk.app.dispatcher().await;
    desk.on_call(&[&desk.ada]).await;
    desk.device(&desk.ada, "/ada").await;
    let raised = desk
        .post(&format!("/alarms/test?person={}", ben.id), json!({}))
        .await;
    assert_eq!(raised["alarms"][0]["person"], json!(ben.id));
    desk.deliver().await;
    let alarm = desk.get("/alarms").await["alarms"][0].clone();
    let told = alarm["messages"].as_array().unwrap();
    let told: Vec<&Value> = told.iter().map(|it| &it["person"]["id"]).collect();
    assert_eq!(told, [&json!(ben.id)]);
    assert_eq!(
        alarm["messages"][0]["channel"], "email",
        "there is no other way"
    );
    desk.after(45 * MINUTE).await;
    let problems = desk.get("/system").await["problems"].to_string();
    assert!(!problems.contains("test alarm"), "{problems}");
    // One who cannot work here is not notified.
    let (status, _) = desk
        .send(
            reqwest::Method::POST,
            "/alarms/test?person=nobody",
            json!({}),
        )
        .await;
    assert_eq!(status, 409);
}
