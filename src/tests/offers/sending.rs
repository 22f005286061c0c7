//! Sending: the email, the undo, versions that supersede each other, withdrawals.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, HOUR, MARIA, SECOND, acceptance, link};

async fn undo(desk: &Desk, offer: &Value) -> u16 {
    let id = offer["request"]["id"].as_str().unwrap();
    let body = json!({ "event": offer["versions"][0]["event"] });
    let path = format!("/inbox/{id}/undo");
    desk.send(Method::POST, &path, body).await.0
}

#[tokio::test]
async fn an_offer_leaves_after_ten_seconds_with_the_sentence_that_matters_a_link_and_the_pdf() {
    let desk = Desk::with(|config| {
        config.server.base_url = "https://guard.example".to_owned();
    })
    .await;
    let offer = desk.begun_for(json!({
        "start_date": "2026-12-08", "emergency_contact": false
    }));
    let offer = desk.sent(&offer.await).await;
    assert_eq!(offer["state"], "sent");
    assert_eq!(offer["version"], 1);
    desk.app.clock.advance(10 * SECOND - 1);
    desk.app.run_outbox().await;
    assert_eq!(desk.mail_to(MARIA).len(), 0, "not yet");
    desk.app.clock.advance(1);
    desk.app.run_outbox().await;
    let mail = desk.mail_to(MARIA).remove(0);
    let number = offer["number"].as_str().unwrap();
    assert_eq!(
        mail.subject,
        format!("Your offer {number} from Guardpost Security")
    );
    let text = mail.text.replace('\n', " ");
    for part in [
        "Fire watch officer",
        "Houston, TX",
        "December 8, 2026",
        "$",
        "December 5, 2026",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let url = format!("https://guard.example{}", link(&offer));
    assert_eq!(mail.link().as_deref(), Some(url.as_str()));
    assert!(
        mail.raw.contains(&format!("Offer-{number}-version-1.pdf")),
        "{}",
        mail.raw
    );
    assert!(mail.raw.contains("application/pdf"));
    assert!(!mail.raw.contains("Auto-Submitted"), "a person has sent it");
    let answered = "requests WHERE answered_at IS NOT NULL";
    assert_eq!(desk.app.rows(answered).await, 1, "the offer answers it");
    assert_eq!(undo(&desk, &offer).await, 409, "it has left");
}

#[tokio::test]
async fn a_sent_offer_can_be_taken_back_until_it_leaves() {
    let desk = Desk::open().await;
    let begun = desk.begun().await;
    let offer = desk.sent(&begun).await;
    let id = offer["request"]["id"].as_str().unwrap();
    let newer = desk.app.stored(json!({})).await;
    let most_valuable = async || desk.get("/inbox/ids?sort=-value").await["ids"][0].clone();
    assert_eq!(most_valuable().await, id);
    assert_eq!(undo(&desk, &offer).await, 200);
    assert_eq!(most_valuable().await, newer, "no offer has a value");
    let offer = desk.offer(&offer).await;
    assert_eq!(offer["state"], "draft");
    assert_eq!(offer["version"], 0);
    desk.app.clock.advance(HOUR);
    desk.app.run_outbox().await;
    assert_eq!(desk.mail_to(MARIA).len(), 0);
    assert_eq!(desk.app.rows("offer_versions").await, 0);
    // A second version that is taken back leaves the first one open.
    let first = desk.sent(&offer).await;
    desk.app.clock.advance(10 * SECOND);
    desk.app.run_outbox().await;
    let second = desk.changed(&first, "/message", json!("Cheaper")).await;
    let second = desk.sent(&second).await;
    assert_eq!(second["versions"][1]["state"], "superseded");
    assert_eq!(undo(&desk, &second).await, 200);
    let (status, page) = desk.page(&link(&first)).await;
    assert!(
        status == 200 && page.contains("Accept this offer"),
        "{page}"
    );
    let history = desk.get(&format!("/inbox/{id}")).await;
    assert!(history["history"].to_string().contains("undone"));
}

#[tokio::test]
async fn what_was_done_with_the_offer_of_a_duplicate_is_undone_where_it_is_shown() {
    let desk = Desk::open().await;
    let [one, other] = [desk.delivered().await, desk.delivered().await];
    let ids = [&one, &other].map(|offer| offer["request"]["id"].clone());
    let merge = format!("/inbox/{}/merge", ids[0].as_str().unwrap());
    let merged = desk.post(&merge, json!({ "request": ids[1] })).await;
    let shown = merged["id"].as_str().unwrap().to_owned();
    let offer = if merged["id"] == ids[0] { other } else { one };
    // The newest event of the offer, as the desk shows it.
    let newest = async |verb: &str| {
        let request = desk.get(&format!("/inbox/{shown}")).await;
        let history = request["history"].as_array().unwrap().clone();
        let found = history.into_iter().rfind(|event| event["verb"] == verb);
        found.unwrap()
    };
    let undo = async |event: &Value| {
        let body = json!({ "event": event["id"] });
        desk.post(&format!("/inbox/{shown}/undo"), body).await
    };
    let declined = [("answer", "decline".to_owned())].into();
    desk.post_form(&link(&offer), "203.0.113.9", &declined)
        .await;
    let lost = "requests WHERE outcome = 'lost'";
    assert_eq!(desk.app.rows(lost).await, 1);
    let offer = desk.changed(&offer, "/message", json!("Cheaper")).await;
    let offer = desk.sent(&offer).await;
    assert_eq!(desk.app.rows(lost).await, 0);
    let sent = newest("offer_sent").await;
    assert!(!sent["duplicate"].is_null() && !sent["undoable_until"].is_null());
    assert_eq!(undo(&sent).await["id"], shown.as_str());
    assert_eq!(desk.offer(&offer).await["version"], 1);
    assert_eq!(desk.app.rows(lost).await, 1, "as before");
    assert!(newest("offer_sent").await["undoable_until"].is_null());

    let offer = desk.sent(&desk.offer(&offer).await).await;
    desk.accept(&offer).await;
    desk.on_offer(&offer, "confirm", json!({})).await;
    let confirmed = newest("offer_confirmed").await;
    assert!(!confirmed["undoable_until"].is_null());
    assert_eq!(undo(&confirmed).await["id"], shown.as_str());
    assert_eq!(desk.offer(&offer).await["is_unconfirmed"], true);
}

#[tokio::test]
async fn a_version_that_the_customer_has_answered_cannot_be_taken_back() {
    let desk = Desk::open().await;
    let offer = desk.sent(&desk.begun().await).await;
    desk.accept(&offer).await;
    assert_eq!(undo(&desk, &offer).await, 409);
    assert_eq!(desk.offer(&offer).await["state"], "accepted");
}

#[tokio::test]
async fn a_second_version_retires_the_first_and_its_link_leads_to_the_new_one() {
    let desk = Desk::open().await;
    let first = desk.delivered().await;
    let changed = desk
        .changed(&first, "/terms/posts/0/officers", json!(2))
        .await;
    let second = desk.sent(&changed).await;
    assert_eq!(second["version"], 2);
    assert_eq!(second["versions"][0]["state"], "sent");
    assert_eq!(second["versions"][1]["state"], "superseded");
    let (status, page) = desk.page(&link(&first)).await;
    assert_eq!(status, 200);
    assert!(page.contains("Version 2 has replaced this offer"), "{page}");
    assert!(
        page.contains(&link(&second)),
        "leads to the new one: {page}"
    );
    assert!(!page.contains("<form"), "{page}");
    let late = desk
        .post_form(&link(&first), "10.1.1.1", &acceptance(&[]))
        .await;
    assert_eq!(late.status(), 409);
    assert!(
        late.text()
            .await
            .unwrap()
            .contains("Version 2 has replaced this offer")
    );
    // A second click on "send" sends nothing twice.
    let body = json!({ "revision": changed["revision"], "after": 1 });
    assert_eq!(desk.try_offer(&second, "send", body).await.0, 409);
    assert_eq!(desk.app.rows("offer_versions").await, 2);
}

#[tokio::test]
async fn a_withdrawn_offer_says_so_on_its_page_and_its_email_no_longer_leaves() {
    let desk = Desk::open().await;
    let offer = desk.sent(&desk.begun().await).await;
    desk.on_offer(&offer, "withdraw", json!({ "reason": "No officers" }))
        .await;
    desk.app.clock.advance(HOUR);
    desk.app.run_outbox().await;
    assert_eq!(desk.mail_to(MARIA).len(), 0);
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(page.contains("We withdrew this offer on"), "{page}");
    assert!(
        !page.contains("No officers"),
        "the reason is for the office: {page}"
    );
    assert!(!page.contains("Accept this offer"), "{page}");
    let (status, problem) = desk.try_offer(&offer, "withdraw", json!({})).await;
    assert_eq!(
        (status, &problem["detail"]),
        (409, &json!("This offer is withdrawn already."))
    );
    assert!(
        desk.verbs(&offer)
            .await
            .contains(&"offer_withdrawn".to_owned())
    );
}

#[tokio::test]
async fn the_files_of_a_version_are_the_bytes_that_were_sent_and_never_change() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let number = offer["number"].as_str().unwrap();
    let file = async |part: &str| {
        let path = format!("/api/admin/offers/{number}/versions/1/{part}");
        let request = desk.app.http.get(desk.app.url(&path));
        let request = request.bearer_auth(&desk.ada.token);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.bytes().await.unwrap())
    };
    assert!(file("pdf").await.1.starts_with(b"%PDF-"));
    assert_eq!(file("receipt").await.0, 404, "not accepted yet");
    let json: Value = serde_json::from_slice(&file("json").await.1).unwrap();
    assert_eq!(json["number"], number);
    let text = String::from_utf8(file("text").await.1.to_vec()).unwrap();
    assert!(text.contains(&format!("OFFER {number}")), "{text}");
    let pdf = desk
        .app
        .http
        .get(desk.app.url(&format!("{}/offer.pdf", link(&offer))));
    let pdf = pdf.send().await.unwrap();
    assert_eq!(pdf.headers()["content-type"], "application/pdf");
    assert_eq!(pdf.bytes().await.unwrap(), file("pdf").await.1);
    for sql in [
        "UPDATE offer_versions SET pdf = x'00'",
        "UPDATE offer_versions SET json_digest = ''",
    ] {
        let refused = desk
            .app
            .store
            .write(move |conn| Ok(conn.execute(sql, []).is_err()));
        assert!(refused.await.unwrap(), "{sql}");
    }
}

#[tokio::test]
async fn without_an_email_address_nothing_is_sent() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    desk.app.sql("UPDATE requests SET email = ''").await;
    let body = json!({ "revision": 1, "after": 0 });
    let (status, problem) = desk.try_offer(&offer, "send", body).await;
    assert_eq!(status, 409);
    assert!(
        problem["detail"].as_str().unwrap().contains("Call them"),
        "{problem}"
    );
}

#[tokio::test]
async fn the_email_of_an_offer_that_is_settled_before_it_leaves_is_not_needed_and_no_failure() {
    let desk = Desk::open().await;
    let withdrawn = desk.sent(&desk.begun().await).await;
    let declined = desk.sent(&desk.begun().await).await;
    let number = |offer: &Value| offer["number"].as_str().unwrap().to_owned();
    let path = format!("/offers/{}/withdraw", number(&withdrawn));
    desk.post(&path, json!({ "reason": "Wrong price" })).await;
    let path = format!("/offers/{}/answer", number(&declined));
    let answer = json!({ "version": 1, "answer": "declined", "note": "By phone" });
    desk.post(&path, answer).await;
    desk.app.clock.advance(HOUR);
    desk.app.run_outbox().await;
    assert_eq!(desk.mail_to(MARIA).len(), 0);
    assert_eq!(desk.app.rows("outbox WHERE state = 'failed'").await, 0);
    for offer in [withdrawn, declined] {
        let id = offer["request"]["id"].as_str().unwrap();
        let request = desk.get(&format!("/inbox/{id}")).await;
        assert_eq!(request["reply_failed"], false, "{request}");
        let history = request["history"].as_array().unwrap();
        let sent = history.iter().find(|event| event["verb"] == "offer_sent");
        assert_eq!(sent.unwrap()["detail"]["state"], "not_needed");
    }
}

#[tokio::test]
async fn an_offer_below_zero_is_neither_priced_nor_sent_and_names_the_line() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let line = json!([
        { "title": "Fence", "cents": 20_000, "state": null },
        { "title": "Credit", "cents": -5_000_000, "state": null }
    ]);
    let offer = desk.changed(&offer, "/terms/manual", line).await;
    let number = offer["number"].as_str().unwrap();
    let (send, price) = (format!("/offers/{number}/send"), "/offers/price".to_owned());
    for (path, body) in [
        (price, json!({ "draft": offer["draft"] })),
        (send, json!({ "revision": offer["revision"], "after": 0 })),
    ] {
        let (status, problem) = desk.send(Method::POST, &path, body).await;
        assert_eq!(status, 422, "{path}: {problem}");
        let wrong = &problem["fields"][0];
        assert_eq!(wrong["field"], "manual.1.cents", "{problem}");
        let message = wrong["message"].as_str().unwrap();
        assert!(
            message.starts_with("This line takes $50,000.00 off"),
            "{message}"
        );
    }
    assert_eq!(desk.offer(&offer).await["state"], "draft");
    desk.app.clock.advance(10 * SECOND);
    desk.app.run_outbox().await;
    assert_eq!(
        desk.mail_to(MARIA)
            .iter()
            .filter(|mail| mail.subject.contains("offer"))
            .count(),
        0
    );
}

#[tokio::test]
async fn nothing_marked_as_a_sample_leaves_the_house_in_an_offer_or_a_reply() {
    let desk = Desk::open().await;
    let mut rates = desk.get("/rates").await["rates"].clone();
    rates["insurance"] = json!("Sample: general liability $1,000,000");
    rates["conditions"][1]["text"] = json!("We invoice.\nSAMPLE – 30 days");
    let draft = json!({ "revision": 0, "rates": rates });
    desk.send(Method::PUT, "/rates/draft", draft).await;
    desk.post("/rates/publish", json!({ "revision": 1 })).await;
    let offer = desk.begun().await;
    let offer = desk
        .changed(&offer, "/message", json!("[sample] Hello"))
        .await;
    let send = format!("/offers/{}/send", offer["number"].as_str().unwrap());
    let body = json!({ "revision": offer["revision"], "after": 0 });
    let (status, problem) = desk.send(Method::POST, &send, body).await;
    assert_eq!((status, &problem["code"]), (422, &json!("sample_text")));
    let fields: Vec<_> = problem["fields"].as_array().unwrap().iter().collect();
    let names: Vec<_> = fields.iter().map(|field| field["field"].as_str()).collect();
    assert_eq!(
        names,
        [
            Some("message"),
            Some("rates.insurance"),
            Some("rates.conditions.1")
        ]
    );
    assert_eq!(
        fields[1]["message"],
        "The insurance line is still a sample: “Sample: general liability $1,000,000”. Write \
         your own words in its place."
    );
    assert_eq!(desk.app.rows("offer_versions").await, 0);

    let id = offer["request"]["id"].as_str().unwrap();
    let reply = json!({ "subject": "Your request", "text": "Hello\nSample: insurance\nBye" });
    let (status, problem) = desk
        .send(Method::POST, &format!("/inbox/{id}/replies"), reply)
        .await;
    assert_eq!(
        (status, &problem["fields"][0]["field"]),
        (422, &json!("text"))
    );
}
