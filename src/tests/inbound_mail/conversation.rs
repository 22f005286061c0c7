//! A customer's answer in the request: the clock, attention, threading, and what causes no notice.

use config::Config;
use reqwest::Method;
use serde_json::{Value, json};

use super::desk::{Desk, HOUR, verified};

#[tokio::test]
async fn an_answer_of_the_customer_starts_the_next_clock_and_the_next_reply_stops_it() {
    let desk = Desk::start().await;
    assert_eq!(desk.attention().await, 0);
    let at = desk.app.clock.now();
    let from = "Acme <office@guardpost.example>";
    let quote = format!("On Tue, Nov 24, 2026 at 11:58 AM {from} wrote:\n> When shall we start?");
    desk.receive(desk.answer(1, &format!("Tuesday works.\n\n{quote}")))
        .await;
    let request = desk.request().await;
    assert_eq!(request["unread"], true);
    assert_eq!(request["waiting_since"], at.to_string());
    assert_eq!(request["due_at"], at.plus_millis(4 * HOUR).to_string());
    assert_eq!(desk.attention().await, 1);
    let written = &desk.events("wrote").await[0];
    assert_eq!(request["newest_unanswered"], written["id"]);
    let written = &written["detail"];
    assert_eq!(written["text"], "Tuesday works.");
    assert_eq!(written["folded"], quote);
    assert_eq!(written["verified"], true);
    assert_eq!(written["known"], true);
    let read = format!("/api/admin/inbox/{}/read", desk.id);
    desk.post(&read, json!({})).await;
    assert_eq!(desk.request().await["unread"], false);
    assert_eq!(desk.attention().await, 1, "it is not answered");
    let sent = desk.reply("Fine.").await;
    let request = desk.request().await;
    for none in ["waiting_since", "due_at", "newest_unanswered"] {
        assert!(request[none].is_null(), "{none}: {request}");
    }
    assert!(
        desk.events("replied")
            .await
            .iter()
            .all(|it| it["answers"] == true)
    );
    assert_eq!(desk.attention().await, 0);
    let ours = &desk.facts.ours;
    assert!(
        sent.raw.contains("In-Reply-To: <m1@property.example>"),
        "{}",
        sent.raw
    );
    let folded = sent.raw.replace("\r\n ", " ");
    let thread = format!("References: {ours} <first@property.example> <m1@property.example>");
    assert!(folded.contains(&thread), "{folded}");
}

#[tokio::test]
async fn the_same_email_by_two_ways_is_one_message() {
    let desk = Desk::start().await;
    let email = desk.answer(1, "once");
    desk.receive(&email).await;
    desk.receive(email.replace('\n', "\r\n")).await;
    desk.receive(format!("Delivered-To: office@guard.example\n{email}"))
        .await;
    assert_eq!(desk.events("wrote").await.len(), 1);
    assert_eq!(desk.app.rows("received_emails").await, 1);
}

#[tokio::test]
async fn an_overdue_message_is_escalated_like_a_new_request_by_its_own_setting() {
    let mut desk = Desk::with(|config| config.desk.next_answer_hours = 2).await;
    desk.receive(desk.answer(1, "hello?")).await;
    let mut subjects = Vec::new();
    for (minutes, expected) in [(119, 0), (1, 1), (1, 1), (60, 2), (600, 2)] {
        desk.app.clock.advance(minutes * 60 * 1000);
        desk.app.run_timers().await;
        desk.app.run_outbox().await;
        subjects = desk
            .app
            .mailbox()
            .into_iter()
            .map(|mail| mail.subject)
            .collect();
        subjects.retain(|subject: &String| subject.contains("nswered"));
        assert_eq!(subjects.len(), expected, "{subjects:?}");
    }
    assert!(
        subjects[0].starts_with("Not answered in time: GP-"),
        "{subjects:?}"
    );
    assert!(
        subjects[1].starts_with("Still not answered: GP-"),
        "{subjects:?}"
    );
    desk.sign_in().await;
    let overdue = desk.get("/api/admin/inbox?overdue=true").await;
    assert_eq!(overdue["requests"].as_array().unwrap().len(), 1);
    assert_eq!(overdue["counts"]["pending"], 1);
}

#[tokio::test]
async fn another_or_unverified_author_is_marked_and_changes_no_clock() {
    let trusted = verified("property.example");
    for (head, from, verified, known) in [
        ("", "maria@property.example", false, true),
        (trusted.as_str(), "bob@property.example", true, false),
        ("", "eve@evil.example", false, false),
    ] {
        let desk = Desk::start().await;
        desk.receive(desk.email(1, head, from, "", "words")).await;
        let request = desk.request().await;
        assert_eq!(request["unread"], true, "{from}");
        assert!(request["waiting_since"].is_null(), "{from}");
        let written = &desk.events("wrote").await[0]["detail"];
        assert_eq!(
            (&written["verified"], &written["known"]),
            (&json!(verified), &json!(known))
        );
        assert_eq!(desk.attention().await, 1, "until somebody has answered it");
    }
}

#[tokio::test]
async fn a_verified_message_opens_a_closed_request_again() {
    let desk = Desk::start().await;
    let path = format!("/api/admin/inbox/{}", desk.id);
    for status in ["in_progress", "completed"] {
        let moved = desk
            .call(Method::PATCH, &path, json!({"status": status}))
            .await;
        assert_eq!(moved.status(), 200);
    }
    desk.receive(desk.email(1, "", "eve@evil.example", "", "x"))
        .await;
    assert_eq!(desk.request().await["status"], "completed");
    desk.receive(desk.answer(2, "one more thing")).await;
    assert_eq!(desk.request().await["status"], "in_progress");
    assert_eq!(desk.attention().await, 1);
    let moved = desk.events("moved").await.pop().unwrap();
    assert!(moved["actor"].is_null(), "{moved}");
}

#[tokio::test]
async fn a_guessed_message_id_leads_nowhere_and_one_of_ours_to_the_request() {
    let desk = Desk::start().await;
    let number = desk
        .app
        .sql_text("SELECT CAST(max(id) AS TEXT) FROM outbox WHERE kind = 'reply'")
        .await;
    let ours = desk.facts.ours.clone();
    assert!(ours.contains(&format!("<{number}.")), "{ours}");
    let tag = ours.split(['.', '@']).nth(1).unwrap();
    let to = |id: &str, n: u32| {
        let email = desk.answer(n, "words").replace(&ours, id);
        email.replace(&desk.facts.signed, "office@guardpost.example")
    };
    let before = number.parse::<i64>().unwrap() - 1;
    for (n, guess) in [
        format!("<{number}@guardpost.example>"),
        format!("<{before}@guardpost.example>"),
        format!("<{number}.{}@guardpost.example>", "0".repeat(tag.len())),
        format!("<{before}.{tag}@guardpost.example>"),
    ]
    .iter()
    .enumerate()
    {
        desk.receive(to(guess, u32::try_from(n).unwrap())).await;
    }
    assert_eq!(desk.events("wrote").await.len(), 0);
    let unmatched = desk.get("/api/admin/unmatched").await;
    assert_eq!(unmatched["emails"].as_array().unwrap().len(), 4);
    desk.receive(to(&ours, 9)).await;
    assert_eq!(desk.events("wrote").await.len(), 1);
    assert_eq!(desk.request().await["unread"], true);
}

#[tokio::test]
async fn automatic_mail_is_shown_and_wakes_nobody() {
    let desk = Desk::start().await;
    let head = verified("property.example");
    let fields = "Auto-Submitted: auto-replied\n";
    let from = desk.facts.customer.clone();
    desk.receive(desk.email(1, &head, &from, fields, "I am away."))
        .await;
    let request = desk.request().await;
    assert_eq!(request["unread"], false);
    assert!(request["waiting_since"].is_null());
    assert_eq!(desk.attention().await, 0);
    let event = &desk.events("auto_replied").await[0];
    assert_eq!(event["detail"]["text"], "I am away.");
}

#[tokio::test]
async fn an_email_of_ours_that_comes_back_is_nobodys_message() {
    let desk = Desk::start().await;
    let sent = desk.reply("Is the gate open?").await;
    let to = format!(
        "Delivered-To: {}\n{}",
        desk.facts.signed,
        verified("guard.example")
    );
    // As it was sent, and with the id that a relay has given it.
    for id in [sent.message_id.as_str(), "0100018c@relay.example"] {
        let email = sent.raw.replace(&sent.message_id, id).replace("\r\n", "\n");
        desk.receive(format!("{to}{email}")).await;
    }
    assert_eq!(desk.events("wrote").await, Vec::<Value>::new());
    let returned = desk.events("auto_replied").await;
    assert_eq!(returned.len(), 2);
    for event in returned {
        assert_eq!(event["detail"]["ours"], true, "{event}");
    }
    let request = desk.request().await;
    assert_eq!(request["unread"], false);
    assert!(request["waiting_since"].is_null());
    // One that belongs to no request waits among those of programs.
    let stray = sent.raw.replace(&sent.message_id, "stray@relay.example");
    let stray = stray.replace("References:", "X-References:");
    desk.receive(stray.replace("In-Reply-To:", "X-In-Reply-To:"))
        .await;
    let unmatched = desk.get("/api/admin/unmatched").await;
    assert_eq!(
        (&unmatched["count"], &unmatched["automatic"]),
        (&json!(0), &json!(1))
    );
}

#[tokio::test]
async fn two_programs_that_answer_each_other_end_after_one_letter() {
    let acknowledges = |config: &mut Config| config.mail.acknowledge = true;
    let desk = Desk::with(acknowledges).await;
    let request = json!({"emergency_contact": false, "email": "robot@property.example"});
    desk.app.stored(request).await;
    desk.app.run_outbox().await;
    let to_robot = || {
        let mut mail = desk.app.mailbox();
        mail.retain(|mail| mail.to == ["robot@property.example"]);
        mail
    };
    let letter = to_robot().pop().unwrap();
    assert!(letter.raw.contains("Auto-Submitted: auto-replied"));
    // One that says so, and one that does not, answers everything that it gets.
    for (n, fields) in (20..).zip(["Auto-Submitted: auto-replied\n", ""]) {
        let head = verified("property.example");
        let answer = desk.email(n, &head, "robot@property.example", fields, "I am away.");
        let to = letter.reply_to.as_deref().unwrap();
        let answer = answer.replace(&format!("<{}>", desk.facts.signed), to);
        desk.receive(answer.replace(&desk.facts.ours, &format!("<{}>", letter.message_id)))
            .await;
        desk.app.run_outbox().await;
    }
    let answers = "events WHERE verb IN ('auto_replied', 'wrote')";
    assert_eq!(desk.app.rows(answers).await, 2, "both are in the request");
    assert_eq!(to_robot().len(), 1);
}

#[tokio::test]
async fn words_of_the_conversation_are_found() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "the xylophone warehouse"))
        .await;
    let found = desk.get("/api/admin/inbox?q=xylophone").await;
    assert_eq!(found["requests"].as_array().unwrap().len(), 1);
    let unread = desk.get("/api/admin/inbox?unread=true").await;
    assert_eq!(unread["requests"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn needs_attention_sorts_messages_by_their_own_due_times() {
    let mut desk = Desk::start().await;
    let later = desk.app.stored(json!({"emergency_contact": false})).await;
    desk.receive(desk.answer(1, "first")).await;
    assert_eq!(
        order(&desk).await,
        [desk.id.clone(), later.clone()],
        "due in 4 and in 24 hours"
    );
    let first = desk.get("/api/admin/inbox?attention=true&limit=1").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let path = format!("/api/admin/inbox?attention=true&limit=1&cursor={cursor}");
    let second = desk.get(&path).await;
    assert_eq!(second["requests"][0]["id"], later.as_str());
    assert!(second["next_cursor"].is_null());
    desk.app.clock.advance(30 * HOUR);
    desk.sign_in().await;
    let overdue = order(&desk).await;
    assert_eq!(overdue, [later, desk.id.clone()], "newest due first");
}

/// The ids in "Needs attention".
async fn order(desk: &Desk) -> Vec<String> {
    let page = desk.get("/api/admin/inbox?attention=true").await;
    let requests = page["requests"].as_array().unwrap().clone();
    let id = |request: &serde_json::Value| request["id"].as_str().unwrap().to_owned();
    requests.iter().map(id).collect()
}
