//! Changes on the event stream: which are announced, and what a client gets that comes back or
//! falls behind.

use std::time::{Duration, Instant};

use domain::live::LiveEvent;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Live, call, connect, second_admin};
use crate::support::app::TestApp;
use crate::support::people::Person;

async fn accept(app: &TestApp, admin: &Person, id: &str) {
    let path = format!("/api/admin/quotes/{id}");
    let body = json!({"status": "in_progress"});
    let answer = call(app, &admin.access_token, Method::PATCH, &path, body).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_change_is_seen_on_another_admins_stream_within_300_ms() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut live = Live::open(&app, &bea).await;
    let mut delays = Vec::new();
    for _ in 0..9 {
        let asked = Instant::now();
        let id = app.stored(json!({})).await;
        let received = live.event().await;
        delays.push(asked.elapsed());
        let expected = json!({"id": id, "kind": "quote", "verb": "received", "actor_id": null,
            "emergency": true, "status": "pending"});
        assert_eq!(
            (received.name.as_str(), received.data),
            ("change", expected)
        );
        let asked = Instant::now();
        accept(&app, &ada, &id).await;
        let moved = live.event().await;
        delays.push(asked.elapsed());
        let expected = json!({"id": id, "kind": "quote", "verb": "moved", "actor_id": ada.id,
            "emergency": true, "status": "in_progress"});
        assert_eq!((moved.name.as_str(), moved.data), ("change", expected));
    }
    delays.sort();
    let median = delays[delays.len() / 2];
    assert!(median < Duration::from_millis(300), "{median:?}");
}

#[tokio::test]
async fn a_due_reminder_names_whom_it_reminds() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({"emergency_contact": false})).await;
    let at = app.clock.now().plus_millis(60_000).to_string();
    let path = format!("/api/admin/inbox/{id}/follow-up");
    let mut live = Live::open(&app, &bea).await;
    let set = call(
        &app,
        &ada.access_token,
        Method::PUT,
        &path,
        json!({"at": at}),
    )
    .await;
    assert_eq!(set.status(), StatusCode::OK);
    live.event_that(|event| event.data["verb"] == "follow_up_set")
        .await;
    app.clock.advance(61_000);
    app.run_timers().await;
    let expected = json!({"id": id, "kind": "quote", "verb": "follow_up_due", "actor_id": null,
        "reminds_id": ada.id, "status": "pending"});
    assert_eq!(live.event().await.data, expected);
}

#[tokio::test]
async fn a_contact_message_is_announced_and_a_rejected_form_is_not() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let body = json!({
        "first_name": "Ana", "last_name": "Lee", "email": "ana@site.example", "phone": "713 555 \
            0123",
        "service": "event", "details": "Two guards for a concert"
    });
    let post = |body: Value| app.http.post(app.url("/api/contact")).json(&body).send();
    let rejected = post(json!({"first_name": "Ana"})).await.unwrap();
    assert_eq!(rejected.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let receipt: Value = post(body).await.unwrap().json().await.unwrap();
    let event = live.event().await;
    assert_eq!(
        (&event.data["id"], &event.data["kind"]),
        (&receipt["id"], &json!("message"))
    );
}

#[tokio::test]
async fn what_becomes_of_an_email_is_on_the_stream() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let id = app.stored(json!({})).await;
    let verb = async |live: &mut Live| {
        let event = live.event().await;
        assert_eq!(event.data["id"], *id);
        event.data["verb"].as_str().unwrap().to_owned()
    };
    assert_eq!(verb(&mut live).await, "received");
    app.run_outbox().await;
    assert_eq!(verb(&mut live).await, "emailed");
    assert_eq!(verb(&mut live).await, "delivery");
    let path = format!("/api/admin/inbox/{id}/replies");
    let body = json!({"subject": "Your quote", "text": "Hello"});
    let sent = call(&app, &admin.access_token, Method::POST, &path, body).await;
    assert_eq!(sent.status(), StatusCode::CREATED);
    assert_eq!(verb(&mut live).await, "replied");
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert_eq!(verb(&mut live).await, "delivery");
    let path = format!("/api/admin/inbox/{id}");
    let read = call(&app, &admin.access_token, Method::GET, &path, json!({})).await;
    let read: Value = read.json().await.unwrap();
    assert_eq!(read["history"][2]["detail"]["state"], "delivered", "{read}");
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_has_missed_or_is_told_to_read_everything_again() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut live = Live::open(&app, &ada).await;
    let mut other = Live::open(&app, &bea).await;
    let ids = [app.stored(json!({})).await, app.stored(json!({})).await];
    let last = other.event().await.id.unwrap();
    drop(other);
    let third = app.stored(json!({})).await;
    let mut back = Live::of(connect(&app, &bea.access_token, Some(&last)).await);
    for id in [&ids[1], &third] {
        assert_eq!(back.event().await.data["id"], **id);
    }
    for id in ids.iter().chain([&third]) {
        assert_eq!(live.event().await.data["id"], **id);
    }
    for unknown in ["0", "1", "9007199254740991", "18446744073709551616", "x"] {
        let mut lost = Live::of(connect(&app, &bea.access_token, Some(unknown)).await);
        let event = lost.event().await;
        assert_eq!(event.name, "resync", "{unknown}");
        let mut back = Live::of(connect(&app, &bea.access_token, event.id.as_deref()).await);
        let id = app.stored(json!({})).await;
        assert_eq!(
            back.event().await.data["id"],
            *id,
            "it continues from there"
        );
    }
}

#[tokio::test]
async fn a_listener_that_falls_behind_is_told_to_read_everything_again() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    // More than the ring holds, before the stream can write any of it.
    app.store
        .live_feed()
        .publish(&vec![LiveEvent::Resync; 1100]);
    let id = app.stored(json!({})).await;
    assert_eq!(live.event().await.name, "resync");
    assert_eq!(live.event().await.data["id"], *id);
}

#[tokio::test]
async fn the_writes_of_another_process_are_noticed() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    app.beside().await.stored(json!({})).await;
    assert_eq!(live.event().await.name, "resync");
}

#[tokio::test]
async fn deleted_requests_leave_open_dashboards() {
    let app = TestApp::start().await;
    let ada = app.admin().await;
    app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let email = "maria@property.example";
    let body = json!({"email": email, "confirm": email});
    let path = "/api/admin/person/erase";
    let erased = call(&app, &ada.access_token, Method::POST, path, body).await;
    assert_eq!(erased.status(), StatusCode::OK);
    assert_eq!(live.event().await.name, "resync");
}

#[tokio::test]
async fn an_assignment_names_the_assignee_even_among_too_many_changes() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut ids = Vec::new();
    for _ in 0..66 {
        ids.push(app.stored(json!({})).await);
    }
    let mut live = Live::open(&app, &bea).await;
    let path = format!("/api/admin/inbox/{}", ids[0]);
    let one = json!({"assignee": bea.id});
    call(&app, &ada.access_token, Method::PATCH, &path, one).await;
    let event = live.event_that(|event| event.data["verb"] == "assigned");
    let event = event.await.data;
    assert_eq!(
        (&event["assignee_id"], &event["actor_id"]),
        (&json!(bea.id), &json!(ada.id))
    );
    let all = json!({"ids": ids[1..], "assignee": bea.id});
    let path = "/api/admin/inbox/bulk";
    let answer = call(&app, &ada.access_token, Method::POST, path, all).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(live.event().await.name, "resync");
    assert_eq!(live.event().await.data["assignee_id"], json!(bea.id));
}
