//! Offers in figures: sent, opened, accepted, with weekly and other values apart.

use domain::figures::period::Period;

use super::{Desk, acceptance, link};

#[tokio::test]
async fn an_offer_counts_on_the_day_of_its_first_version_with_the_value_that_was_accepted() {
    let desk = Desk::open().await;
    let totals = async || {
        let period = Period::of_month("2026-11").unwrap();
        desk.app.store.figures(period).await.unwrap().now
    };
    let offer = desk.delivered().await;
    let sums = totals().await;
    assert_eq!(
        (sums.total("offers_sent"), sums.total("offers_accepted")),
        (1, 0)
    );
    let cents = |offer: &serde_json::Value| {
        let sent = offer["versions"][0].clone();
        let key = if sent["is_weekly"] == true {
            "weekly"
        } else {
            "once"
        };
        (key, sent["total_cents"].as_i64().unwrap())
    };
    let (key, total) = cents(&desk.offer(&offer).await);
    assert_eq!(sums.total(&format!("offered_{key}_cents")), total);

    let answer = desk
        .post_form(&link(&offer), "203.0.113.7", &acceptance(&[]))
        .await;
    assert!(answer.status().is_success() || answer.status().is_redirection());
    let sums = totals().await;
    assert_eq!(
        (sums.total("offers_accepted"), sums.total("offers_declined")),
        (1, 0)
    );
    assert_eq!(sums.total(&format!("accepted_{key}_cents")), total);
    assert_eq!(sums.of("person", &desk.ada.id, "offers_accepted"), 1);

    // An erasure keeps what was accepted, and the counts are the same.
    let erased = desk
        .app
        .store
        .erase_person(super::MARIA.into(), store::person::ALWAYS, None);
    erased.await.unwrap();
    let after = totals().await;
    for measure in [
        "offers_sent",
        "offers_accepted",
        "asked",
        "won",
        "won_once_cents",
    ] {
        assert_eq!(after.total(measure), sums.total(measure), "{measure}");
    }
}

#[tokio::test]
async fn a_request_is_won_on_the_day_of_signing_with_what_is_staffed_and_completed_beside_it() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.app.clock.advance(3 * super::DAY);
    desk.post_form(&link(&offer), "203.0.113.7", &acceptance(&[]))
        .await;
    let won = async || {
        let period = Period::of_month("2026-11").unwrap();
        let sums = desk.app.store.figures(period).await.unwrap().now;
        assert_eq!(sums.of_day("2026-11-21", "won"), 0, "the day of receipt");
        assert_eq!(sums.of_day("2026-11-24", "won"), 1, "the day of signing");
        assert_eq!(sums.of("service", "fire-watch", "won"), 1);
        ["won", "won_staffed", "won_completed"].map(|measure| sums.total(measure))
    };
    assert_eq!(won().await, [1, 0, 0], "whatever its status");
    let listed = async |days: &str| desk.get(&format!("/inbox?outcome=won&{days}")).await;
    let days = "from=2026-11-24&to=2026-11-24";
    assert_eq!(listed(days).await["requests"].as_array().unwrap().len(), 1);
    let days = "from=2026-11-21&to=2026-11-23";
    assert_eq!(listed(days).await["requests"], serde_json::json!([]));
    assert_eq!(listed(days).await["counts"]["in_progress"], 0);

    desk.on_offer(&offer, "confirm", serde_json::json!({}))
        .await;
    assert_eq!(won().await, [1, 1, 0]);
    desk.app.clock.advance(super::DAY);
    let id = offer["request"]["id"].as_str().unwrap();
    let complete = serde_json::json!({ "status": "completed" });
    desk.send(reqwest::Method::PATCH, &format!("/inbox/{id}"), complete)
        .await;
    assert_eq!(won().await, [1, 1, 1]);
}

#[tokio::test]
async fn what_a_duplicate_has_won_is_won_by_the_request_that_stays_until_they_are_separated() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.post_form(&link(&offer), "203.0.113.7", &acceptance(&[]))
        .await;
    // The one that waits for a call stays.
    let kept = desk
        .app
        .stored(serde_json::json!({ "last_name": "Other" }))
        .await;
    let outcome = async |id: &str| desk.get(&format!("/inbox/{id}")).await["outcome"].clone();
    let signed = outcome(offer["request"]["id"].as_str().unwrap()).await;
    let call = serde_json::json!({ "outcome": "reached" });
    let path = format!("/inbox/{}", offer["request"]["id"].as_str().unwrap());
    desk.post(&format!("{path}/calls"), call).await;
    let other = serde_json::json!({ "request": offer["request"]["id"] });
    let merged = desk
        .post(&format!("/inbox/{kept}/merge"), other.clone())
        .await;
    assert_eq!(merged["id"], kept.as_str(), "{merged}");
    assert_eq!(outcome(&kept).await, signed);
    let listed = desk.get("/inbox?outcome=won").await;
    assert_eq!(listed["requests"].as_array().unwrap().len(), 1);
    desk.post(&format!("/inbox/{kept}/separate"), other).await;
    assert_eq!(outcome(&kept).await, serde_json::Value::Null);
}

#[tokio::test]
async fn offers_that_end_within_a_week_and_those_that_nobody_has_confirmed_need_doing() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let to_do = async || {
        let lines = desk.get("/to-do").await["lines"].to_string();
        let texts = [
            "1 accepted offer is not staffed yet",
            "1 offer ends within a week",
        ];
        texts.map(|text| lines.contains(text))
    };
    // The lists that the lines open.
    let listed = async || {
        let counts = desk.get("/offers").await["counts"].clone();
        ["unconfirmed", "expiring"].map(|view| counts[view].as_u64())
    };
    assert_eq!(to_do().await, [false, false]);
    assert_eq!(listed().await, [Some(0), Some(0)]);
    // A day before its end.
    let until = offer["versions"][0]["valid_until"].as_str().unwrap();
    let end = desk.app.clock.now();
    let last = domain::clock::Time::parse(until).unwrap();
    let days = (last.millis() - end.millis()) / super::DAY;
    desk.app.clock.advance((days - 1).max(0) * super::DAY);
    assert_eq!(to_do().await, [false, true], "{until}");
    assert_eq!(listed().await, [Some(0), Some(1)]);
    desk.post_form(&link(&offer), "203.0.113.7", &acceptance(&[]))
        .await;
    assert_eq!(to_do().await, [true, false]);
    assert_eq!(listed().await, [Some(1), Some(0)]);
}
