//! Requests in figures: asked, answered, won and lost, and what is counted apart.

use domain::clock::{DAY_MS, MINUTE_MS};
use domain::figures::period::Period;
use serde_json::json;

use super::{Owner, calm, number, total};
use crate::inbox::held_requests::spam;

#[tokio::test]
async fn a_request_counts_on_the_day_of_its_receipt_by_all_that_is_known_of_it() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let from = json!({
        "landing": "/fire-watch", "referrer_host": "www.google.com",
        "utm_medium": "cpc", "utm_campaign": "Houston Fire", "gclid": "abc",
    });
    let asked = app
        .stored(calm(
            json!({ "location": "Houston, TX", "attribution": from }),
        ))
        .await;
    app.stored(calm(json!({ "location": "somewhere" }))).await;
    let urgent = app.stored(json!({ "service_type": "mobile-patrol" })).await;
    app.clock.advance(20 * MINUTE_MS);
    let reached = json!({ "outcome": "reached" });
    owner.post(&format!("/inbox/{urgent}/calls"), reached).await;
    let reply = json!({ "subject": "Your request", "text": "We come." });
    owner.post(&format!("/inbox/{asked}/replies"), reply).await;
    app.clock.advance(2 * 60 * MINUTE_MS);
    app.run_outbox().await;

    let figures = owner.figures().await;
    assert_eq!(figures["from"], "2026-11-01");
    for (measure, expected) in [
        ("asked", 3),
        ("quotes", 3),
        ("emergencies", 1),
        ("answered", 2),
        ("spam", 0),
        ("won", 0),
    ] {
        assert_eq!(total(&figures, measure), expected, "{measure}: {figures}");
    }
    for (table, value, column, expected) in [
        ("services", "mobile-patrol", "answered", 1),
        ("services", "fire-watch", "asked", 2),
        ("states", "TX", "asked", 2),
        ("states", "", "asked", 1),
        ("sources", "ad", "answered", 1),
        ("sources", "direct", "asked", 2),
        ("campaigns", "houston fire", "asked", 1),
        ("entry_pages", "/fire-watch", "asked", 1),
        ("people", &owner.ada.id, "answered", 2),
        // Saturday, 6 o'clock in Chicago.
        ("hours", "5", "6", 3),
        ("answers", "emergencies", "median_minutes", 20),
        ("answers", "emergencies", "within", 1),
        ("answers", "requests", "median_minutes", 140),
        ("answers", "requests", "promised_minutes", 24 * 60),
        ("days", "2026-11-21", "asked", 3),
    ] {
        assert_eq!(
            number(&figures, table, value, column),
            expected,
            "{table} {value} {column}"
        );
    }
}

#[tokio::test]
async fn a_loss_counts_while_a_request_is_closed_and_values_are_never_added_up() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let mut ids = Vec::new();
    for outcome in [
        json!({ "outcome": "won", "value": "1,200", "per": "month" }),
        json!({ "outcome": "won", "value": "300.50", "per": "total" }),
        json!({ "outcome": "lost", "reason": "price" }),
    ] {
        let id = app.stored(calm(json!({}))).await;
        for status in ["in_progress", "completed"] {
            let body = json!({ "status": status });
            owner
                .send(reqwest::Method::PATCH, &format!("/inbox/{id}"), body)
                .await;
        }
        owner
            .send(
                reqwest::Method::PUT,
                &format!("/inbox/{id}/outcome"),
                outcome,
            )
            .await;
        ids.push(id);
    }
    let figures = owner.figures().await;
    assert_eq!(total(&figures, "won"), 2, "{figures}");
    assert_eq!(total(&figures, "won_monthly_cents"), 120_000);
    assert_eq!(total(&figures, "won_once_cents"), 30_050);
    assert_eq!(number(&figures, "reasons", "price", "lost"), 1);

    for id in [&ids[0], &ids[2]] {
        let again = json!({ "correction": "reopen", "reason": "They called back" });
        owner.post(&format!("/inbox/{id}/corrections"), again).await;
    }
    let figures = owner.figures().await;
    assert_eq!(
        ["won", "won_completed", "lost"].map(|it| total(&figures, it)),
        [2, 1, 0],
        "what was signed stays signed"
    );
}

#[tokio::test]
async fn spam_and_duplicates_are_counted_apart() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let first = app.stored(calm(json!({ "description": "One" }))).await;
    let second = app.stored(calm(json!({ "description": "Two" }))).await;
    app.ask("203.0.113.9", None, &spam(json!({}))).await;
    owner
        .post(
            &format!("/inbox/{first}/merge"),
            json!({ "request": second }),
        )
        .await;
    let figures = owner.figures().await;
    let counted = ["asked", "spam", "duplicates", "samples"].map(|it| total(&figures, it));
    assert_eq!(counted, [1, 1, 1, 0], "{figures}");

    // Deleted spam stays in the count.
    app.clock.advance(31 * DAY_MS);
    assert_eq!(app.store.purge_held(30, app.clock.now()).await.unwrap(), 1);
    let (_, body) = owner.get("?from=2026-11-21&to=2026-11-21").await;
    let figures = serde_json::from_str(&body).unwrap();
    assert_eq!(total(&figures, "spam"), 1, "{figures}");
}

#[tokio::test]
async fn what_was_erased_stays_in_the_counts_and_nowhere_else() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let from = json!({ "landing": "/patrol", "utm_campaign": "spring" });
    let id = app
        .stored(json!({ "attribution": from, "email": "gone@house.example" }))
        .await;
    app.stored(json!({ "email": "stays@house.example" })).await;
    app.clock.advance(5 * MINUTE_MS);
    owner
        .post(
            &format!("/inbox/{id}/calls"),
            json!({ "outcome": "reached" }),
        )
        .await;
    let before = owner.figures().await;
    assert_eq!(total(&before, "asked"), 2);
    let address = json!({ "email": "gone@house.example", "confirm": "gone@house.example" });
    owner.post("/person/erase", address).await;
    assert_eq!(app.rows("requests").await, 1);
    assert_eq!(owner.figures().await, before);

    // No row says two things of one request.
    let linked = "figures_kept WHERE dimension <> 'all' AND value IN ('/patrol', 'spring')
        AND number <> 1 OR value LIKE '%house%'";
    assert_eq!(app.rows(linked).await, 0);
}

#[tokio::test]
async fn figures_that_were_read_are_kept_for_a_minute() {
    let owner = Owner::open().await;
    let asked = async || {
        let (_, body) = owner.get("?period=month").await;
        total(&serde_json::from_str(&body).unwrap(), "asked")
    };
    assert_eq!(asked().await, 0);
    owner.app.stored(json!({})).await;
    assert_eq!(asked().await, 0);
    owner.app.clock.advance(MINUTE_MS);
    assert_eq!(asked().await, 1);
}

#[tokio::test]
async fn the_days_of_another_time_zone_are_counted_at_the_next_start() {
    let owner = Owner::open().await;
    // Two o'clock in the night in Chicago, and ten in the evening before in Honolulu.
    owner.app.clock.advance(20 * 60 * MINUTE_MS);
    owner.app.stored(json!({})).await;
    let Owner { mut app, ada } = owner;
    let period = Period::of_month("2026-11").unwrap();
    let figures = app.store.figures(period).await.unwrap();
    assert_eq!(figures.now.of_day("2026-11-22", "asked"), 1);
    app.config.company.time_zone = "Pacific/Honolulu".into();
    app.restart().await;
    let owner = Owner { app, ada };
    let figures = owner.figures().await;
    assert_eq!(
        number(&figures, "days", "2026-11-21", "asked"),
        1,
        "{figures}"
    );
    assert_eq!(number(&figures, "hours", "5", "22"), 1, "{figures}");
}

#[tokio::test]
async fn a_period_that_cannot_be_read_is_refused_by_name() {
    let owner = Owner::open().await;
    for (query, field) in [
        ("?period=decade", "period"),
        ("?from=2026-11-02&to=2026-11-01", "from"),
        ("?from=2026-11-01", "to"),
        ("?to=yesterday&from=2026-11-01", "to"),
    ] {
        let (status, body) = owner.get(query).await;
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, &body["fields"][0]["field"]),
            (400, &json!(field)),
            "{query}"
        );
    }
    let (status, body) = owner.get("/unknown").await;
    assert_eq!(status, 404, "{body}");
}

#[tokio::test]
async fn each_table_is_a_csv_file() {
    let owner = Owner::open().await;
    owner
        .app
        .stored(json!({ "attribution": { "utm_campaign": "+plus" } }))
        .await;
    for key in domain::figures::tables::KEYS {
        let (status, csv) = owner.get(&format!("/{key}?period=month")).await;
        assert_eq!(status, 200, "{key}");
        assert!(csv.starts_with(&format!("\u{feff}{key},")), "{csv}");
    }
    let (_, csv) = owner.get("/campaigns").await;
    assert!(csv.contains("\n'+plus,1,0,"), "{csv}");
}

#[tokio::test]
async fn the_report_of_a_period_is_a_pdf() {
    let owner = Owner::open().await;
    owner.app.stored(json!({})).await;
    let url = owner.app.url("/api/admin/report?period=month");
    let request = owner.app.http.get(url);
    let answer = request.bearer_auth(&owner.ada.access_token).send();
    let answer = answer.await.unwrap();
    let name = answer.headers()["content-disposition"].to_str().unwrap();
    assert!(name.contains("Figures-2026-11-01-2026-11-21.pdf"), "{name}");
    let pdf = answer.bytes().await.unwrap();
    assert!(pdf.starts_with(b"%PDF-"), "{} bytes", pdf.len());
    let refused = owner.app.url("/api/admin/report?period=decade");
    let request = owner.app.http.get(refused);
    let answer = request.bearer_auth(&owner.ada.access_token).send();
    assert_eq!(answer.await.unwrap().status(), 400);
}
