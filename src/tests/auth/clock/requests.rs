//! A changed clock and requests of visitors: their limits and their emails.

use serde_json::json;
use store::ClaimLimits;

use super::{DAY, Jump, SECOND};
use crate::mail::delivery::deliver_all;
use crate::support::visitors::quote;

pub(super) async fn an_email_on_hold(jump: Jump<'_>) {
    let app = jump.app;
    app.stored(json!({})).await;
    let folder = app.folder.path().join("mail");
    let folder_mailer = outbox::mailer::Folder::open(&folder).unwrap();
    std::fs::remove_dir(&folder).unwrap();
    let worker = app.delivery_worker(std::sync::Arc::new(folder_mailer));
    deliver_all(&worker).await;
    std::fs::create_dir(&folder).unwrap();
    jump.apply().await;
    app.clock.advance(19 * SECOND);
    deliver_all(&worker).await;
    assert_eq!(app.outbox_column("state").await, "sent");
}

pub(super) async fn an_email_in_the_hands_of_a_dead_process(jump: Jump<'_>) {
    let app = jump.app;
    app.stored(json!({})).await;
    let lease = 90 * SECOND;
    let claimed = app
        .store
        .claim_due(ClaimLimits::any(1), lease, app.clock.now())
        .await
        .unwrap();
    assert_eq!(claimed.len(), 1);
    jump.apply().await;
    app.run_outbox().await;
    app.clock.advance(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

pub(super) async fn the_window_of_submissions(jump: Jump<'_>) {
    let app = jump.app;
    for n in 0..3 {
        app.met("198.51.100.1", &format!("lot {n}")).await;
    }
    jump.apply().await;
    app.clock.advance(300 * SECOND);
    assert_eq!(app.met("198.51.100.1", "lot 4").await, 201);
}

pub(super) async fn the_same_form_without_a_key(jump: Jump<'_>) {
    let app = jump.app;
    let form = async || {
        let fields = quote(json!({ "startDate": "2099-12-01" }));
        let named = [
            ("firstName", "first_name"),
            ("lastName", "last_name"),
            ("email", "email"),
            ("phone", "phone"),
            ("serviceType", "service_type"),
            ("location", "location"),
            ("startDate", "start_date"),
            ("duration", "duration"),
        ];
        let fields = named.map(|(name, key)| (name, fields[key].as_str().unwrap().to_owned()));
        let posted = app
            .http
            .post(app.url("/quote"))
            .header("sec-fetch-site", "same-origin")
            .form(&fields)
            .send()
            .await
            .unwrap();
        assert_eq!(posted.status(), 303);
    };
    app.clock.advance(if jump.is_back() { 0 } else { DAY });
    form().await;
    form().await;
    assert_eq!(app.rows("quotes").await, 1, "the second click");
    app.clock
        .advance(if jump.is_back() { jump.steps[0] } else { -DAY });
    app.clock.advance(600 * SECOND);
    form().await;
    assert_eq!(app.rows("quotes").await, 2);
}
