//! Messages whose author could not be verified wait until they are answered or set aside: being
//! read is no answer.

use reqwest::Method;
use serde_json::{Value, json};

use super::desk::Desk;

async fn unverified(desk: &Desk, number: u32, subject: &str) {
    let email = desk.email(number, "", &desk.facts.customer, "", "Are you there?");
    desk.receive(email.replace("Re: Your request", subject))
        .await;
}

/// A change of the request, made by the dispatcher.
async fn change(desk: &Desk, method: Method, part: &str, body: Value) -> Value {
    let path = format!("/api/admin/inbox/{}{part}", desk.id);
    let response = desk.call(method, &path, body).await;
    assert!(response.status().is_success(), "{part}");
    response.json().await.unwrap_or_default()
}

async fn read(desk: &Desk) {
    change(desk, Method::POST, "/read", json!({})).await;
}

#[tokio::test]
async fn an_unverified_message_that_was_read_waits_until_the_request_is_answered() {
    let desk = Desk::start().await;
    unverified(&desk, 1, "Re: Your request").await;
    read(&desk).await;
    assert!(desk.events("wrote").await[0]["detail"]["read_at"].is_string());
    assert_eq!(desk.attention().await, 1, "being read is no answer");
    change(&desk, Method::PATCH, "", json!({"status": "in_progress"})).await;
    let missed = json!({"outcome": "no_answer"});
    change(&desk, Method::POST, "/calls", missed).await;
    assert_eq!(desk.attention().await, 1, "nor are these");
    desk.reply("Yes, we are.").await;
    assert_eq!(desk.attention().await, 0);
    unverified(&desk, 2, "Re: Your request").await;
    read(&desk).await;
    assert_eq!(desk.attention().await, 1, "a new one waits again");
}

/// A message of the customer, verified or not.
async fn write(desk: &Desk, number: u32, is_verified: bool) {
    match is_verified {
        true => desk.receive(desk.answer(number, "Are you there?")).await,
        false => unverified(desk, number, "Re: Your request").await,
    }
}

#[tokio::test]
async fn a_message_that_came_while_the_reply_was_on_its_way_still_waits() {
    for is_verified in [true, false] {
        let desk = Desk::start().await;
        write(&desk, 1, is_verified).await;
        let reply = json!({"subject": "s", "text": "answer to the first"});
        change(&desk, Method::POST, "/replies", reply).await;
        desk.app.clock.advance(5_000);
        write(&desk, 2, is_verified).await;
        let second = desk.app.clock.now().to_string();
        read(&desk).await;
        desk.app.clock.advance(5_000);
        desk.app.run_outbox().await;
        assert_eq!(desk.attention().await, 1);
        let since = &desk.request().await["waiting_since"];
        assert_eq!(*since == second.as_str(), is_verified, "{since}");
    }
}

#[tokio::test]
async fn a_call_that_reaches_the_customer_ends_it_and_its_undo_brings_it_back() {
    for is_verified in [true, false] {
        let desk = Desk::start().await;
        write(&desk, 1, is_verified).await;
        read(&desk).await;
        let reached = json!({"outcome": "reached"});
        change(&desk, Method::POST, "/calls", reached).await;
        assert!(desk.request().await["waiting_since"].is_null());
        assert_eq!(desk.attention().await, 0);
        change(&desk, Method::POST, "/undo", json!({})).await;
        assert_eq!(
            desk.request().await["waiting_since"].is_string(),
            is_verified
        );
        assert_eq!(desk.attention().await, 1);
    }
}

#[tokio::test]
async fn a_person_sets_a_message_aside_which_can_be_undone() {
    let desk = Desk::start().await;
    let nothing = change(&desk, Method::POST, "/set-aside", json!({})).await;
    assert!(nothing["event"].is_null(), "{nothing}");
    unverified(&desk, 1, "Re: Your request").await;
    let aside = change(&desk, Method::POST, "/set-aside", json!({})).await;
    assert_eq!(aside["unread"], false);
    assert!(aside["event"].is_i64(), "{aside}");
    assert_eq!(desk.attention().await, 0);
    assert_eq!(desk.events("set_aside").await.len(), 1);
    change(&desk, Method::POST, "/undo", json!({})).await;
    assert_eq!(desk.attention().await, 1);
}

#[tokio::test]
async fn setting_a_verified_message_aside_stops_its_clock_and_the_undo_starts_it_again() {
    let desk = Desk::start().await;
    let at = desk.app.clock.now().to_string();
    desk.receive(desk.answer(1, "Thank you!")).await;
    let aside = change(&desk, Method::POST, "/set-aside", json!({})).await;
    assert!(aside["waiting_since"].is_null(), "{aside}");
    assert_eq!(desk.attention().await, 0);
    let back = change(&desk, Method::POST, "/undo", json!({})).await;
    assert_eq!(back["waiting_since"], at);
    assert_eq!(back["unread"], true, "nobody has opened it");
    assert_eq!(desk.attention().await, 1);
}

#[tokio::test]
async fn a_closed_request_is_not_back_because_of_a_message_from_before() {
    let desk = Desk::start().await;
    unverified(&desk, 1, "Re: Your request").await;
    read(&desk).await;
    for status in ["in_progress", "completed"] {
        change(&desk, Method::PATCH, "", json!({"status": status})).await;
    }
    let reopen = json!({"correction": "reopen", "reason": "They need a second guard."});
    change(&desk, Method::POST, "/corrections", reopen).await;
    assert_eq!(desk.attention().await, 0);
}

#[tokio::test]
async fn a_message_of_a_person_who_is_away_waits_only_to_be_read() {
    let desk = Desk::start().await;
    unverified(&desk, 1, "Out of office").await;
    assert_eq!(desk.attention().await, 1);
    read(&desk).await;
    assert_eq!(desk.attention().await, 0);
}

#[tokio::test]
async fn a_message_of_a_duplicate_waits_in_the_request_that_shows_it() {
    let desk = Desk::start().await;
    unverified(&desk, 1, "Re: Your request").await;
    read(&desk).await;
    let other = desk.app.stored(json!({"emergency_contact": true})).await;
    let path = format!("/api/admin/inbox/{other}/merge");
    let kept = desk.post(&path, json!({"request": desk.id})).await;
    let kept = format!("/api/admin/inbox/{}", kept["id"].as_str().unwrap());
    desk.post(&format!("{kept}/read"), json!({})).await;
    assert_eq!(desk.get(&kept).await["unread"], true);
    desk.post(&format!("{kept}/set-aside"), json!({})).await;
    assert_eq!(desk.get(&kept).await["unread"], false);
}
