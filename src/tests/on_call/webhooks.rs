//! Webhooks: signatures, retries, rotation, the log, and endpoints that fail.

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use standardwebhooks::Webhook;

use super::{Desk, MINUTE};
use crate::inbox::held_requests;
use crate::support::listener::{Listener, Received};
use crate::support::visitors::json;

const DAY: i64 = 24 * 60 * MINUTE;

fn settings(url: &str, changes: Value) -> Value {
    let mut settings = json!({
        "name": "CRM", "url": url, "shape": "standard", "is_on": true,
        "events": ["request.created", "request.changed", "request.answered", "alarm.raised",
            "alarm.acknowledged"],
    });
    settings
        .as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    settings
}

pub(super) async fn add(desk: &Desk, target: &Listener, changes: Value) -> (String, String) {
    let added = desk
        .post("/webhooks", settings(&target.url("/hook"), changes))
        .await;
    let text = |key: &str| added[key].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

async fn deliver(desk: &Desk) -> usize {
    desk.app.webhooks().deliver_due().await.unwrap()
}

/// Verifies with the specification's own library; it demands the time of the system.
fn is_signed(request: &Received, secret: &str) -> bool {
    let mut headers = HeaderMap::new();
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        headers.insert(name, request.header(name).parse().unwrap());
    }
    let webhook = Webhook::new(secret).unwrap();
    webhook.verify(&request.body, &headers).is_ok()
}

#[tokio::test]
async fn other_systems_are_told_of_a_request_with_a_signature_that_verifies() {
    let desk = Desk::open().await;
    desk.app.advance_to_now();
    let ada = desk.app.sign_in(&desk.ada.email).await;
    let desk = Desk { ada, ..desk };
    let target = Listener::start().await;
    let (_, secret) = add(&desk, &target, json!({})).await;
    let id = desk.app.stored(json!({})).await;
    assert_eq!(deliver(&desk).await, 1);
    let told = target.take();
    assert!(is_signed(&told[0], &secret));
    let mut forged = told[0].clone();
    forged.body.push(b' ');
    assert!(!is_signed(&forged, &secret));
    let body: Value = serde_json::from_slice(&told[0].body).unwrap();
    assert_eq!(
        (&body["type"], &body["api_version"]),
        (&json!("request.created"), &json!(1))
    );
    let shown = desk.get(&format!("/inbox/{id}")).await;
    let told = body["data"]["request"].as_object().unwrap();
    assert!(told.len() > 20, "{told:?}");
    for (key, value) in told {
        assert_eq!(shown[key], *value, "the JSON of the API: {key}");
    }
    // A rotation: both secrets sign for a day.
    let webhook = desk.get("/webhooks").await["webhooks"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let rotated = desk
        .post(&format!("/webhooks/{webhook}/secret"), json!({}))
        .await;
    let new = rotated["secret"].as_str().unwrap().to_owned();
    let (status, _) = desk
        .send(
            Method::PATCH,
            &format!("/inbox/{id}"),
            json!({ "assignee": "me" }),
        )
        .await;
    assert_eq!(status, 200);
    deliver(&desk).await;
    let told = target.take();
    assert!(is_signed(&told[0], &secret) && is_signed(&told[0], &new));
    assert_eq!(told[0].header("webhook-signature").split(' ').count(), 2);
    assert!(
        !desk.get("/webhooks").await.to_string().contains("whsec_"),
        "shown once"
    );
}

#[tokio::test]
async fn a_delivery_is_retried_by_a_widening_schedule_under_the_same_id_and_can_be_replayed() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    target.answer(500);
    let id = desk.app.stored(json!({})).await;
    let mut ids = Vec::new();
    assert_eq!(deliver(&desk).await, 1);
    ids.extend(
        target
            .take()
            .iter()
            .map(|it| it.header("webhook-id").to_owned()),
    );
    for wait in [5_000, 300_000, 1_800_000] {
        desk.app.clock.advance(wait - 1);
        assert_eq!(deliver(&desk).await, 0);
        desk.app.clock.advance(1);
        assert_eq!(deliver(&desk).await, 1, "after {wait}");
        ids.extend(
            target
                .take()
                .iter()
                .map(|it| it.header("webhook-id").to_owned()),
        );
    }
    target.answer(200);
    desk.app.clock.advance(7_200_000);
    assert_eq!(deliver(&desk).await, 1);
    let log = desk
        .get(&format!("/webhooks/deliveries?request={id}"))
        .await;
    let delivery = &log["deliveries"][0];
    assert_eq!(
        (&delivery["state"], &delivery["attempts"]),
        (&json!("sent"), &json!(5))
    );
    desk.post(
        &format!("/webhooks/deliveries/{}/replay", delivery["id"]),
        json!({}),
    )
    .await;
    assert_eq!(deliver(&desk).await, 1);
    ids.extend(
        target
            .take()
            .iter()
            .map(|it| it.header("webhook-id").to_owned()),
    );
    assert_eq!(ids.len(), 6);
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
}

#[tokio::test]
async fn an_endpoint_that_fails_for_days_or_is_gone_is_switched_off_with_an_email() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    target.answer(500);
    desk.app.stored(json!({})).await;
    for wait in [
        0, 5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000,
    ] {
        desk.app.clock.advance(wait);
        deliver(&desk).await;
    }
    desk.app.clock.advance(4 * DAY);
    desk.app.stored(json!({})).await;
    deliver(&desk).await;
    let ada = desk.app.sign_in(&desk.ada.email).await;
    let desk = Desk { ada, ..desk };
    assert_eq!(desk.get("/webhooks").await["webhooks"][0]["is_on"], false);
    desk.app.run_outbox().await;
    let emails = desk.app.mailbox();
    assert!(
        emails
            .iter()
            .any(|it| it.subject == "The webhook CRM was turned off"),
        "{emails:?}"
    );
    let gone = Listener::start().await;
    add(&desk, &gone, json!({ "events": ["request.created"] })).await;
    gone.answer(410);
    desk.app.stored(json!({})).await;
    deliver(&desk).await;
    let webhooks = desk.get("/webhooks").await["webhooks"].clone();
    let mut all = webhooks.as_array().unwrap().iter();
    assert!(all.all(|it| it["is_on"] == false), "{webhooks}");
}

#[tokio::test]
async fn the_log_of_deliveries_is_kept_for_thirty_days() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    desk.app.stored(json!({})).await;
    assert_eq!(deliver(&desk).await, 1);
    for (wait, kept) in [(30 * DAY - MINUTE, 1), (2 * MINUTE, 0)] {
        desk.app.clock.advance(wait);
        desk.app.webhooks().delete_old().await;
        assert_eq!(desk.app.rows("webhook_deliveries").await, kept);
    }
}

#[tokio::test]
async fn chat_rooms_get_their_own_shapes_without_names() {
    let desk = Desk::open().await;
    let room = Listener::start().await;
    for shape in ["slack", "teams", "ntfy"] {
        let changes = json!({ "name": shape, "shape": shape, "events": ["request.created"] });
        add(&desk, &room, changes).await;
    }
    desk.app.stored(json!({})).await;
    assert_eq!(deliver(&desk).await, 3);
    for told in room.take() {
        let text = told.text();
        assert!(text.contains("Fire Watch in Houston"), "{text}");
        for secret in ["María", "O’Brien", "555-0188", "Bayou"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
}

#[tokio::test]
async fn addresses_inside_and_unknown_events_are_refused() {
    let desk = Desk::with(|config| config.outgoing.allow.clear()).await;
    for (changes, field) in [
        (json!({ "url": "http://127.0.0.1:1/" }), "url"),
        (json!({ "url": "https://169.254.169.254/latest" }), "url"),
        (json!({ "url": "https://[::ffff:10.0.0.1]/" }), "url"),
        (json!({ "url": "http://crm.example/" }), "url"),
        (json!({ "events": ["request.eaten"] }), "events"),
        (json!({ "events": [] }), "events"),
        (json!({ "shape": "fax" }), "shape"),
        (json!({ "name": " " }), "name"),
    ] {
        let body = settings("https://crm.example/hook", changes);
        let (status, answer) = desk.send(Method::POST, "/webhooks", body).await;
        assert_eq!(
            (status.as_u16(), &answer["fields"][0]["field"]),
            (422, &json!(field)),
            "{answer}"
        );
    }
    assert_eq!(desk.app.rows("webhook_endpoints").await, 0);
}

#[tokio::test]
async fn each_event_is_described() {
    let desk = Desk::open().await;
    let document = desk.app.http.get(desk.app.url("/api/webhooks.json"));
    let document = json(document.send().await.unwrap()).await;
    assert_eq!(document["openapi"], "3.1.0");
    let events = desk.get("/webhooks").await["events"].clone();
    for event in events.as_array().unwrap() {
        let event = event.as_str().unwrap();
        let body = &document["webhooks"][event]["post"]["requestBody"];
        let schema = &body["content"]["application/json"]["schema"];
        assert_eq!(schema["properties"]["type"]["const"], event);
    }
}

#[tokio::test]
async fn a_held_request_is_announced_when_it_is_released() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    let receipt = held_requests::post(&desk.app, 1, &held_requests::spam(json!({}))).await;
    assert_eq!(deliver(&desk).await, 0, "while it is held");
    let path = format!("/inbox/{}/release", receipt["id"].as_str().unwrap());
    desk.post(&path, json!({})).await;
    assert_eq!(deliver(&desk).await, 1);
    assert!(target.take()[0].text().contains("request.created"));
}

#[tokio::test]
async fn a_request_that_was_marked_as_spam_by_mistake_is_announced_once() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    let id = desk.app.stored(json!({})).await;
    assert_eq!(deliver(&desk).await, 1);
    desk.post(&format!("/inbox/{id}/spam"), json!({})).await;
    desk.post(&format!("/inbox/{id}/release"), json!({})).await;
    assert_eq!(deliver(&desk).await, 0);
}

#[tokio::test]
async fn webhooks_to_a_target_that_hangs_delay_no_email() {
    let desk = Desk::open().await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    target.answer(0);
    for _ in 0..10 {
        desk.app.stored(json!({})).await;
    }
    let (_stop, stopped) = tokio::sync::watch::channel(false);
    let worker = tokio::spawn(desk.app.webhooks().run(stopped));
    while target.count() == 0 {
        tokio::task::yield_now().await;
    }
    desk.app.run_outbox().await;
    assert_eq!(desk.app.mailbox().len(), 10);
    let sent = "webhook_deliveries WHERE state = 'sent'";
    assert_eq!(desk.app.rows(sent).await, 0, "it still hangs");
    worker.abort();
}
