//! Rates: the sample, drafts, and publishing.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, link};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::desk::Dispatcher;

#[tokio::test]
async fn a_sample_is_shown_until_an_admin_publishes_rates_and_no_offer_is_sent_with_it() {
    let app = TestApp::start().await;
    let ada = Dispatcher::of(&app).await;
    let desk = Desk { app, ada };
    let sample = desk.get("/rates").await;
    assert_eq!(
        (&sample["is_sample"], &sample["version"], &sample["draft"]),
        (&json!(true), &json!(0), &Value::Null)
    );
    let offer = desk.begun().await;
    let body = json!({ "revision": 1, "after": 0 });
    let (status, refused) = desk.try_offer(&offer, "send", body).await;
    assert_eq!((status, &refused["code"]), (409, &json!("sample_rates")));
    desk.publish_rates().await;
    let published = desk.get("/rates").await;
    assert_eq!(published["is_sample"], false);
    assert_eq!(published["version"], 1);
    assert_eq!(published["draft"], Value::Null);
    assert_eq!(published["rates"]["card"], sample["rates"]["card"]);
    assert_eq!(desk.sent(&offer).await["state"], "sent");
    assert_eq!(app_audit(&desk).await, 1);
}

async fn app_audit(desk: &Desk) -> i64 {
    desk.app
        .rows("audit WHERE action = 'rates_published'")
        .await
}

#[tokio::test]
async fn rates_with_faults_or_over_a_colleagues_draft_are_refused_with_the_field() {
    let desk = Desk::open().await;
    let rates = desk.get("/rates").await["rates"].clone();
    let put = async |revision: i64, rates: &Value| {
        let body = json!({ "revision": revision, "rates": rates });
        desk.send(Method::PUT, "/rates/draft", body).await
    };
    for (pointer, value, field) in [
        (
            "/card/classes/armed/rate_cents",
            json!(0),
            "card.classes.armed.rate_cents",
        ),
        (
            "/card/classes/armed/rate_cents",
            json!(1e30),
            "card.classes.armed.rate_cents",
        ),
        ("/card/night/from", json!("25:00"), "card.night.from"),
        ("/conditions/0/text", json!(" "), "conditions.0.text"),
        ("/consent/text", json!(""), "consent.text"),
        ("/consent/disclosures", json!([]), "consent.disclosures"),
        ("/confirmed_by", json!("x".repeat(201)), "confirmed_by"),
    ] {
        let mut wrong = rates.clone();
        *wrong.pointer_mut(pointer).unwrap() = value;
        let (status, problem) = put(0, &wrong).await;
        assert_eq!(status, 422, "{pointer}: {problem}");
        assert_eq!(problem["fields"][0]["field"], field, "{problem}");
    }
    assert_eq!(put(0, &rates).await.0, 200);
    assert_eq!(put(0, &rates).await.0, 409, "a colleague was faster");
    assert_eq!(put(1, &rates).await.0, 200);
    let published = desk
        .send(Method::POST, "/rates/publish", json!({ "revision": 1 }))
        .await;
    assert_eq!(published.0, 409, "not what was read");
    let discarded = desk
        .send(Method::DELETE, "/rates/draft?revision=2", Value::Null)
        .await;
    assert_eq!(discarded.0, 200);
    let published = desk
        .send(Method::POST, "/rates/publish", json!({ "revision": 0 }))
        .await;
    assert_eq!(published.0, 409, "nothing to publish");
}

#[tokio::test]
async fn published_rates_never_change_in_the_database() {
    let desk = Desk::open().await;
    let changed = desk.app.store.write(|conn| {
        Ok(conn
            .execute("UPDATE rate_versions SET rates = '{}'", [])
            .is_err())
    });
    assert!(changed.await.unwrap());
}

#[tokio::test]
async fn the_history_of_the_rates_names_who_published_what_and_when() {
    let desk = Desk::open().await;
    let mut rates = desk.get("/rates").await["rates"].clone();
    *rates.pointer_mut("/card/night/cents").unwrap() = json!(333);
    let body = json!({ "revision": 0, "rates": rates });
    assert_eq!(desk.send(Method::PUT, "/rates/draft", body).await.0, 200);
    desk.app.clock.advance(60_000);
    let body = json!({ "revision": 1 });
    let published = desk.send(Method::POST, "/rates/publish", body).await;
    assert_eq!(published.0, 200, "{published:?}");
    let history = desk.get("/rates/versions").await["versions"].clone();
    assert_eq!(history.as_array().unwrap().len(), 2);
    assert_eq!(
        history[0],
        json!({
            "version": 2,
            "published_at": desk.app.clock.now().to_string(),
            "published_by": "ada@guard.example",
        })
    );
    for (version, cents) in [(2, 333), (1, 200), (0, 200)] {
        let found = desk.get(&format!("/rates/versions/{version}")).await;
        assert_eq!(found["version"], version);
        assert_eq!(found["rates"]["card"]["night"]["cents"], cents);
    }
    let (status, _) = desk
        .send(Method::GET, "/rates/versions/3", Value::Null)
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn customers_consent_to_the_published_words_and_older_rates_have_the_sample() {
    let desk = Desk::open().await;
    let sample = desk.get("/rates").await["rates"].clone();
    let without = |conn: &rusqlite::Connection| {
        let older = "INSERT INTO rate_versions (version, rates, published_at, published_by)
                     SELECT 2, json_remove(rates, '$.consent', '$.confirmed_by'), published_at,
                       published_by FROM rate_versions";
        Ok(conn.execute(older, [])?)
    };
    assert_eq!(desk.app.store.write(without).await.unwrap(), 1);
    let read = desk.get("/rates").await;
    assert_eq!((&read["version"], &read["rates"]), (&json!(2), &sample));
    let mut rates = sample;
    rates["consent"] = json!({
        "text": "I sign this for the customer.",
        "disclosures": [{ "title": "On paper", "text": "Write to us." }],
    });
    rates["confirmed_by"] = json!("A. Reyes, attorney");
    let body = json!({ "revision": 0, "rates": rates });
    assert_eq!(desk.send(Method::PUT, "/rates/draft", body).await.0, 200);
    desk.post("/rates/publish", json!({ "revision": 1 })).await;
    let offer = desk.delivered().await;
    let (_, page) = desk.page(&link(&offer)).await;
    for words in ["I sign this for the customer.", "On paper", "Write to us."] {
        assert!(page.contains(words), "{page}");
    }
    assert!(!page.contains("Reyes"), "{page}");
}

#[tokio::test]
async fn check_warns_of_published_texts_until_a_lawyer_has_confirmed_them() {
    let app = TestApp::start().await;
    let ada = Dispatcher::of(&app).await;
    let desk = Desk { app, ada };
    let cli = Cli::on_data_of(&desk.app);
    let warns = || {
        let lines = cli.run(&["check"]).stdout;
        lines.contains("no lawyer has confirmed those that are published")
    };
    assert!(!warns(), "no offers are made");
    desk.publish_rates().await;
    assert!(warns());
    let mut rates = desk.get("/rates").await["rates"].clone();
    rates["confirmed_by"] = json!("A. Reyes, attorney");
    let body = json!({ "revision": 0, "rates": rates });
    assert_eq!(desk.send(Method::PUT, "/rates/draft", body).await.0, 200);
    assert!(warns(), "a draft is not published");
    desk.post("/rates/publish", json!({ "revision": 1 })).await;
    assert!(!warns());
}
