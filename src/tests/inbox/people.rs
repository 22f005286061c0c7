//! People for assignment, named filters, and exports of a list.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, text};
use crate::support::app::TestApp;

#[tokio::test]
async fn people_are_the_active_admins_and_one_who_leaves_releases_their_requests() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    app.member().await;
    let people = desk.get("/people").await;
    let ids = |people: &Value| -> Vec<String> {
        let people = people["people"].as_array().unwrap();
        people.iter().map(|person| text(&person["id"])).collect()
    };
    assert_eq!(ids(&people), [desk.id.as_str(), &colleague.id]);
    assert_eq!(people["people"][1]["email"], "colleague@guardpost.example");

    let id = app.stored(json!({})).await;
    colleague.patch(&id, json!({"assignee": "me"})).await;
    let url = app.url(&format!("/auth/v1/admin/users/{}", colleague.id));
    let demoted = app
        .http
        .put(url)
        .bearer_auth(&desk.token)
        .json(&json!({"role": "authenticated"}));
    assert_eq!(demoted.send().await.unwrap().status(), 200);
    assert_eq!(ids(&desk.get("/people").await), [desk.id.as_str()]);
    let (status, _) = desk.patch(&id, json!({"assignee": colleague.id})).await;
    assert_eq!(status, 422, "somebody who is no admin gets no requests");
    let request = desk.request(&id).await;
    assert!(request["assignee"].is_null());
    let (verb, detail) = desk.history(&id).await.pop().unwrap();
    assert_eq!((verb.as_str(), &detail["to"]), ("assigned", &Value::Null));
    assert_eq!(
        desk.get("/inbox?assignee=nobody").await["counts"]["pending"],
        1
    );
}

#[tokio::test]
async fn filters_are_kept_per_person_or_shared() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let own = json!({"name": "Texas tonight", "query": "state=TX&emergency=true"});
    let shared = json!({"name": "All late", "query": "?overdue=true", "shared": true});
    let (status, saved) = desk.post("/filters", own).await;
    assert_eq!((status, &saved["own"]), (201, &json!(true)));
    let (_, late) = desk.post("/filters", shared).await;
    let again = json!({"name": "Texas tonight", "query": "state=TX"});
    let (_, replaced) = desk.post("/filters", again).await;
    assert_eq!(replaced["id"], saved["id"]);

    let names = |filters: Value| -> Vec<(String, String, bool)> {
        let filters = filters["filters"].as_array().unwrap();
        let filter = |filter: &Value| {
            (
                text(&filter["name"]),
                text(&filter["query"]),
                filter["own"] == true,
            )
        };
        filters.iter().map(filter).collect()
    };
    let late_row = |own| ("All late".to_owned(), "overdue=true".to_owned(), own);
    let texas = ("Texas tonight".to_owned(), "state=TX".to_owned(), true);
    assert_eq!(names(desk.get("/filters").await), [late_row(true), texas]);
    assert_eq!(names(colleague.get("/filters").await), [late_row(false)]);

    let delete = |who: &Dispatcher, filter: &Value| {
        let url = app.url(&format!("/api/admin/filters/{}", text(&filter["id"])));
        app.http.delete(url).bearer_auth(&who.token).send()
    };
    assert_eq!(delete(&colleague, &saved).await.unwrap().status(), 404);
    assert_eq!(delete(&colleague, &late).await.unwrap().status(), 409);
    assert_eq!(delete(&desk, &late).await.unwrap().status(), 204);
    assert_eq!(names(colleague.get("/filters").await), []);
    for (filter, field) in [
        (json!({"name": " ", "query": "a=b"}), "name"),
        (json!({"name": "x".repeat(81), "query": "a=b"}), "name"),
        (json!({"name": "a", "query": "a b"}), "query"),
    ] {
        let (status, refused) = desk.post("/filters", filter).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!(field))
        );
    }
}

#[tokio::test]
async fn the_export_of_a_list_has_its_requests_and_no_formulas() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    app.stored(json!({"last_name": "Dallas", "location": "Dallas, TX", "description": "=1+1"}))
        .await;
    let taken = app
        .message(json!({"last_name": "Written", "details": "-2 guards, please"}))
        .await;
    app.stored(json!({"last_name": "Tampa", "location": "Tampa, FL"}))
        .await;
    desk.patch(&text(&taken["id"]), json!({"assignee": "me"}))
        .await;
    let export = async |query: &str| {
        let path = format!("/export?{query}");
        let answer = desk.call(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 200, "{query}");
        let name = answer.headers()["content-disposition"]
            .to_str()
            .unwrap()
            .to_owned();
        (name, answer.text().await.unwrap())
    };
    let (name, table) = export("format=csv").await;
    assert!(
        name.starts_with("attachment") && name.contains(".csv"),
        "{name}"
    );
    let (_, bare) = export("format=csv&bom=false").await;
    assert_eq!(
        table.strip_prefix('\u{feff}'),
        Some(bare.as_str()),
        "for Excel"
    );
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let header: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let cells = |name: &str| -> Vec<&str> { rows.iter().map(|row| &row[column(name)]).collect() };
    assert_eq!(
        cells("last_name"),
        ["Dallas", "Written", "Tampa"],
        "oldest first"
    );
    assert_eq!(cells("kind"), ["quote", "message", "quote"]);
    assert_eq!(cells("description")[..2], ["'=1+1", "'-2 guards, please"]);
    assert!(cells("assignee")[1].contains('@'));
    assert!(
        cells("reference")
            .iter()
            .all(|reference| reference.starts_with("GP-"))
    );
    for (query, expected) in [
        ("format=json&state=TX", &["Dallas"][..]),
        ("format=json&kind=quote&q=tam", &["Tampa"]),
        ("format=json&assignee=me", &["Written"]),
        ("format=json&status=completed", &[]),
    ] {
        let (_, array) = export(query).await;
        let array: Value = serde_json::from_str(&array).unwrap();
        let names: Vec<_> = array
            .as_array()
            .unwrap()
            .iter()
            .map(|row| text(&row["last_name"]))
            .collect();
        assert_eq!(names, expected, "{query}");
    }
    let path = "/export?format=xlsx";
    assert_eq!(desk.call(Method::GET, path, None).await.status(), 400);
}
