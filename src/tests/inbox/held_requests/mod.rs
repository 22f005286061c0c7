//! Requests held as spam: they wait without emails, and are released, discarded or deleted.

mod release;

use domain::request::Request;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::people::Person;
use crate::support::visitors::{json, quote, visitor};

/// A quote request as a form filler sends it: the trap is filled in, and it links to two sites.
pub(crate) fn spam(changes: Value) -> Value {
    let mut spam = quote(json!({
        "motto": "google", "emergency_contact": false, "email": "ann@gmail.com",
        "description": "Cheap shoes at https://one.example and https://two.example"
    }));
    let changes = changes.as_object().unwrap().clone();
    spam.as_object_mut().unwrap().extend(changes);
    spam
}

/// Posts a request that is to be held; returns its receipt.
pub(crate) async fn post(app: &TestApp, n: u32, body: &Value) -> Value {
    let answer = app.ask(&visitor(n), None, body).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    json(answer).await
}

async fn call(app: &TestApp, admin: &Person, method: Method, path: &str) -> Response {
    let request = app.http.request(method, app.url(path));
    request
        .bearer_auth(&admin.access_token)
        .send()
        .await
        .unwrap()
}

async fn inbox(app: &TestApp, admin: &Person, query: &str) -> Value {
    let path = format!("/api/admin/inbox{query}");
    json(call(app, admin, Method::GET, &path).await).await
}

/// The ids of a page of the inbox.
fn ids(page: &Value) -> Vec<Value> {
    let requests = page["requests"].as_array().unwrap();
    requests
        .iter()
        .map(|request| request["id"].clone())
        .collect()
}

/// The stored request.
async fn stored(app: &TestApp, receipt: &Value) -> Request {
    let id = receipt["id"].as_str().unwrap().to_owned();
    app.store.request(id).await.unwrap()
}

/// The verbs and actors in the history of the request, oldest first.
async fn history(app: &TestApp, receipt: &Value) -> Vec<(String, Option<String>)> {
    let seq = stored(app, receipt).await.seq;
    let read = move |conn: &rusqlite::Connection| {
        let mut find = conn.prepare("SELECT verb, actor FROM events WHERE seq = ?1 ORDER BY id")?;
        let rows = find.query_map([seq], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    };
    app.store.read(read).await.unwrap()
}

async fn act(app: &TestApp, admin: &Person, id: &Value, action: &str) -> Response {
    let path = format!("/api/admin/inbox/{}/{action}", id.as_str().unwrap());
    call(app, admin, Method::POST, &path).await
}

#[tokio::test]
async fn the_age_of_the_oldest_pending_quote_leaves_out_what_is_held() {
    let app = TestApp::start().await;
    post(&app, 1, &spam(json!({}))).await;
    app.clock.advance(1000);
    let oldest = || async {
        let figures = app.store.metrics_counts(app.clock.now()).await.unwrap();
        figures.oldest_pending
    };
    assert_eq!(oldest().await, None);
    app.stored(json!({})).await;
    assert_eq!(oldest().await, Some(app.clock.now()));
}

#[tokio::test]
async fn a_held_request_waits_with_its_reasons_and_sends_no_emails() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let honest = app.stored(json!({})).await;
    app.run_outbox().await;
    let emails = app.mailbox().len();
    let receipt = post(&app, 1, &spam(json!({}))).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), emails);
    let reasons = stored(&app, &receipt).await.held.unwrap();
    let found: Vec<_> = reasons
        .iter()
        .map(|r| (r.signal.as_str(), r.points))
        .collect();
    assert_eq!(found, [("trap", 3), ("program", 1), ("links", 3)]);
    assert_eq!(reasons[2].detail, "Links to one.example, two.example");
    assert_eq!(history(&app, &receipt).await, [("held".to_owned(), None)]);
    let page = inbox(&app, &admin, "").await;
    assert_eq!(
        (ids(&page), &page["views"]["held"]),
        (vec![json!(honest)], &json!(1))
    );
    let page = inbox(&app, &admin, "?held=true").await;
    assert_eq!(ids(&page), [receipt["id"].clone()]);
    assert_eq!(page["requests"][0]["held_reasons"][0]["signal"], "trap");
    assert!(page["requests"][0]["due_at"].is_null(), "{page}");
    let quotes = call(&app, &admin, Method::GET, "/api/admin/quotes").await;
    let quotes = json(quotes).await;
    assert_eq!(quotes["quotes"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&quotes["quotes"][0]["id"], &quotes["counts"]["pending"]),
        (&json!(honest), &json!(1))
    );
}

#[tokio::test]
async fn a_held_contact_message_waits_like_a_quote() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let body = json!({
        "first_name": "Ann", "last_name": "Lee", "email": "ann@gmail.com", "phone": "713 555 0123",
        "service": "event", "details": "Backlinks for you: https://one.example", "motto": "x"
    });
    let answer = app
        .http
        .post(app.url("/api/contact"))
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::CREATED);
    let receipt = json(answer).await;
    assert!(stored(&app, &receipt).await.held.is_some());
    assert_eq!(app.rows("outbox").await, 0);
    let released = act(&app, &admin, &receipt["reference"], "release").await;
    assert_eq!(json(released).await["kind"], "message");
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert!(app.mailbox()[0].text.contains("Backlinks for you"));
}

#[tokio::test]
async fn a_request_for_a_call_right_away_is_never_held() {
    let app = TestApp::start().await;
    let receipt = post(&app, 1, &spam(json!({"emergency_contact": true}))).await;
    assert_eq!(stored(&app, &receipt).await.held, None);
}

#[tokio::test]
async fn an_urgent_request_that_looks_like_spam_reaches_the_office_but_not_the_address_it_names() {
    let app = TestApp::with(|config| config.mail.acknowledge = true).await;
    let admin = app.admin().await;
    let no_links = "Guards for our lobby, please";
    for (n, changes, signals, is_acknowledged) in [
        (1, json!({}), &["trap", "program", "links"][..], false),
        (
            2,
            json!({"description": no_links}),
            &["trap", "program"],
            false,
        ),
        (3, json!({"motto": ""}), &["program", "links"], true),
        (
            4,
            json!({"motto": "", "email": "a.n.n.l.e.e@gmail.com"}),
            &["program", "links", "scattered_dots", "same_text"],
            false,
        ),
    ] {
        let mut urgent = spam(json!({
            "emergency_contact": true, "email": format!("ann{n}@tower.example")
        }));
        let changes = changes.as_object().unwrap().clone();
        urgent.as_object_mut().unwrap().extend(changes);
        let before = app.mailbox().len();
        let receipt = post(&app, n, &urgent).await;
        app.run_outbox().await;
        let mails = app.mailbox().split_off(before);
        assert!(mails[0].to.concat().contains("<office@guardpost.example>"));
        assert!(mails[0].subject.starts_with("Call now"), "{urgent}");
        let others: Vec<_> = mails[1..].iter().map(|mail| mail.to.concat()).collect();
        assert_eq!(others.len(), usize::from(is_acknowledged), "{urgent}");
        let address = urgent["email"].as_str().unwrap();
        assert!(others.iter().all(|to| to.contains(address)), "{others:?}");
        let path = format!("/api/admin/inbox/{}", receipt["id"].as_str().unwrap());
        let shown = json(call(&app, &admin, Method::GET, &path).await).await;
        assert_eq!(shown["held"], false);
        assert_eq!(shown["awaits_call"], true);
        assert_eq!(shown["unacknowledged"], !is_acknowledged, "{urgent}");
        let shown: Vec<_> = shown["held_reasons"].as_array().unwrap().iter().collect();
        let shown: Vec<_> = shown.iter().map(|r| r["signal"].clone()).collect();
        assert_eq!(json!(shown), json!(signals), "{urgent}");
    }
}

#[tokio::test]
async fn a_customer_whose_earlier_request_was_accepted_is_never_held() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let first = app.stored(json!({"email": "Ann@Gmail.com"})).await;
    let before = post(&app, 1, &spam(json!({}))).await;
    // A search has the new requests indexed.
    call(&app, &admin, Method::GET, "/api/admin/quotes?q=ann").await;
    let path = format!("/api/admin/quotes/{first}");
    let accept = app
        .http
        .patch(app.url(&path))
        .bearer_auth(&admin.access_token);
    let accepted = accept
        .json(&json!({"status": "in_progress"}))
        .send()
        .await
        .unwrap();
    assert_eq!(accepted.status(), StatusCode::OK);
    let after = post(&app, 2, &spam(json!({"location": "Reno"}))).await;
    let other = post(&app, 3, &spam(json!({"email": "bob@gmail.com"}))).await;
    for (receipt, is_held) in [(before, true), (after, false), (other, true)] {
        assert_eq!(stored(&app, &receipt).await.held.is_some(), is_held);
    }
}

#[tokio::test]
async fn the_time_since_the_page_was_opened_counts_once_the_form_was_sent() {
    let app = TestApp::start().await;
    let fast = |n: u32| {
        let app = &app;
        async move {
            let request = app
                .http
                .get(app.url("/quote"))
                .header("x-forwarded-for", visitor(n));
            request.send().await.unwrap();
        }
    };
    fast(1).await;
    app.clock.advance(1200);
    let trapped = spam(json!({"description": "Hello"}));
    let receipt = post(&app, 1, &trapped).await;
    let reasons = stored(&app, &receipt).await.held.unwrap();
    assert_eq!(
        reasons[1].detail,
        "Sent 1.2 seconds after the page was opened"
    );
    // The view was used up, so the next form is not measured; and three seconds are enough.
    let again = post(&app, 1, &spam(json!({"description": "Again"}))).await;
    assert_eq!(stored(&app, &again).await.held, None);
    fast(2).await;
    app.clock.advance(3000);
    let slow = post(&app, 2, &spam(json!({"description": "Slow"}))).await;
    assert_eq!(stored(&app, &slow).await.held, None);
}

#[tokio::test]
async fn the_files_of_a_held_request_send_no_email() {
    let app = TestApp::start().await;
    let worker = app.mailbox_worker();
    let receipt = post(&app, 0, &spam(json!({"attachments": true}))).await;
    assert!(stored(&app, &receipt).await.held.is_some());
    let text = |name: &str| receipt["uploads"][name].as_str().unwrap().to_owned();
    let path = format!("{}plan.pdf?token={}", text("url"), text("token"));
    let sent = app.http.put(app.url(&path)).body("%PDF-1.7").send().await;
    assert_eq!(sent.unwrap().status(), StatusCode::OK);
    app.clock.advance(60_000);
    assert_eq!(worker.deliver_due().await.unwrap(), 0);
    assert!(app.mailbox().is_empty());
}
