//! Duplicates: two requests of one customer become one, and two again.

use serde_json::{Value, json};

use super::{Dispatcher, names, text};
use crate::mail::acknowledgements::receipt;
use crate::support::app::TestApp;

impl Dispatcher {
    async fn merge(&self, one: &str, other: &str) -> (u16, Value) {
        self.on(one, "merge", json!({ "request": other })).await
    }

    async fn separate(&self, kept: &str, other: &str) -> (u16, Value) {
        self.on(kept, "separate", json!({ "request": other })).await
    }
}

/// Two open requests of one customer: the ids, oldest first.
async fn two(app: &TestApp) -> [String; 2] {
    let changes = |name: &str, words: &str| {
        json!({
            "last_name": name, "description": words, "emergency_contact": false,
        })
    };
    let first = app
        .stored(changes("First", "The lighthouse needs guards"))
        .await;
    app.clock.advance(60_000);
    let second = app
        .stored(changes("Second", "As I wrote, the windmill too"))
        .await;
    [first, second]
}

#[tokio::test]
async fn what_has_answered_one_has_answered_both_until_they_are_separated() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [first, second] = two(&app).await;
    desk.log_call(&second, "reached").await;
    let (_, kept) = desk.merge(&second, &first).await;
    assert_eq!(kept["id"], json!(first), "the older one stays");
    assert!(!kept["answered_at"].is_null(), "{kept}");
    assert_eq!(desk.get("/inbox").await["views"]["attention"], 0);
    let (_, kept) = desk.separate(&first, &second).await;
    assert!(kept["answered_at"].is_null(), "{kept}");

    // A call answers an emergency, and an email does not.
    let urgent = app.stored(json!({"last_name": "Urgent"})).await;
    let reply = json!({"subject": "Hello", "text": "We will be there."});
    desk.on(&first, "replies", reply).await;
    app.clock.advance(11_000);
    app.run_outbox().await;
    let (_, kept) = desk.merge(&urgent, &first).await;
    assert_eq!(kept["id"], json!(urgent));
    assert!(
        kept["answered_at"].is_null() && !kept["emailed_at"].is_null(),
        "{kept}"
    );
    let (_, kept) = desk.merge(&urgent, &second).await;
    assert!(!kept["answered_at"].is_null(), "{kept}");
}

#[tokio::test]
async fn two_requests_become_one_that_shows_the_notes_calls_and_words_of_both() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [first, second] = two(&app).await;
    for (id, note) in [
        (&first, "Gate code zebra"),
        (&second, "Wants giraffe badges"),
    ] {
        desk.on(id, "notes", json!({"text": note})).await;
    }
    let (status, kept) = desk.merge(&second, &first).await;
    assert_eq!(
        (status, &kept["id"]),
        (200, &json!(first)),
        "the older one stays: {kept}"
    );
    let page = desk.get("/inbox").await;
    assert_eq!(names(&page), ["First"]);
    assert_eq!(
        (
            &page["views"]["everything"],
            &page["views"]["held"],
            &page["counts"]["pending"]
        ),
        (&json!(1), &json!(0), &json!(1))
    );
    assert_eq!(names(&desk.get("/inbox?held=true").await), [""; 0]);
    for word in ["lighthouse", "windmill", "zebra", "giraffe"] {
        let found = desk.get(&format!("/inbox?q={word}")).await;
        assert_eq!(names(&found), ["First"], "{word}");
    }

    // The duplicate's id and reference lead to the one that stays.
    for id in [second.clone(), text(&kept["reference"])] {
        let shown = desk.request(&id).await;
        assert_eq!(shown["id"], json!(first));
        assert_eq!(shown["duplicates"][0]["last_name"], "Second");
        assert_eq!(shown["related"], json!([]));
        let history = shown["history"].as_array().unwrap();
        let notes = history.iter().filter(|event| event["verb"] == "noted");
        let notes: Vec<_> = notes
            .map(|note| (text(&note["detail"]["text"]), note["duplicate"].is_null()))
            .collect();
        assert_eq!(
            notes,
            [
                ("Gate code zebra".to_owned(), true),
                ("Wants giraffe badges".to_owned(), false)
            ]
        );
    }
    let (_, noted) = desk.on(&second, "notes", json!({"text": "For both"})).await;
    assert_eq!(noted["verb"], "noted");
    let shown = desk.request(&first).await;
    let last = shown["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["verb"], &last["duplicate"]),
        (&json!("noted"), &Value::Null)
    );
}

#[tokio::test]
async fn a_merge_is_undone_and_separated_exactly() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [first, second] = two(&app).await;
    desk.patch(&second, json!({"assignee": "me"})).await;
    let state = async |id: &str| {
        let mut request = desk.request(id).await;
        let fields = request.as_object_mut().unwrap();
        fields.remove("history");
        fields.remove("updated_at");
        fields.remove("related");
        request
    };
    let before = [state(&first).await, state(&second).await];
    let totals = desk.get("/inbox").await["views"].clone();
    let (_, merged) = desk.merge(&first, &second).await;
    assert_eq!(
        merged["assignee"]["id"],
        json!(desk.id),
        "it stays in its owner's list"
    );
    let (status, undone) = desk
        .on(&first, "undo", json!({"event": merged["event"]}))
        .await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!([state(&first).await, state(&second).await], before);

    desk.merge(&first, &second).await;
    app.clock.advance(10 * 60_000);
    let (status, separated) = desk.separate(&first, &second).await;
    assert_eq!(
        (status, &separated["id"]),
        (200, &json!(first)),
        "{separated}"
    );
    assert_eq!([state(&first).await, state(&second).await], before);
    assert_eq!(desk.get("/inbox").await["views"], totals);
    let found = desk.get("/inbox?q=windmill").await;
    assert_eq!(names(&found), ["Second"]);
    let (status, again) = desk.separate(&first, &second).await;
    assert_eq!(status, 404, "{again}");
}

#[tokio::test]
async fn the_request_stays_whose_number_the_customer_knows() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [older, emailed] = two(&app).await;
    let answer = async |id: &str| {
        let reply = json!({"subject": "Your request", "text": "We will be there."});
        desk.on(id, "replies", reply).await;
        app.clock.advance(11_000);
        app.run_outbox().await;
    };
    let stays = async |opened: &str, other: &str| {
        let shown = desk.request(opened).await;
        let related = shown["related"].as_array().unwrap().iter();
        let found = related.clone().find(|it| it["id"] == json!(other));
        found.unwrap()["stays"].clone()
    };
    let reference = async |id: &str| desk.request(id).await["reference"].clone();
    assert_eq!(stays(&emailed, &older).await, reference(&older).await);
    answer(&emailed).await;
    assert_eq!(stays(&older, &emailed).await, reference(&emailed).await);
    let (_, kept) = desk.merge(&older, &emailed).await;
    assert_eq!(kept["id"], json!(emailed), "the one with our email");
    desk.separate(&emailed, &older).await;

    answer(&older).await;
    assert_eq!(
        stays(&older, &emailed).await,
        Value::Null,
        "a person chooses"
    );
    let chosen = json!({"request": emailed, "keep": emailed});
    let (_, kept) = desk.on(&older, "merge", chosen).await;
    assert_eq!(kept["id"], json!(emailed), "the one that was chosen");

    let emergency = app.stored(json!({"last_name": "Fire"})).await;
    let (_, kept) = desk.merge(&emailed, &emergency).await;
    assert_eq!(
        kept["id"],
        json!(emergency),
        "the one that waits for a call"
    );
    let shown = desk.request(&older).await;
    assert_eq!(shown["id"], json!(emergency));
    assert_eq!(shown["duplicates"].as_array().unwrap().len(), 2);
    let (status, _) = desk.separate(&emergency, &older).await;
    assert_eq!(status, 200);
    let shown = desk.request(&older).await;
    assert_eq!(shown["id"], json!(older));
}

#[tokio::test]
async fn what_cannot_be_merged_is_refused_with_the_reason() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [first, second] = two(&app).await;
    let refused = async |one: &str, other: &str, reason: &str| {
        let (status, refused) = desk.merge(one, other).await;
        assert_eq!(status, 409, "{refused}");
        assert!(text(&refused["detail"]).contains(reason), "{refused}");
    };
    refused(&first, &first, "itself").await;
    let at = app.clock.now().plus_millis(3_600_000).to_string();
    let reminder = json!({ "at": at });
    let path = format!("/inbox/{second}/follow-up");
    desk.change(reqwest::Method::PUT, &path, reminder).await;
    refused(&first, &second, "has a reminder").await;
    desk.change(reqwest::Method::PUT, &path, json!({"at": null}))
        .await;
    desk.on(&second, "spam", json!({})).await;
    refused(&first, &second, "held as spam").await;
    desk.on(&second, "release", json!({})).await;
    desk.move_to(&second, "cancelled").await;
    refused(&first, &second, "is closed").await;
    let (status, _) = desk.merge(&first, "GP-9999").await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn a_duplicate_is_exported_and_erased_with_the_request_that_shows_it() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let first = app.stored(json!({"email": "ann@site.example"})).await;
    let second = app.stored(json!({"email": "ann.lee@home.example"})).await;
    desk.merge(&first, &second).await;
    let everything = app
        .store
        .export_person("ann@site.example".into())
        .await
        .unwrap();
    assert_eq!(everything["quotes"].as_array().unwrap().len(), 2);
    let erased = app
        .store
        .erase_person("ann@site.example".into(), store::person::ALWAYS, None)
        .await
        .unwrap();
    assert_eq!(erased.quotes, 2);
    assert_eq!(app.rows("requests").await, 0);
    assert_eq!(app.rows("events").await, 0);
}

#[tokio::test]
async fn the_status_page_of_a_duplicate_tells_the_state_of_the_one_that_stays() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let calm = json!({"emergency_contact": false});
    let first = app.stored(calm.clone()).await;
    app.clock.advance(60_000);
    let second = receipt(&app, calm).await;
    desk.merge(&first, &text(&second["id"])).await;
    desk.move_to(&first, "cancelled").await;
    let page = async |path: &str| {
        let page = app.http.get(app.url(path)).send().await.unwrap();
        page.text().await.unwrap()
    };
    let shown = page(&text(&second["status_page"])).await;
    assert!(shown.contains("closed"), "{shown}");
}

/// Who has the first request after two were merged and separated again. `before` and `after` are
/// done to it before the merge and after it.
async fn owner_after_separation(before: &[Value], after: &[Value]) -> (Value, String) {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let [first, second] = two(&app).await;
    for change in before {
        desk.patch(&first, change.clone()).await;
    }
    desk.patch(&second, json!({"assignee": "me"})).await;
    desk.merge(&first, &second).await;
    for change in after {
        desk.patch(&first, change.clone()).await;
    }
    desk.separate(&first, &second).await;
    let shown = desk.request(&first).await;
    let second = desk.request(&second).await;
    assert_eq!(
        second["assignee"]["id"],
        json!(desk.id),
        "the duplicate keeps its owner"
    );
    (shown["assignee"]["id"].clone(), desk.id.clone())
}

#[tokio::test]
async fn separating_takes_back_the_owner_that_the_duplicate_gave_and_no_other() {
    let (me, nobody) = (json!({"assignee": "me"}), json!({"assignee": null}));
    let (owner, _) = owner_after_separation(&[], &[]).await;
    assert_eq!(owner, Value::Null, "it came with the duplicate");
    let (owner, _) = owner_after_separation(&[me.clone(), nobody.clone()], &[]).await;
    assert_eq!(
        owner,
        Value::Null,
        "what was before the merge does not count"
    );
    let (owner, id) = owner_after_separation(&[], &[nobody, me.clone()]).await;
    assert_eq!(owner, json!(id), "a person has assigned it since");
    let (owner, id) = owner_after_separation(&[me], &[]).await;
    assert_eq!(owner, json!(id), "it had its owner before");
}

#[tokio::test]
async fn an_emergency_that_was_reached_waits_for_no_call_when_two_are_merged() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let reached = app.stored(json!({"last_name": "Reached"})).await;
    desk.log_call(&reached, "reached").await;
    app.clock.advance(60_000);
    let calm = json!({"last_name": "Waits", "emergency_contact": false});
    let waiting = app.stored(calm).await;
    let (status, kept) = desk.merge(&reached, &waiting).await;
    assert_eq!((status, &kept["id"]), (200, &json!(reached)), "{kept}");
    assert!(!kept["answered_at"].is_null(), "{kept}");
}

#[tokio::test]
async fn a_call_that_reached_nobody_answers_no_emergency_of_a_merge() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let emergency = app.stored(json!({"last_name": "Now"})).await;
    app.clock.advance(60_000);
    let calm = json!({"last_name": "Calm", "emergency_contact": false});
    let answered = app.stored(calm).await;
    let reply = json!({"subject": "Your request", "text": "We will come."});
    assert_eq!(desk.on(&answered, "replies", reply).await.0, 201);
    app.clock.advance(10_000);
    app.run_outbox().await;
    desk.log_call(&answered, "voicemail").await;
    let shown = desk.request(&answered).await;
    assert!(shown["answered_at"].is_string(), "by the reply");
    let (_, kept) = desk.merge(&emergency, &answered).await;
    assert_eq!(kept["id"], json!(emergency));
    assert_eq!(kept["answered_at"], Value::Null, "{kept}");
}

#[tokio::test]
async fn a_user_who_leaves_owns_no_duplicate_that_is_separated_later() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let colleague = Dispatcher::colleague(&app).await;
    let [first, second] = two(&app).await;
    for id in [&first, &second] {
        colleague.patch(id, json!({"assignee": "me"})).await;
    }
    let (_, kept) = desk.merge(&first, &second).await;
    assert_eq!(kept["id"], json!(first));
    let url = app.url(&format!("/auth/v1/admin/users/{}", colleague.id));
    let deleted = app.http.delete(url).bearer_auth(&desk.token).send().await;
    assert_eq!(deleted.unwrap().status(), 200);
    desk.separate(&first, &second).await;
    for id in [first, second] {
        let request = desk.request(&id).await;
        assert!(request["assignee"].is_null(), "{request}");
    }
}
