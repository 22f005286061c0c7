//! Export and erasure of a visitor on the desk.

use std::fs;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::Dispatcher;
use crate::support::app::TestApp;

const MARIA: &str = "maria@property.example";

async fn call(desk: &Dispatcher, path: &str, body: Value) -> (u16, Value) {
    let path = format!("/person/{path}");
    desk.change(Method::POST, &path, body).await
}

#[tokio::test]
async fn a_visitor_is_counted_exported_and_erased_by_an_admin() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    app.stored(json!({"location": "Zyxwvut Court"})).await;
    let other = app.stored(json!({"email": "other@else.example"})).await;

    let (status, found) = call(&desk, "find", json!({"email": " Maria@property.example "})).await;
    assert_eq!(
        (status, &found["quotes"], &found["messages"]),
        (200, &json!(1), &json!(0))
    );
    assert_eq!(found["has_account"], false);
    assert_eq!(app.rows("quotes").await, 2, "to count changes nothing");

    app.clock.advance(1000);
    let path = "/person/export";
    let answer = desk
        .call(Method::POST, path, Some(json!({"email": MARIA})))
        .await;
    let name = answer.headers()["content-disposition"].to_str().unwrap();
    assert!(name.contains("person.json"), "{name}");
    let export: Value = answer.json().await.unwrap();
    assert_eq!(export["tables"]["quotes"][0]["location"], "Zyxwvut Court");

    app.clock.advance(1000);
    let wrong = json!({"email": MARIA, "confirm": "other@else.example"});
    let (status, refused) = call(&desk, "erase", wrong).await;
    assert_eq!(
        (status, &refused["fields"][0]["field"]),
        (422, &json!("confirm"))
    );
    assert_eq!(app.rows("quotes").await, 2);

    let right = json!({"email": MARIA, "confirm": "MARIA@property.example"});
    let (status, erased) = call(&desk, "erase", right).await;
    assert_eq!((status, &erased["quotes"]), (200, &json!(1)), "{erased}");
    assert_eq!(app.rows("quotes").await, 1);
    assert_eq!(
        app.store.quote(other).await.unwrap().email,
        "other@else.example"
    );
    let ledger = fs::read_to_string(app.folder.path().join("erasures.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 1, "restored backups erase again");

    let audit = app.audit_trail(2).await;
    let actions: Vec<_> = audit.iter().map(|row| row.action.as_str()).collect();
    assert_eq!(actions, ["person_erased", "person_exported"]);
    assert!(audit.iter().all(|row| row.actor == desk.id));
    assert_eq!(audit[0].detail["quotes"], 1);
    assert!(!format!("{audit:?}").contains("maria"), "{audit:?}");
    assert!(ledger.contains(audit[0].subject_id.as_deref().unwrap()));

    let (status, none) = call(&desk, "find", json!({"email": MARIA})).await;
    assert_eq!((status, &none["quotes"]), (200, &json!(0)));
    let (status, _) = call(&desk, "find", json!({"email": "maria"})).await;
    assert_eq!(status, 422);
}

#[tokio::test]
async fn the_bytes_of_an_erased_visitor_are_gone_with_the_answer() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let grant = app.grant().await;
    let added = app.add_file(&grant, "a.pdf", b"%PDF-1.7 a plan").await;
    assert_eq!(added.status(), StatusCode::OK);
    let (_, erased) = call(&desk, "erase", json!({"email": MARIA, "confirm": MARIA})).await;
    assert_eq!(erased["files"], 1);
    let left = app.sweep().await;
    assert_eq!((left.contents, left.temporary), (0, 0));
}

#[tokio::test]
async fn nobody_but_an_admin_exports_or_erases_a_visitor() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let member = app.member().await;
    let body = json!({"email": MARIA, "confirm": MARIA});
    for path in ["find", "export", "erase"] {
        let url = app.url(&format!("/api/admin/person/{path}"));
        let stranger = app.http.post(&url).json(&body).send().await.unwrap();
        assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED, "{path}");
        let token = &member.access_token;
        let call = app.http.post(&url).bearer_auth(token).json(&body);
        assert_eq!(call.send().await.unwrap().status(), 403, "{path}");
    }
    assert_eq!(app.rows("quotes").await, 1);
}

#[tokio::test]
async fn without_a_ledger_nobody_is_erased() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    app.stored(json!({})).await;
    fs::create_dir(app.folder.path().join("erasures.jsonl")).unwrap();
    let (status, refused) = call(&desk, "erase", json!({"email": MARIA, "confirm": MARIA})).await;
    assert_eq!(status, 500);
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.starts_with("nothing was erased"), "{refused}");
    assert_eq!(app.rows("quotes").await, 1);
}
