//! The file of conversions for an advertiser.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, HOUR};

/// A request whose first visit came by an ad.
fn clicked(click: &str) -> Value {
    json!({
        "start_date": "2026-12-08", "emergency_contact": false,
        "attribution": { "landing": "/fire-watch", "gclid": click },
    })
}

impl Desk {
    async fn conversions(&self) -> (u16, String) {
        let url = self.app.url("/api/admin/conversions?period=month");
        let request = self.app.http.get(url).bearer_auth(&self.ada.token);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Completes a request, and says that it was won.
    async fn win(&self, id: &str, value: &str) {
        let path = format!("/inbox/{id}");
        for status in ["in_progress", "completed"] {
            let (status, body) = self
                .send(Method::PATCH, &path, json!({ "status": status }))
                .await;
            assert_eq!(status, 200, "{body}");
        }
        let won = json!({ "outcome": "won", "value": value, "per": "month" });
        let (status, body) = self
            .send(Method::PUT, &format!("{path}/outcome"), won)
            .await;
        assert_eq!(status, 200, "{body}");
    }
}

#[tokio::test]
async fn accepted_offers_and_won_requests_of_ads_are_conversions_with_nothing_about_the_customer() {
    let desk = Desk::with(|config| config.desk.ad_conversions = true).await;
    let (status, empty) = desk.conversions().await;
    let head = "Google Click ID,Conversion Name,Conversion Time,Conversion Value,\
                Conversion Currency\n";
    assert_eq!((status, empty.as_str()), (200, head));

    let begun = desk.begun_for(clicked("Cj0-offer")).await;
    let offer = desk.sent(&begun).await;
    desk.app.clock.advance(HOUR);
    desk.app.run_outbox().await;
    desk.accept(&offer).await;
    desk.app.clock.advance(HOUR);
    let won = desk.app.stored(clicked("-won_1")).await;
    desk.win(&won, "1,250.50").await;
    // Of an earlier version, which kept any text.
    let text = desk.app.stored(clicked("text")).await;
    desk.win(&text, "10").await;
    let stored = "UPDATE requests SET attribution = replace(attribution, '\"text\"', '\"=cmd\"')";
    let run = move |conn: &rusqlite::Connection| Ok(conn.execute(stored, [])?);
    assert!(desk.app.store.write(run).await.unwrap() > 0);
    // Neither an order, nor of an ad.
    desk.app.stored(clicked("asked-only")).await;
    let by_search = desk
        .app
        .stored(json!({ "attribution": { "landing": "/" } }))
        .await;
    desk.win(&by_search, "900").await;

    let (_, csv) = desk.conversions().await;
    let total = offer["versions"][0]["total_cents"].as_i64().unwrap();
    let period = match offer["versions"][0]["is_weekly"].as_bool().unwrap() {
        true => "a week",
        false => "one-time",
    };
    let dollars = format!("{}.{:02}", total / 100, total % 100);
    let rows = [
        format!("Cj0-offer,Offer accepted ({period}),2026-11-21T07:00:00-0600,{dollars},USD\n"),
        "-won_1,Request won (a month),2026-11-21T08:00:00-0600,1250.50,USD\n".to_owned(),
    ];
    assert_eq!(csv, format!("{head}{}", rows.concat()));
    for known in ["example", "555", "Marta", "Maria"] {
        assert!(!csv.contains(known), "{csv}");
    }
    assert_eq!(
        desk.get("/figures?period=month").await["has_conversions"],
        true
    );
}

#[tokio::test]
async fn conversions_are_not_given_away_unless_the_setting_allows_it() {
    let desk = Desk::open().await;
    let (status, refused) = desk.conversions().await;
    assert_eq!(status, 404);
    assert!(
        refused.contains("Set `desk.ad_conversions` to allow it."),
        "{refused}"
    );
    assert_eq!(
        desk.get("/figures?period=month").await["has_conversions"],
        false
    );
}
