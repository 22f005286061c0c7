//! Answers: what is recorded of an acceptance, who is notified, codes, declines and questions.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::listener::Listener;

use super::{Desk, HOUR, MARIA, OFFICE, SECOND, acceptance, link};

async fn stored(desk: &Desk) -> Vec<(Value, String, String)> {
    let read = |conn: &rusqlite::Connection| {
        let mut find = conn.prepare("SELECT record, digest, seal FROM offer_acceptances")?;
        let rows = find.query_map([], |row| {
            let record: Vec<u8> = row.get(0)?;
            Ok((record, row.get(1)?, row.get(2)?))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    };
    let rows = desk.app.store.read(read).await.unwrap();
    let read = |(record, digest, seal): (Vec<u8>, String, String)| {
        assert_eq!(hex::encode(Sha256::digest(&record)), digest);
        (serde_json::from_slice(&record).unwrap(), digest, seal)
    };
    rows.into_iter().map(read).collect()
}

#[tokio::test]
async fn an_acceptance_records_who_accepted_what_when_and_from_where_and_tells_both_sides() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let answered = desk
        .post_form(&link(&offer), "203.0.113.9", &acceptance(&[]))
        .await;
    assert_eq!(answered.status(), 303);
    assert_eq!(answered.headers()["location"], link(&offer).as_str());
    let (record, ..) = stored(&desk).await.remove(0);
    let text = desk
        .app
        .sql_text("SELECT CAST(text AS TEXT) FROM offer_versions")
        .await;
    assert_eq!(record["digests"]["text"], hex::encode(Sha256::digest(text)));
    assert_eq!(
        (&record["name"], &record["title"], &record["email"]),
        (&json!("María O’Brien"), &json!("Owner"), &json!(MARIA))
    );
    assert_eq!(record["client"], "203.0.113.9");
    assert_eq!(record["user_agent"], "Phone/1.0");
    assert_eq!(record["previous"], "");
    assert_eq!(record["accepted_at"], "2026-11-21T12:00:10.000Z");
    assert!(
        record["consent"]
            .as_str()
            .unwrap()
            .contains("electronically"),
        "{record}"
    );
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(page.contains("was accepted by María O’Brien on"), "{page}");
    assert!(!page.contains("Accept this offer"), "{page}");
    let receipt = desk
        .app
        .http
        .get(desk.app.url(&format!("{}/receipt.pdf", link(&offer))));
    let receipt = receipt.send().await.unwrap().bytes().await.unwrap();
    assert!(receipt.starts_with(b"%PDF-"));
    // At once, without another turn of the clock.
    desk.app.run_outbox().await;
    let number = offer["number"].as_str().unwrap();
    let to_customer = desk.mail_to(MARIA).pop().unwrap();
    assert_eq!(to_customer.subject, format!("Accepted: offer {number}"));
    assert!(to_customer.raw.contains(&format!("Receipt-{number}.pdf")));
    let to_office = desk.mail_to(OFFICE).pop().unwrap();
    assert!(
        to_office
            .subject
            .starts_with(&format!("Offer accepted: {number}, $"))
    );
    assert!(to_office.raw.contains(&format!("Receipt-{number}.pdf")));
    assert!(
        to_office.text.contains("María O’Brien"),
        "{}",
        to_office.text
    );
    assert!(
        desk.verbs(&offer)
            .await
            .contains(&"offer_accepted".to_owned())
    );
    let offer = desk.offer(&offer).await;
    assert_eq!(offer["versions"][0]["answered_by"], "María O’Brien");
    assert_eq!(
        offer["request"]["reference"],
        desk.get("/inbox").await["requests"][0]["reference"]
    );
    let status = &desk.get("/inbox").await["requests"][0]["status"];
    assert_eq!(status, "in_progress", "it accepts its request");
}

#[tokio::test]
async fn name_and_address_are_filled_in_and_an_address_that_stays_masked_is_the_recipients() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(
        page.contains("name=\"name\" value=\"María O’Brien\""),
        "{page}"
    );
    assert!(page.contains("value=\"m***@property.example\""), "{page}");
    let fields = acceptance(&[("email", "m***@property.example")]);
    let answered = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    assert_eq!(answered.status(), 303);
    let (record, ..) = stored(&desk).await.remove(0);
    assert_eq!(record["email"], MARIA);
    // That of another recipient is an address like any other.
    let offer = desk.delivered().await;
    let fields = acceptance(&[("email", "m***@other.example")]);
    let answered = desk.post_form(&link(&offer), "10.1.1.2", &fields).await;
    let page = answered.text().await.unwrap();
    assert!(page.contains("we have sent a code of six digits"), "{page}");
}

#[tokio::test]
async fn the_same_acceptance_again_is_one_acceptance_and_another_persons_is_told_who_was_first() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    for _ in 0..3 {
        desk.accept(&offer).await;
    }
    let other = acceptance(&[("name", "Eve Other")]);
    let late = desk.post_form(&link(&offer), "10.1.1.2", &other).await;
    assert_eq!(late.status(), 409);
    let page = late.text().await.unwrap();
    assert!(page.contains("Your answer was not taken"), "{page}");
    assert!(page.contains("was accepted by María O’Brien"), "{page}");
    assert_eq!(stored(&desk).await.len(), 1);
    desk.app.run_outbox().await;
    assert_eq!(desk.mail_to(MARIA).len(), 2, "the offer and one receipt");
}

#[tokio::test]
async fn each_acceptance_names_the_one_before_it() {
    let desk = Desk::open().await;
    for _ in 0..3 {
        let offer = desk.delivered().await;
        desk.accept(&offer).await;
    }
    let chain = stored(&desk).await;
    assert_eq!(chain[0].0["previous"], "");
    for pair in chain.windows(2) {
        assert_eq!(pair[1].0["previous"], pair[0].1);
        assert_ne!(pair[0].2, pair[1].2);
    }
}

#[tokio::test]
async fn another_address_than_the_recipients_is_confirmed_by_a_code() {
    const BOSS: &str = "boss@property.example";
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let fields = acceptance(&[("name", "Bo Boss"), ("email", BOSS)]);
    let asked = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    assert_eq!(asked.status(), 200);
    let page = asked.text().await.unwrap();
    assert!(page.contains("we have sent a code of six digits"), "{page}");
    assert!(
        page.contains("value=\"Bo Boss\""),
        "nothing typed is lost: {page}"
    );
    assert_eq!(stored(&desk).await.len(), 0);
    desk.app.run_outbox().await;
    let mail = desk.mail_to(BOSS).pop().unwrap();
    let code = mail.code();
    assert!(
        !desk
            .app
            .sql_text("SELECT code FROM offer_codes")
            .await
            .contains(&code)
    );
    let outbox = desk
        .app
        .sql_text("SELECT group_concat(notice) FROM outbox")
        .await;
    assert!(!outbox.contains(&code), "sealed in the outbox");
    let wrong = if code == "000000" { "111111" } else { "000000" };
    let with_code = |code: &str, email: &str| {
        acceptance(&[("name", "Bo Boss"), ("email", email), ("code", code)])
    };
    for (number, (code, email)) in [(wrong, BOSS), (code.as_str(), "eve@evil.example")]
        .into_iter()
        .enumerate()
    {
        let fields = with_code(code, email);
        let address = format!("10.1.2.{number}");
        let refused = desk.post_form(&link(&offer), &address, &fields).await;
        assert_eq!(refused.status(), 422);
        assert!(refused.text().await.unwrap().contains("This code is wrong"));
    }
    let fields = with_code(&code, BOSS);
    let accepted = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    assert_eq!(accepted.status(), 303);
    assert_eq!(stored(&desk).await[0].0["email"], BOSS);
    desk.app.run_outbox().await;
    let receipt = desk.mail_to(BOSS).pop().unwrap();
    assert!(
        receipt.subject.starts_with("Accepted"),
        "{}",
        receipt.subject
    );
}

#[tokio::test]
async fn a_customer_who_left_the_page_to_read_the_code_finds_its_field_there() {
    const BOSS: &str = "boss@property.example";
    let field = "name=\"code\"";
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let own = link(&offer);
    assert!(!desk.page(&own).await.1.contains(field));
    let fields = acceptance(&[("email", BOSS)]);
    desk.post_form(&own, "10.1.1.1", &fields).await;
    let (_, page) = desk.page(&own).await;
    assert!(page.contains(field), "{page}");
    assert!(
        page.contains("name=\"email\" value=\"\""),
        "the code is for another address: {page}"
    );
    desk.app.run_outbox().await;
    let code = desk.mail_to(BOSS).pop().unwrap().code();
    let mut fields = acceptance(&[("email", BOSS), ("code", &code)]);
    fields.remove("consent");
    let refused = desk.post_form(&own, "10.1.1.1", &fields).await;
    let page = refused.text().await.unwrap();
    let filled = format!("{field} value=\"{code}\"");
    assert!(page.contains(&filled), "{page}");
    desk.app.clock.advance(15 * 60 * SECOND);
    assert!(!desk.page(&own).await.1.contains(field), "the code ended");
}

#[tokio::test]
async fn a_code_stays_valid_until_another_is_asked_for() {
    const BOSS: &str = "boss@property.example";
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let post = async |changes: &[(&'static str, &str)]| {
        let mut fields = acceptance(&[("email", BOSS)]);
        for (name, value) in changes {
            fields.insert(name, (*value).to_owned());
        }
        let response = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let codes = async || {
        desk.app.run_outbox().await;
        let mail = desk.mail_to(BOSS).into_iter();
        mail.map(|mail| mail.code()).collect::<Vec<_>>()
    };
    for _ in 0..2 {
        let (status, page) = post(&[]).await;
        assert_eq!(status, 200);
        assert!(page.contains("Send another code"), "{page}");
    }
    let first = codes().await;
    assert_eq!(first.len(), 1, "a reload sends no other code");
    let (status, page) = post(&[("another", "code"), ("email", MARIA)]).await;
    assert_eq!(status, 422);
    assert!(page.contains("needs no code"), "{page}");
    assert_eq!(stored(&desk).await.len(), 0, "nothing is accepted by that");
    assert_eq!(
        post(&[("another", "code"), ("code", &first[0])]).await.0,
        200
    );
    let both = codes().await;
    assert_eq!(both.len(), 2);
    let newest = both.iter().find(|code| **code != first[0]).unwrap();
    assert_eq!(post(&[("code", &first[0])]).await.0, 422, "it was replaced");
    assert_eq!(post(&[("code", newest)]).await.0, 303);
}

#[tokio::test]
async fn a_code_ends_after_fifteen_minutes_or_five_wrong_tries_and_few_are_sent() {
    const BOSS: &str = "boss@property.example";
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let ask = async |client: &str, code: &str| {
        let fields = acceptance(&[("email", BOSS), ("code", code)]);
        let response = desk.post_form(&link(&offer), client, &fields).await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    let newest = async || {
        desk.app.run_outbox().await;
        desk.mail_to(BOSS).pop().unwrap().code()
    };
    ask("10.1.1.1", "").await;
    let code = newest().await;
    desk.app.clock.advance(15 * 60 * SECOND);
    assert_eq!(ask("10.1.1.2", &code).await.0, 422, "too old");
    ask("10.1.1.3", "").await;
    let code = newest().await;
    let wrong = if code == "000000" { "111111" } else { "000000" };
    for client in 0..5 {
        assert_eq!(ask(&format!("10.2.2.{client}"), wrong).await.0, 422);
    }
    assert_eq!(ask("10.1.1.4", &code).await.0, 422, "too many tries");
    let ask_another = async |client: &str| {
        let fields = acceptance(&[("email", BOSS), ("another", "code")]);
        let response = desk.post_form(&link(&offer), client, &fields).await;
        (response.status().as_u16(), response.text().await.unwrap())
    };
    for client in 0..3 {
        ask_another(&format!("10.3.3.{client}")).await;
    }
    let (status, page) = ask_another("10.1.1.5").await;
    assert_eq!(status, 422);
    assert!(page.contains("wait an hour"), "{page}");
    desk.app.clock.advance(HOUR);
    assert_eq!(ask("10.1.1.6", "").await.0, 200);
    assert_eq!(ask("10.1.1.6", &newest().await).await.0, 303);
}

#[tokio::test]
async fn a_decline_with_its_reason_reaches_the_desk_and_the_office_and_ends_the_offer() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let fields = [
        ("answer", "decline".to_owned()),
        ("reason", "Too <expensive>".to_owned()),
    ]
    .into();
    for _ in 0..2 {
        let answered = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
        assert_eq!(answered.status(), 303, "twice is once");
    }
    assert_eq!(
        desk.app.rows("events WHERE verb = 'offer_declined'").await,
        1
    );
    let declined = desk.offer(&offer).await;
    assert_eq!(declined["state"], "declined");
    assert_eq!(declined["versions"][0]["reason"], "Too");
    desk.app.run_outbox().await;
    let mail = desk.mail_to(OFFICE).pop().unwrap();
    assert!(
        mail.subject.starts_with("Offer declined"),
        "{}",
        mail.subject
    );
    assert!(mail.text.contains("Too"), "{}", mail.text);
    let late = desk
        .post_form(&link(&offer), "10.1.1.1", &acceptance(&[]))
        .await;
    assert_eq!(late.status(), 409);
    assert!(late.text().await.unwrap().contains("was declined on"));
    // The office answers with a new version.
    let next = desk.changed(&declined, "/message", json!("Cheaper")).await;
    let next = desk.sent(&next).await;
    assert_eq!(next["state"], "sent");
    assert_eq!(next["version"], 2);
    assert_eq!(
        next["versions"][1]["state"], "declined",
        "what happened stays"
    );
}

#[tokio::test]
async fn a_question_is_a_message_of_the_request_and_an_email_to_the_office() {
    let desk =
        Desk::with(|config| config.outgoing.allow = vec!["127.0.0.0/8".parse().unwrap()]).await;
    let start = json!({ "start_date": "2026-12-08", "emergency_contact": false });
    let offer = desk.sent(&desk.begun_for(start).await).await;
    desk.app.clock.advance(10 * SECOND);
    desk.app.run_outbox().await;
    let target = Listener::start().await;
    let webhook = json!({ "name": "CRM", "url": target.url("/hook"), "shape": "standard",
        "is_on": true, "events": ["reply.received"] });
    desk.post("/webhooks", webhook).await;
    let id = offer["request"]["id"].as_str().unwrap().to_owned();
    let request = async || desk.get(&format!("/inbox/{id}")).await;
    assert!(request().await["waiting_since"].is_null(), "it is answered");
    let asked_at = desk.app.clock.now();
    let fields = [
        ("answer", "ask".to_owned()),
        ("question", "Is parking included?".to_owned()),
    ]
    .into();
    for _ in 0..2 {
        let asked = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
        assert_eq!(asked.status(), 303);
        let location = asked.headers()["location"].to_str().unwrap().to_owned();
        let (_, page) = desk.page(&location).await;
        assert!(page.contains("We have your question"), "{page}");
        assert!(page.contains("Accept this offer"), "{page}");
    }
    assert_eq!(desk.app.rows("events WHERE verb = 'wrote'").await, 1);
    let shown = request().await;
    assert_eq!(shown["unread"], true);
    assert_eq!(shown["waiting_since"], asked_at.to_string());
    let due = asked_at.plus_millis(4 * HOUR).to_string();
    assert_eq!(shown["due_at"], due, "as of any message");
    let history = shown["history"].as_array().unwrap();
    let wrote = history.iter().find(|event| event["verb"] == "wrote");
    let detail = &wrote.unwrap()["detail"];
    assert_eq!(detail["via"], "offer");
    assert_eq!(detail["text"], "Is parking included?");
    assert_eq!(detail["number"], offer["number"]);
    let found = desk.get("/inbox?q=parking").await;
    assert_eq!(found["requests"].as_array().unwrap().len(), 1);
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.take().len(), 1, "other systems are told once");
    desk.app.run_outbox().await;
    let mail = desk.mail_to(OFFICE).pop().unwrap();
    assert!(
        mail.subject.starts_with("Question about offer"),
        "{}",
        mail.subject
    );
    assert!(mail.text.contains("Is parking included?"), "{}", mail.text);
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("María O’Brien <maria@property.example>")
    );
    let fields = [("answer", "ask".to_owned()), ("question", " ".to_owned())].into();
    let empty = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    assert_eq!(empty.status(), 422);
}

#[tokio::test]
async fn a_question_about_a_duplicate_is_in_the_request_that_shows_it() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let other = desk.app.stored(json!({})).await;
    let from = offer["request"]["id"].as_str().unwrap();
    let path = format!("/inbox/{other}/merge");
    desk.post(&path, json!({ "request": from })).await;
    let fields = [
        ("answer", "ask".to_owned()),
        ("question", "Is parking included?".to_owned()),
    ]
    .into();
    let asked = desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    assert_eq!(asked.status(), 303);
    assert_eq!(desk.get(&format!("/inbox/{other}")).await["unread"], true);
}

#[tokio::test]
async fn the_office_answers_on_the_customers_behalf_with_a_note() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let answer = json!({ "version": 1, "answer": "accepted", "note": " " });
    let (status, problem) = desk.try_offer(&offer, "answer", answer).await;
    assert_eq!(status, 422, "{problem}");
    let answer = json!({ "version": 1, "answer": "accepted", "note": "By phone, 3 pm" });
    let accepted = desk.on_offer(&offer, "answer", answer.clone()).await;
    assert_eq!(accepted["state"], "accepted");
    let (record, ..) = stored(&desk).await.remove(0);
    assert_eq!(record["entered_by"], desk.ada.email);
    assert_eq!(record["note"], "By phone, 3 pm");
    assert_eq!(record["name"], "María O’Brien");
    assert_eq!(record["consent"], "", "nobody has ticked a box");
    assert_eq!(desk.try_offer(&offer, "answer", answer).await.0, 409);
    desk.app.run_outbox().await;
    let receipt = desk.mail_to(MARIA).pop().unwrap();
    assert!(
        receipt.subject.starts_with("Accepted"),
        "{}",
        receipt.subject
    );
    // Nothing more is offered under this number.
    let send = json!({ "revision": accepted["revision"], "after": 1 });
    let (status, problem) = desk.try_offer(&offer, "send", send).await;
    assert_eq!(status, 409);
    assert!(
        problem["detail"].as_str().unwrap().contains("new offer"),
        "{problem}"
    );
}
