//! Presence: who has which request open.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Live, call, connect, second_admin};
use crate::support::app::TestApp;
use crate::support::people::Person;

async fn show(app: &TestApp, admin: &Person, request: Value) -> StatusCode {
    let body = json!({ "request": request });
    let path = "/api/admin/live/presence";
    call(app, &admin.access_token, Method::POST, path, body)
        .await
        .status()
}

#[tokio::test]
async fn admins_see_who_has_a_request_open_until_that_stream_ends() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let (one, two) = (app.stored(json!({})).await, app.stored(json!({})).await);
    assert_eq!(show(&app, &bea, json!(one)).await, 409, "no stream yet");
    let leaving = show(&app, &bea, json!(null)).await;
    assert_eq!(leaving, StatusCode::NO_CONTENT, "nothing to leave");
    let mut live = Live::open(&app, &ada).await;
    let shown = Live::open(&app, &bea).await;
    let presence = |request: &str, people: &[&Person]| {
        let people: Vec<_> = people
            .iter()
            .map(|p| json!({"id": p.id, "email": p.email, "name": null, "replying": false}))
            .collect();
        json!({"request": request, "people": people})
    };
    assert_eq!(show(&app, &bea, json!(one)).await, StatusCode::NO_CONTENT);
    let event = live.event().await;
    assert_eq!(
        (event.name.as_str(), event.data),
        ("presence", presence(&one, &[&bea]))
    );
    // A client that connects later gets it as well.
    let mut later = Live::of(connect(&app, &ada.access_token, None).await);
    later.frame().await;
    assert_eq!(later.event().await.data, presence(&one, &[&bea]));
    assert_eq!(show(&app, &bea, json!(two)).await, StatusCode::NO_CONTENT);
    assert_eq!(live.event().await.data, presence(&one, &[]));
    assert_eq!(live.event().await.data, presence(&two, &[&bea]));
    drop(shown);
    assert_eq!(live.event().await.data, presence(&two, &[]));
    for invalid in [json!("GP-2K7Q"), json!(7), json!({})] {
        let status = show(&app, &ada, invalid).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test]
async fn a_tab_that_does_not_say_again_what_it_has_open_is_forgotten() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let _shown = Live::open(&app, &bea).await;
    let people = async |live: &mut Live| {
        let event = live.event_that(|event| event.name == "presence").await;
        event.data["people"].as_array().unwrap().len()
    };
    show(&app, &bea, json!(id)).await;
    assert_eq!(people(&mut live).await, 1);
    app.clock.advance(100_000);
    show(&app, &bea, json!(id)).await;
    app.clock.advance(100_000);
    let mut later = Live::of(connect(&app, &ada.access_token, None).await);
    later.frame().await;
    assert_eq!(people(&mut later).await, 1, "said again in time");
    app.clock.advance(60_000);
    assert_eq!(people(&mut live).await, 0);
}

#[tokio::test]
async fn a_person_is_shown_as_long_as_any_of_their_tabs_has_the_request_open() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let shown = Live::open(&app, &bea).await;
    let tab = async |tab: &str, request: Value| {
        let body = json!({"request": request, "tab": tab});
        let path = "/api/admin/live/presence";
        let answer = call(&app, &bea.access_token, Method::POST, path, body).await;
        answer.status()
    };
    let people = async |live: &mut Live| {
        let event = live.event().await;
        assert_eq!(
            (&*event.name, &event.data["request"]),
            ("presence", &json!(id))
        );
        event.data["people"].as_array().unwrap().len()
    };
    assert_eq!(tab("one", json!(id)).await, StatusCode::NO_CONTENT);
    assert_eq!(people(&mut live).await, 1);
    tab("two", Value::Null).await;
    tab("two", json!(id)).await;
    assert_eq!(people(&mut live).await, 1, "one person, once");
    tab("one", Value::Null).await;
    assert_eq!(people(&mut live).await, 1, "the other tab has it open");
    tab("two", Value::Null).await;
    assert_eq!(people(&mut live).await, 0);
    for n in 0..20 {
        tab(&n.to_string(), json!(id)).await;
    }
    assert_eq!(tab(&"x".repeat(37), json!(id)).await, 422);
    drop(shown);
    for _ in 0..16 {
        assert_eq!(people(&mut live).await, 1, "at most sixteen tabs are shown");
    }
    assert_eq!(people(&mut live).await, 0, "the session has no stream");
}

#[tokio::test]
async fn a_person_who_writes_a_reply_is_shown_as_replying_with_their_name() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({})).await;
    let name = json!({"name": "Bea Ruiz", "signature": ""});
    call(
        &app,
        &bea.access_token,
        Method::PUT,
        "/api/admin/profile",
        name,
    )
    .await;
    let mut live = Live::open(&app, &ada).await;
    let _shown = Live::open(&app, &bea).await;
    let tab = async |tab: &str, replying: Value| {
        let body = json!({"request": id, "tab": tab, "replying": replying});
        let path = "/api/admin/live/presence";
        let answer = call(&app, &bea.access_token, Method::POST, path, body).await;
        answer.status()
    };
    let replying = async |live: &mut Live| {
        let event = live.event().await;
        let people = event.data["people"].as_array().unwrap();
        assert_eq!((people.len(), &people[0]["name"]), (1, &json!("Bea Ruiz")));
        people[0]["replying"].as_bool().unwrap()
    };
    tab("one", json!(false)).await;
    assert!(!replying(&mut live).await);
    tab("one", json!(true)).await;
    assert!(replying(&mut live).await);
    tab("two", json!(false)).await;
    assert!(replying(&mut live).await, "in one of two tabs");
    tab("one", Value::Null).await;
    assert!(!replying(&mut live).await);
    let refused = tab("one", json!("yes")).await;
    assert_eq!(refused, StatusCode::UNPROCESSABLE_ENTITY);
}
