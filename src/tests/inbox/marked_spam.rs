//! Requests that a dispatcher marks as spam: held, undone, released, deleted in time.

use serde_json::json;

use super::{Dispatcher, names};
use crate::support::app::TestApp;

const DAY: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn any_request_can_be_marked_as_spam_and_the_mark_can_be_undone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({"last_name": "Seller"})).await;
    desk.move_to(&id, "in_progress").await;
    let before = desk.request(&id).await;
    let path = format!("/inbox/{id}/spam");
    let (status, marked) = desk.post(&path, json!({})).await;
    assert_eq!((status, &marked["held"]), (200, &json!(true)), "{marked}");
    let reasons = marked["held_reasons"].as_array().unwrap();
    assert_eq!(reasons.last().unwrap()["signal"], "marked");
    assert_eq!(names(&desk.get("/inbox").await), [""; 0]);
    let held = desk.get("/inbox?held=true").await;
    assert_eq!(
        (names(&held), &held["views"]["held"]),
        (vec!["Seller".to_owned()], &json!(1))
    );
    let (status, again) = desk.post(&path, json!({})).await;
    assert_eq!(status, 409, "{again}");

    let (status, undone) = desk
        .on(&id, "undo", json!({"event": marked["event"]}))
        .await;
    assert_eq!((status, &undone["held"]), (200, &json!(false)), "{undone}");
    assert_eq!(undone["status"], "in_progress");
    assert_eq!(undone["held_reasons"], before["held_reasons"]);
    let page = desk.get("/inbox").await;
    assert_eq!(
        (names(&page), &page["views"]["held"]),
        (vec!["Seller".to_owned()], &json!(0))
    );
}

#[tokio::test]
async fn a_marked_request_is_released_as_it_was_without_emails() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    app.run_outbox().await;
    let sent = app.mailbox().len();
    desk.move_to(&id, "in_progress").await;
    desk.on(&id, "spam", json!({})).await;
    let (_, discarded) = desk.on(&id, "discard", json!({})).await;
    assert_eq!(discarded["status"], "cancelled");
    let (status, released) = desk.on(&id, "release", json!({})).await;
    assert_eq!(
        (status, &released["held"]),
        (200, &json!(false)),
        "{released}"
    );
    assert_eq!(released["status"], "in_progress");
    app.clock.advance(15_000);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), sent, "the office knows it already");
    let (status, undone) = desk
        .on(&id, "undo", json!({"event": released["event"]}))
        .await;
    assert_eq!(
        status, 409,
        "a release can be undone for ten seconds: {undone}"
    );
}

#[tokio::test]
async fn the_undo_of_a_release_and_of_a_discard_restores_the_mark_and_the_status() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    desk.move_to(&id, "in_progress").await;
    desk.on(&id, "spam", json!({})).await;
    let (_, released) = desk.on(&id, "release", json!({})).await;
    let undo = format!("/inbox/{id}/undo");
    let (status, held) = desk.post(&undo, json!({"event": released["event"]})).await;
    assert_eq!((status, &held["held"]), (200, &json!(true)), "{held}");
    let (_, discarded) = desk.on(&id, "discard", json!({})).await;
    let (status, held) = desk.post(&undo, json!({"event": discarded["event"]})).await;
    assert_eq!(
        (status, &held["status"]),
        (200, &json!("in_progress")),
        "{held}"
    );
}

#[tokio::test]
async fn a_marked_request_is_deleted_when_it_was_marked_long_ago_not_when_it_is_old() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({})).await;
    app.clock.advance(100 * DAY);
    let desk = desk.again(&app).await;
    desk.on(&id, "spam", json!({})).await;
    assert_eq!(app.store.purge_held(30, app.clock.now()).await.unwrap(), 0);
    app.clock.advance(31 * DAY);
    assert_eq!(app.store.purge_held(30, app.clock.now()).await.unwrap(), 1);
}
