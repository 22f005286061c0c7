//! Edits of what a request says, and all that follows them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::mail::acknowledgements::app_with;
use crate::support::app::TestApp;
use crate::support::visitors::quote;

impl Dispatcher {
    async fn edit(&self, id: &str, to: Value) -> (u16, Value) {
        self.edit_seen(id, json!({}), to).await
    }

    async fn edit_seen(&self, id: &str, from: Value, to: Value) -> (u16, Value) {
        let path = format!("/inbox/{id}/fields");
        let body = json!({ "from": from, "to": to });
        self.change(Method::PATCH, &path, body).await
    }
}

/// A request by phone without an address.
async fn call(desk: &Dispatcher, changes: Value) -> String {
    let mut typed = quote(changes);
    typed["email"] = json!("");
    let (status, stored) = desk.post("/inbox/phone", typed).await;
    assert_eq!(status, 201, "{stored}");
    text(&stored["id"])
}

fn fields_of(refused: &Value) -> Vec<String> {
    let fields = refused["fields"].as_array().unwrap();
    fields.iter().map(|it| text(&it["field"])).collect()
}

#[tokio::test]
async fn an_edit_is_in_the_record_the_lists_and_the_history_and_an_undo_takes_it_back() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let old = json!({
        "first_name": "Marta", "last_name": "Oldname", "email": "old@site.example",
        "phone": "713-555-0101", "company": "Old Lofts", "service_type": "fire-watch",
        "location": "Zyxwvut Court, TX", "start_date": "2099-12-01", "duration": "1-week",
    });
    let id = app.stored(old).await;
    let to = json!({
        "first_name": "Maria", "last_name": "Newname", "email": "new@site.example",
        "phone": "(713) 555-0202", "company": "", "service": "mobile-patrol",
        "location": "Dock 3; Qwopaskl Lane, CA", "start_date": "2099-12-24", "duration": "ongoing",
    });
    let (status, edited) = desk.edit(&id, to.clone()).await;
    assert_eq!(status, 200, "{edited}");
    let record = desk.get(&format!("/quotes/{id}")).await;
    for (field, value) in to.as_object().unwrap() {
        let key = if field == "service" {
            "service_type"
        } else {
            field
        };
        let expected = if field == "company" {
            &Value::Null
        } else {
            value
        };
        assert_eq!(
            (&edited[field], &record[key]),
            (expected, expected),
            "{field}"
        );
    }
    let history = desk.history(&id).await;
    let (verb, detail) = &history[0];
    assert_eq!((verb.as_str(), &detail["to"]), ("edited", &to));
    assert_eq!(detail["from"]["company"], "Old Lofts");
    assert_eq!(detail["from"]["service"], "fire-watch");
    for (query, found) in [
        ("q=Newname", 1),
        ("q=Oldname", 0),
        ("q=7135550202", 1),
        ("q=old@site.example", 0),
        ("service=mobile-patrol", 1),
        ("service=fire-watch", 0),
        ("state=CA", 1),
        ("state=TX", 0),
    ] {
        let page = desk.get(&format!("/inbox?{query}")).await;
        assert_eq!(names(&page).len(), found, "{query}");
        let counted = page["counts"]["pending"].as_u64();
        assert_eq!(counted, Some(found as u64), "{query}");
    }
    let exported = desk.get("/export?format=json").await;
    assert_eq!(exported[0]["email"], "new@site.example");

    let (status, same) = desk.edit(&id, to).await;
    assert_eq!(
        (status, &same["event"]),
        (200, &Value::Null),
        "nothing changed"
    );

    let (status, undone) = desk.undo(&id, &edited["event"]).await;
    assert_eq!(status, 200, "{undone}");
    for (field, value) in [
        ("last_name", "Oldname"),
        ("company", "Old Lofts"),
        ("service", "fire-watch"),
        ("location", "Zyxwvut Court, TX"),
    ] {
        assert_eq!(undone[field], value);
    }
    let page = desk.get("/inbox?service=fire-watch&q=Oldname").await;
    assert_eq!(page["counts"]["pending"], 1);
}

#[tokio::test]
async fn an_edit_follows_the_rules_of_the_form_and_its_errors_name_the_fields() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({"start_date": "2099-12-01"})).await;
    let wrong = json!({
        "first_name": "M", "email": "no address", "phone": "12", "company": "A@B",
        "service": "elephants", "location": "<b>x</b>", "start_date": "2020-01-01",
        "duration": "a while",
    });
    let (status, refused) = desk.edit(&id, wrong.clone()).await;
    assert_eq!(status, 422, "{refused}");
    let mut fields = fields_of(&refused);
    fields.sort();
    let mut expected: Vec<_> = wrong.as_object().unwrap().keys().cloned().collect();
    expected.sort();
    assert_eq!(fields, expected);
    for (to, field) in [
        (json!({"email": 7}), "email"),
        (json!({"first_name": ""}), "first_name"),
        (json!({"phone": "", "email": ""}), "phone"),
    ] {
        let (status, refused) = desk.edit(&id, to).await;
        assert_eq!((status, fields_of(&refused)), (422, vec![field.to_owned()]));
    }
    let (status, refused) = desk.edit(&id, json!({"status": "completed"})).await;
    let detail = refused["detail"].as_str().unwrap();
    assert!(
        status == 400 && detail.contains("unknown field `status`"),
        "{refused}"
    );
    assert_eq!(desk.history(&id).await, []);
    let (status, edited) = desk.edit(&id, json!({"email": ""})).await;
    assert_eq!(
        (status, &edited["email"]),
        (200, &json!("")),
        "a number remains"
    );

    let message = app.message(json!({})).await;
    let message = text(&message["id"]);
    let (status, refused) = desk.edit(&message, json!({"location": "Katy"})).await;
    assert_eq!(
        (status, fields_of(&refused)),
        (422, vec!["location".to_owned()])
    );
    let to = json!({"service": "fire-watch", "phone": "281-555-0199"});
    let (status, edited) = desk.edit(&message, to).await;
    assert_eq!(
        (status, &edited["service"]),
        (200, &json!("fire-watch")),
        "{edited}"
    );

    desk.on(&id, "spam", json!({})).await;
    let (status, refused) = desk.edit(&id, json!({"phone": "281-555-0199"})).await;
    assert_eq!((status, &refused["code"]), (409, &json!("held")));
}

#[tokio::test]
async fn an_edit_replaces_only_what_its_author_has_seen_and_the_last_one_of_a_field_is_undone() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({"last_name": "First"})).await;
    let (_, own) = desk.edit(&id, json!({"last_name": "Second"})).await;
    let (_, phone) = desk.edit(&id, json!({"phone": "281-555-0199"})).await;
    let (seen, new) = (json!({"last_name": "First"}), json!({"last_name": "Third"}));
    let (status, refused) = colleague.edit_seen(&id, seen, new.clone()).await;
    assert_eq!(
        (status, fields_of(&refused)),
        (422, vec!["last_name".to_owned()])
    );
    assert!(refused.to_string().contains("Second"), "{refused}");
    let (status, _) = colleague.edit(&id, new).await;
    assert_eq!(status, 200);

    let (status, refused) = desk.undo(&id, &own["event"]).await;
    assert_eq!(status, 409, "{refused}");
    let (status, undone) = desk.undo(&id, &phone["event"]).await;
    assert_eq!(
        (status, &undone["last_name"]),
        (200, &json!("Third")),
        "{undone}"
    );
    assert_eq!(undone["phone"], quote(json!({}))["phone"]);
}

#[tokio::test]
async fn a_caller_gets_an_address_to_which_replies_and_offers_go() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let id = call(&desk, json!({"phone": "713-555-0101"})).await;
    app.stored(json!({"email": "ann@site.example", "phone": "713-555-0999"}))
        .await;
    let page = desk.get("/inbox?q=ann@site.example").await;
    assert_eq!(page["requests"][0]["asked_before"], false);
    let (status, edited) = desk.edit(&id, json!({"email": "ann@site.example"})).await;
    assert_eq!(status, 200, "{edited}");
    let page = desk.get("/inbox?q=ann@site.example").await;
    assert_eq!(
        page["requests"][0]["asked_before"], true,
        "of the same person"
    );
    let reply = json!({"subject": "Your request", "text": "Three guards."});
    let (status, sent) = desk.on(&id, "replies", reply).await;
    assert_eq!(
        (status, &sent["detail"]["to"]),
        (201, &json!("ann@site.example")),
        "{sent}"
    );
    let (status, offer) = desk.on(&id, "offers", json!({})).await;
    assert_eq!(status, 201, "{offer}");
    assert_eq!(offer["request"]["email"], "ann@site.example");

    // Corrected before they have left, emails go to the right address.
    desk.edit(&id, json!({"email": "anna@site.example"})).await;
    app.clock.advance(11_000);
    app.run_outbox().await;
    let to: Vec<_> = app.mailbox().iter().map(|mail| mail.to.concat()).collect();
    assert!(to.contains(&"anna@site.example".to_owned()), "{to:?}");
    let number = text(&offer["number"]);
    let offer = desk.get(&format!("/offers/{number}")).await;
    assert_eq!(offer["request"]["email"], "anna@site.example");
}

#[tokio::test]
async fn an_acknowledgement_that_has_not_left_goes_to_the_corrected_address() {
    let app = app_with(|_| {}).await;
    let desk = Dispatcher::of(&app).await;
    let id = app.stored(json!({"email": "mistyped@site.example"})).await;
    desk.edit(&id, json!({"email": "right@site.example"})).await;
    app.run_outbox().await;
    let to: Vec<_> = app.mailbox().iter().map(|mail| mail.to.concat()).collect();
    assert!(to.contains(&"right@site.example".to_owned()), "{to:?}");
    assert!(!to.contains(&"mistyped@site.example".to_owned()), "{to:?}");
}

#[tokio::test]
async fn an_erasure_by_the_old_or_the_new_address_leaves_neither() {
    for erased in ["old@site.example", "new@site.example"] {
        let app = TestApp::start().await;
        let desk = Dispatcher::of(&app).await;
        let id = app
            .stored(json!({"email": "old@site.example", "last_name": "Oldname"}))
            .await;
        let other = app.stored(json!({"email": "other@site.example"})).await;
        let to = json!({"email": "New@site.example", "last_name": "Newname"});
        desk.edit(&id, to).await;
        desk.edit(&other, json!({"phone": "281-555-0199"})).await;
        app.clock.advance(1000);
        let find = json!({ "email": erased });
        let (_, found) = desk.post("/person/find", find.clone()).await;
        assert_eq!(found["quotes"], 1, "{erased}: {found}");
        let answer = desk.call(Method::POST, "/person/export", Some(find)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let exported = answer.text().await.unwrap();
        assert!(
            exported.contains("Oldname") && exported.contains("Newname"),
            "{exported}"
        );
        let body = json!({ "email": erased, "confirm": erased });
        let (status, done) = desk.post("/person/erase", body).await;
        assert_eq!(status, 200, "{done}");
        let left = "SELECT count(*) FROM events WHERE detail LIKE '%site.example%'
            OR detail LIKE '%Oldname%' OR detail LIKE '%Newname%'";
        let left = app
            .store
            .read(|conn| Ok(conn.query_row(left, [], |row| row.get::<_, i64>(0))?));
        assert_eq!((left.await.unwrap(), app.rows("requests").await), (0, 1));
        assert_eq!(desk.history(&other).await.len(), 1);
    }
}
