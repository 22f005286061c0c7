//! Open dashboards are notified of emails, whatever process receives them.

use serde_json::json;

use super::desk::Desk;
use super::pipe::receive;
use crate::inbox::live::Live;

/// The next change of a request.
async fn change(live: &mut Live) -> (String, String) {
    loop {
        let event = live.event().await;
        if event.name == "change" {
            let text = |name: &str| event.data[name].as_str().unwrap().to_owned();
            return (text("id"), text("verb"));
        }
        assert_eq!(event.name, "resync");
    }
}

async fn open(desk: &Desk) -> Live {
    let ada = desk.app.sign_in("ada@guard.example").await;
    Live::open(&desk.app, &ada).await
}

#[tokio::test]
async fn an_email_by_the_pipe_is_the_same_change_as_one_by_the_mailbox_each_once() {
    let desk = Desk::start().await;
    let mut live = open(&desk).await;
    let wrote = (desk.id.clone(), "wrote".to_owned());
    for round in 0..3 {
        let email = desk.answer(round * 2, "by the pipe");
        assert_eq!(receive(&desk, email.as_bytes(), &[]).await.0, Some(0));
        if round < 2 {
            assert_eq!(change(&mut live).await, wrote);
        }
        // The last one by the pipe, and this one right after it.
        desk.receive(desk.answer(round * 2 + 1, "by the mailbox"))
            .await;
        assert_eq!(change(&mut live).await, wrote);
    }
    assert_eq!(change(&mut live).await, wrote);
    let notes = format!("/api/admin/inbox/{}/notes", desk.id);
    desk.post(&notes, json!({"text": "the end"})).await;
    assert_eq!(change(&mut live).await.1, "noted", "none was told twice");
}

#[tokio::test]
async fn after_an_erasure_emails_by_the_pipe_are_still_told() {
    let desk = Desk::start().await;
    let ana = json!({"email": "ana@x.example", "emergency_contact": false});
    let erased = desk.app.stored(ana).await;
    let notes = format!("/api/admin/inbox/{erased}/notes");
    for _ in 0..3 {
        desk.post(&notes, json!({"text": "x"})).await;
    }
    let mut live = open(&desk).await;
    let body = json!({"email": "ana@x.example", "confirm": "ana@x.example"});
    desk.post("/api/admin/person/erase", body).await;
    assert_eq!(live.event().await.name, "resync");
    let email = desk.answer(1, "by the pipe");
    assert_eq!(receive(&desk, email.as_bytes(), &[]).await.0, Some(0));
    assert_eq!(
        change(&mut live).await,
        (desk.id.clone(), "wrote".to_owned())
    );
}

#[tokio::test]
async fn an_email_without_a_request_is_told_when_it_comes_and_when_it_goes() {
    let desk = Desk::start().await;
    let mut live = open(&desk).await;
    desk.receive(desk.stray(&desk.answer(1, "a new question")))
        .await;
    assert_eq!(live.event().await.name, "resync");
    assert_eq!(live.event().await.name, "email");
    let list = desk.get("/api/admin/unmatched").await;
    let id = list["emails"][0]["id"].as_str().unwrap();
    let discard = format!("/api/admin/unmatched/{id}/discard");
    desk.post(&discard, json!({})).await;
    assert_eq!(live.event().await.name, "resync");
}

#[tokio::test]
async fn an_email_of_a_person_without_a_request_is_told_once_whatever_process_receives_it() {
    let desk = Desk::start().await;
    let mut live = open(&desk).await;
    let email = |n: u32, head: &str| {
        desk.stray(&desk.email(n, head, "ana@x.example", "", "Do you guard docks?"))
    };
    let automatic = email(1, "Auto-Submitted: auto-generated\n");
    assert_eq!(receive(&desk, automatic.as_bytes(), &[]).await.0, Some(0));
    assert_eq!(
        receive(&desk, email(2, "").as_bytes(), &[]).await.0,
        Some(0),
        "by the pipe"
    );
    let mut names = Vec::new();
    while names.iter().filter(|name| *name == "email").count() < 1 {
        names.push(live.event().await.name);
    }
    desk.receive(email(3, "")).await;
    let notes = format!("/api/admin/inbox/{}/notes", desk.id);
    desk.post(&notes, json!({"text": "the end"})).await;
    while names.last().is_none_or(|name| name != "change") {
        names.push(live.event().await.name);
    }
    let told = names.iter().filter(|name| *name == "email").count();
    assert_eq!(told, 2, "{names:?}");
}
