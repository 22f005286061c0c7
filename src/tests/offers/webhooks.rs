//! Events of an offer that was sent, and of its answer, reach other systems.

use serde_json::{Value, json};

use super::{DAY, Desk, SECOND, acceptance, link};
use crate::support::listener::Listener;

/// A desk with a webhook for every event of offers, and its target.
async fn with_webhook() -> (Desk, Listener) {
    let desk = Desk::with(|config| config.outgoing.allow = vec!["127.0.0.0/8".parse().unwrap()]);
    let (desk, target) = (desk.await, Listener::start().await);
    let events = ["sent", "accepted", "declined", "expired"].map(|it| format!("offer.{it}"));
    let webhook = json!({ "name": "CRM", "url": target.url("/hook"), "shape": "standard",
        "is_on": true, "events": events });
    desk.post("/webhooks", webhook).await;
    (desk, target)
}

/// What the target has received since the last call: the event, and the offer.
async fn told(desk: &Desk, target: &Listener) -> Vec<(String, Value)> {
    desk.app.webhooks().deliver_due().await.unwrap();
    let bodies = target.take().into_iter().map(|it| it.text());
    let bodies = bodies.map(|text| serde_json::from_str::<Value>(&text).unwrap());
    let told = |body: Value| {
        let event = body["type"].as_str().unwrap().to_owned();
        (event, body["data"]["detail"]["offer"].clone())
    };
    bodies.map(told).collect()
}

#[tokio::test]
async fn other_systems_are_told_of_an_offer_that_is_sent_and_of_each_answer() {
    let (desk, target) = with_webhook().await;
    let decline = [
        ("answer", "decline".to_owned()),
        ("reason", "Too expensive".to_owned()),
    ]
    .into();
    for (answer, fields) in [
        ("offer.accepted", Some(acceptance(&[]))),
        ("offer.declined", Some(decline)),
        ("offer.expired", None),
    ] {
        let offer = desk.sent(&desk.begun().await).await;
        assert_eq!(told(&desk, &target).await, [], "it can still be undone");
        desk.app.clock.advance(10 * SECOND);
        desk.app.run_outbox().await;
        let sent = told(&desk, &target).await;
        let about = json!({ "number": offer["number"], "version": 1 });
        assert_eq!(sent, [("offer.sent".to_owned(), about)]);
        match fields {
            Some(fields) => {
                desk.post_form(&link(&offer), "203.0.113.9", &fields).await;
            }
            None => {
                desk.app.clock.advance(16 * DAY);
                desk.app.advance_offers().await;
            }
        }
        let answered = told(&desk, &target).await;
        assert_eq!(answered.len(), 1, "{answered:?}");
        assert_eq!(answered[0].0, answer);
        assert_eq!(answered[0].1["number"], offer["number"]);
    }
}
