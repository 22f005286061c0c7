//! Colleagues: names and signatures, alerts of assignments, answers while a reply is written, own
//! templates.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Dispatcher, text};
use crate::support::app::TestApp;

async fn save(who: &Dispatcher, name: &str, signature: &str) -> (u16, Value) {
    let body = json!({"name": name, "signature": signature});
    who.change(Method::PUT, "/profile", body).await
}

async fn reply(who: &Dispatcher, id: &str, fields: Value) -> (u16, Value) {
    let mut body = json!({"subject": "Your quote", "text": "Hello"});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    who.on(id, "replies", body).await
}

#[tokio::test]
async fn a_name_is_in_the_history_and_in_the_sender_of_replies_which_end_with_the_signature() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    assert_eq!(
        desk.get("/profile").await,
        json!({"name": "", "signature": ""})
    );
    let (status, saved) = save(&desk, " Ann  Lee\u{202e}", "Ann Lee\nDispatcher").await;
    assert_eq!(
        (status, saved),
        (
            200,
            json!({"name": "Ann Lee", "signature": "Ann Lee\nDispatcher"})
        )
    );
    let templates = desk.get(&format!("/inbox/{id}/reply-templates")).await;
    let template = text(&templates["templates"][0]["text"]);
    assert!(template.ends_with("Kind regards,"), "the signature follows");
    desk.patch(&id, json!({"assignee": "me"})).await;
    reply(&desk, &id, json!({})).await;
    let item = colleague.request(&id).await;
    assert_eq!(item["assignee"]["name"], "Ann Lee", "{item}");
    for event in &item["history"].as_array().unwrap()[2..] {
        assert_eq!(event["actor"]["name"], "Ann Lee", "{event}");
    }
    assert_eq!(
        item["history"][2]["detail"]["to"]["name"], "Ann Lee",
        "{item}"
    );
    let people = colleague.get("/people").await;
    assert_eq!(people["people"][0]["name"], "Ann Lee");
    // What was sent does not change.
    save(&desk, "Ann Smith", "").await;
    app.clock.advance(10_000);
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    assert_eq!(
        mail.from,
        "Ann Lee, Guardpost Security <office@guardpost.example>"
    );
    assert!(
        mail.text.starts_with("Hello\n\nAnn Lee\nDispatcher\n"),
        "{}",
        mail.text
    );
    assert!(
        mail.html.contains("Hello<br><br>Ann Lee<br>Dispatcher"),
        "{}",
        mail.html
    );
    assert_eq!(app.rows("audit WHERE action = 'name_changed'").await, 2);
}

#[tokio::test]
async fn a_name_that_is_hostile_too_long_or_taken_is_refused_with_its_field() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    save(&colleague, "Ann Lee", "").await;
    let long = "x".repeat(501);
    for (name, signature, field) in [
        ("ann lee", "", "name"),
        ("boss@bank.example", "", "name"),
        ("Ann\n<b>", &long, "signature"),
    ] {
        let (status, refused) = save(&desk, name, signature).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!(field))
        );
    }
    let header = "Ann\r\nBcc: eve@evil.example\", \u{1f600}";
    assert_eq!(save(&desk, header, "").await.0, 422, "an address");
    let (status, saved) = save(&desk, "Ann\r\nBcc: \"x\" \u{1f600}", "").await;
    assert_eq!(
        (status, &saved["name"]),
        (200, &json!("Ann Bcc: \"x\" \u{1f600}"))
    );
    let id = app.stored(json!({"emergency_contact": false})).await;
    app.run_outbox().await;
    reply(&desk, &id, json!({})).await;
    app.clock.advance(10_000);
    app.run_outbox().await;
    let mail = app.mailbox().pop().unwrap();
    assert!(
        mail.from.starts_with("Ann Bcc: \"x\" \u{1f600}, Guard"),
        "{}",
        mail.from
    );
    assert!(!mail.raw.contains("\r\nBcc:"), "{}", mail.raw);
}

#[tokio::test]
async fn a_reply_is_refused_if_a_colleague_has_answered_since_and_is_sent_when_that_was_seen() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    save(&colleague, "Ann Lee", "").await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    let (_, undone) = reply(&colleague, &id, json!({"text": "too early"})).await;
    let undo = json!({"event": undone["id"]});
    colleague.on(&id, "undo", undo).await;
    let note = json!({"text": "Gate code 7"});
    colleague.on(&id, "notes", note).await;
    let seen = json!({"seen": 0, "text": "one"});
    assert_eq!(reply(&desk, &id, seen).await.0, 201, "nobody has answered");
    colleague.log_call(&id, "voicemail").await;
    let other = json!({"seen": 0, "text": "two"});
    assert_eq!(
        reply(&desk, &id, other.clone()).await.0,
        201,
        "my own answer and a voicemail"
    );
    let (_, answer) = reply(&colleague, &id, json!({"text": "The price is 900."})).await;
    assert_eq!(
        reply(&desk, &id, other).await.0,
        201,
        "a lost response, sent again"
    );
    let mine = json!({"seen": undone["id"], "text": "three"});
    let (status, refused) = reply(&desk, &id, mine).await;
    assert_eq!(
        (status, &refused["code"]),
        (409, &json!("answered_since")),
        "{refused}"
    );
    let detail = text(&refused["detail"]);
    assert!(
        detail.starts_with("Ann Lee replied on Saturday, November 21, 2026 at 6:00 AM CST"),
        "{detail}"
    );
    let answered = &refused["answered"];
    assert_eq!(answered["by"]["name"], "Ann Lee");
    assert_eq!(answered["last_event"], answer["id"]);
    let anyway = json!({"seen": answered["last_event"], "text": "three"});
    assert_eq!(reply(&desk, &id, anyway).await.0, 201);
    for wrong in [json!("x"), json!(1.5)] {
        let (status, refused) = reply(&desk, &id, json!({"seen": wrong})).await;
        assert_eq!(
            (status, &refused["fields"][0]["field"]),
            (422, &json!("seen"))
        );
    }
}

#[tokio::test]
async fn own_templates_are_beside_the_shipped_ones_and_shared_ones_are_everybodys() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let id = app.stored(json!({"emergency_contact": false})).await;
    let path = "/reply-templates";
    let new = json!({"title": "Site visit", "subject": "Visit", "text": "Hello {{first_name}}"});
    let (status, mine) = desk.post(path, new.clone()).await;
    assert_eq!(status, 201, "{mine}");
    let (status, refused) = desk.post(path, new).await;
    assert_eq!(
        (status, &refused["fields"][0]["field"]),
        (409, &json!("title"))
    );
    let item = desk.request(&id).await;
    let typed = format!("Hello María, Maríana: {}", text(&item["reference"]));
    let typed = json!({"title": "Typed", "text": typed, "shared": true, "request": id});
    let (_, shared) = desk.post(path, typed).await;
    assert_eq!(
        shared["text"],
        "Hello {{first_name}}, Maríana: {{reference}}"
    );
    let titles = async |who: &Dispatcher| {
        let list = who.get(path).await;
        let own = list["templates"].as_array().unwrap()[4..].iter();
        own.map(|one| (text(&one["title"]), one["editable"] == true))
            .collect::<Vec<_>>()
    };
    let owned = ["Site visit", "Typed"].map(|title| (title.to_owned(), true));
    assert_eq!(titles(&desk).await, owned);
    assert_eq!(titles(&colleague).await, [("Typed".to_owned(), false)]);
    let filled = desk.get(&format!("/inbox/{id}/reply-templates")).await;
    assert_eq!(filled["templates"][4]["text"], "Hello María");
    let at = |template: &Value| format!("{path}/{}", text(&template["key"]));
    let edit = json!({"title": "Visit", "text": "When may we come?", "shared": false});
    for (who, template, status) in [
        (&colleague, &mine, 404),
        (&colleague, &shared, 409),
        (&desk, &mine, 200),
    ] {
        let changed = who.change(Method::PUT, &at(template), edit.clone()).await;
        assert_eq!(changed.0, status, "{}", changed.1);
    }
    for (who, template, status) in [
        (&colleague, &mine, 404),
        (&colleague, &shared, 409),
        (&desk, &mine, 204),
        (&desk, &mine, 404),
    ] {
        let answer = who.call(Method::DELETE, &at(template), None).await;
        assert_eq!(answer.status().as_u16(), status);
    }
    let by = desk.id.clone();
    app.sql("UPDATE requests SET assignee = NULL").await;
    app.store
        .write(move |conn| {
            conn.execute("DELETE FROM users WHERE id = ?1", [by])?;
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(
        titles(&colleague).await,
        [("Typed".to_owned(), true)],
        "nobody's"
    );
    let taken = colleague.change(Method::PUT, &at(&shared), edit).await;
    assert_eq!(taken.0, 200, "{}", taken.1);
}

#[tokio::test]
async fn a_template_with_an_unknown_fact_or_outside_its_limits_is_refused() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let (long, title) = ("x".repeat(10_001), "x".repeat(81));
    for (new, field) in [
        (json!({"title": "a", "text": "Hello {{nick}}"}), "text"),
        (
            json!({"title": "a", "subject": "{{ reference }}", "text": "b"}),
            "subject",
        ),
        (json!({"title": " ", "text": "b"}), "title"),
        (json!({"title": title, "text": "b"}), "title"),
        (json!({"title": "a", "text": " \n "}), "text"),
        (json!({"title": "a", "text": long}), "text"),
    ] {
        let (status, refused) = desk.post("/reply-templates", new).await;
        assert_eq!(status, 422, "{refused}");
        assert_eq!(refused["fields"][0]["field"], field, "{refused}");
        if text(&refused["detail"]).contains("nick") {
            let detail = text(&refused["detail"]);
            assert!(detail.contains("{{first_name}}, {{reference}}"), "{detail}");
        }
    }
    app.sql(
        "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 100)
         INSERT INTO reply_templates SELECT n, (SELECT id FROM users), n, '', 'x', 0, '', ''
         FROM n",
    )
    .await;
    let new = json!({"title": "one more", "text": "b"});
    let (status, refused) = desk.post("/reply-templates", new).await;
    assert_eq!(status, 409);
    assert!(text(&refused["detail"]).starts_with("You have 100 templates."));
}
