//! Calls and text messages, and the callbacks of their provider.

use std::time::Duration;

use serde_json::json;

use super::{Desk, MINUTE, SECRET};

/// The number of the only message by phone.
pub async fn placed(desk: &Desk) -> (String, String) {
    let calls = desk.phone.take();
    let call = calls.first().unwrap();
    let id = call
        .header("idempotency-key")
        .trim_start_matches("guardpost-")
        .to_owned();
    (id, call.path.clone())
}

#[tokio::test]
async fn a_call_says_what_it_is_about_and_key_1_acknowledges() {
    let desk = Desk::open().await;
    desk.ada_by_phone().await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let calls = desk.phone.take();
    let (call, form) = (&calls[0], calls[0].form());
    assert_eq!(call.path, "/2010-04-01/Accounts/AC1/Calls.json");
    assert!(call.header("authorization").starts_with("Basic "));
    assert_eq!(form["From"], "+17135550100");
    let path = form["Url"].strip_prefix("https://guard.example").unwrap();
    let (status, said) = desk.callback(path, &[("CallSid", "CA1")]).await;
    assert_eq!(status, 200);
    assert!(
        said.contains("Emergency. Fire Watch in Houston, 3 minutes ago."),
        "{said}"
    );
    assert!(said.contains("<Gather"), "{said}");
    let key = path.replace("/call/", "/key/");
    for signature in ["", "AAAA", SECRET] {
        let (status, _) = desk.unsigned(&key, &[("Digits", "1")], signature).await;
        assert_eq!(status, 403);
    }
    assert!(desk.events(&id, "assigned").await.is_empty());
    let (status, said) = desk.callback(&key, &[("Digits", "1")]).await;
    assert_eq!(status, 200);
    assert!(said.contains("It is yours now"), "{said}");
    let request = desk.get(&format!("/inbox/{id}")).await;
    assert_eq!(request["assignee"]["id"], desk.ada.id);
    assert_eq!(desk.events(&id, "acknowledged").await[0]["by"], "call");
    // No one else is notified in this round, and the end of the call changes nothing.
    let status_path = path.replace("/call/", "/status/");
    desk.callback(&status_path, &[("CallStatus", "completed")])
        .await;
    assert_eq!(desk.after(20 * MINUTE).await, 0);
}

#[tokio::test]
async fn a_call_whose_answer_was_lost_is_not_placed_again_once_the_provider_calls_back() {
    for calls_back in [true, false] {
        let desk = Desk::open().await;
        desk.ada_by_phone().await;
        let id = desk.app.stored(json!({})).await;
        desk.deliver().await;
        desk.app.clock.advance(3 * MINUTE);
        // The provider takes the call, and the process ends before its answer.
        desk.phone.answer(0);
        let alarms = desk.app.alarms();
        let mut work = Box::pin(async move { alarms.deliver_due().await });
        while desk.phone.count() == 0 {
            let step = tokio::time::timeout(Duration::from_millis(5), &mut work).await;
            assert!(step.is_err(), "it waits for the answer");
        }
        drop(work);
        let (number, _) = placed(&desk).await;
        if calls_back {
            let path = format!("/api/phone/status/{number}");
            desk.callback(&path, &[("CallStatus", "ringing")]).await;
            let told = desk.events(&id, "alarmed").await;
            assert_eq!(told.last().unwrap()["state"], "delivered");
        }
        desk.phone.answer(201);
        assert_eq!(desk.after(21_000).await, usize::from(!calls_back));
    }
}

#[tokio::test]
async fn key_2_passes_on_and_a_call_that_nobody_answers_is_followed_by_the_next_way() {
    let desk = Desk::open().await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.on_call(&[&desk.ada, &ben]).await;
    desk.number(&desk.ada, "7135550111").await;
    desk.number(&ben, "7135550122").await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let (number, _) = placed(&desk).await;
    let (_, said) = desk
        .callback(&format!("/api/phone/key/{number}"), &[("Digits", "2")])
        .await;
    assert!(said.contains("passed on"), "{said}");
    let before = desk.events(&id, "alarmed").await.len();
    let path = format!("/api/phone/status/{number}");
    desk.callback(&path, &[("CallStatus", "completed")]).await;
    let after = desk.events(&id, "alarmed").await.len();
    assert_eq!(after, before, "who has passed it on gets no other message");
    assert_eq!(desk.deliver().await, 1);
    let calls = desk.phone.take();
    assert_eq!(calls[0].form()["To"], "+17135550122");
    let number = calls[0]
        .header("idempotency-key")
        .trim_start_matches("guardpost-")
        .to_owned();
    let path = format!("/api/phone/status/{number}");
    desk.callback(&path, &[("CallStatus", "no-answer")]).await;
    let told = desk.events(&id, "alarmed").await;
    let last = told.last().unwrap();
    assert_eq!(
        (&last["channel"], &last["to"]),
        (&json!("email"), &json!("ben@guard.example"))
    );
    assert_eq!(told[told.len() - 2]["error"], "nobody answered the call");
}

#[tokio::test]
async fn a_text_message_is_answered_with_1() {
    let desk = Desk::with(|config| config.phone.sms = true).await;
    desk.ada_by_phone().await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let texts: Vec<_> = desk
        .phone
        .take()
        .into_iter()
        .filter(|it| it.path.ends_with("/Messages.json"))
        .collect();
    assert!(
        texts[0].form()["Body"].starts_with("Emergency: Fire Watch in Houston, 3 minutes ago.")
    );
    let sms = async |from, text| {
        let form = [("From", from), ("Body", text), ("MessageSid", text)];
        desk.callback("/api/phone/sms", &form).await
    };
    let (_, answer) = sms("+17135559999", "1").await;
    assert!(
        answer.ends_with("<Response></Response>"),
        "a stranger: {answer}"
    );
    let (_, answer) = sms("+17135550111", "what?").await;
    assert!(answer.contains("Reply 1"), "{answer}");
    let (_, answer) = sms("+17135550111", " 1 ").await;
    assert!(answer.contains("It is yours now"), "{answer}");
    let request = desk.get(&format!("/inbox/{id}")).await;
    assert_eq!(request["assignee"]["id"], desk.ada.id);
}

#[tokio::test]
async fn without_a_provider_there_are_no_callbacks_and_people_get_an_email() {
    let desk = Desk::with(|config| config.phone.account = String::new()).await;
    desk.ada_by_phone().await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.phone.take().len(), 0);
    assert_eq!(desk.events(&id, "alarmed").await[0]["channel"], "email");
    let (status, _) = desk
        .callback("/api/phone/sms", &[("From", "+1"), ("Body", "1")])
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn the_same_text_message_delivered_four_times_takes_what_it_was_asked_about_and_no_more() {
    let desk = Desk::with(|config| config.phone.sms = true).await;
    desk.ada_by_phone().await;
    let first = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let answer = async |sid: &str, text: &str| {
        let form = [
            ("From", "+17135550111"),
            ("Body", text),
            ("MessageSid", sid),
        ];
        desk.callback("/api/phone/sms", &form).await.1
    };
    // Three more come in before the person answers, and none of them was named.
    for _ in 0..3 {
        desk.app.stored(json!({})).await;
        desk.deliver().await;
    }
    let said = answer("SM1", "1").await;
    assert!(
        said.contains("It is yours now. Fire Watch in Houston"),
        "{said}"
    );
    for _ in 0..3 {
        let said = answer("SM1", "1").await;
        assert!(
            said.ends_with("<Response></Response>"),
            "not said again: {said}"
        );
    }
    let states = async || {
        let alarms = desk.get("/alarms").await["alarms"].clone();
        let alarms = alarms.as_array().unwrap().clone();
        let taken = alarms.iter().filter(|it| it["state"] == "acknowledged");
        (taken.count(), alarms.len())
    };
    assert_eq!(states().await, (1, 4));
    assert_eq!(desk.events(&first, "acknowledged").await.len(), 1);
    // Another answer is about the same text message, whose alarm was taken.
    let said = answer("SM2", "1").await;
    assert!(said.contains("It does not wait any more"), "{said}");
    assert_eq!(states().await, (1, 4));
    // The next text message names the three that wait.
    desk.after(3 * MINUTE).await;
    let texts = desk.phone.take();
    let text = texts
        .iter()
        .rev()
        .find(|it| it.path.ends_with("/Messages.json"));
    let text = text.unwrap().form()["Body"].clone();
    assert!(
        text.starts_with("3 emergencies are waiting: The newest: Fire Watch in Houston"),
        "{text}"
    );
    let said = answer("SM3", "1").await;
    assert!(said.contains("All 3 are yours now"), "{said}");
    assert_eq!(states().await, (4, 4));
    // An answer that was repeated late takes nothing, even when the alarms have started again.
    desk.app.clock.advance(30 * MINUTE);
    desk.deliver().await;
    assert_eq!(states().await.0, 0, "the customers were not reached");
    for sid in ["SM1", "SM2", "SM3"] {
        answer(sid, "1").await;
    }
    assert_eq!(states().await.0, 0);
}

#[tokio::test]
async fn a_repeated_key_passes_on_once() {
    let desk = Desk::open().await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.on_call(&[&desk.ada, &ben]).await;
    desk.number(&desk.ada, "7135550111").await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    let (number, _) = placed(&desk).await;
    for _ in 0..4 {
        let path = format!("/api/phone/key/{number}");
        let (status, said) = desk.callback(&path, &[("Digits", "2")]).await;
        assert_eq!(status, 200, "{said}");
        desk.deliver().await;
    }
    assert_eq!(desk.events(&id, "passed_on").await.len(), 1);
}

#[tokio::test]
async fn what_the_provider_refuses_is_said_on_the_desk_and_the_next_way_is_taken_at_once() {
    let too_many = r#"{"code": 20429, "message": "Too Many Requests", "status": 429}"#;
    let suspended = r#"{"code": 20005, "message": "Account is not active", "status": 403}"#;
    let number = r#"{"code": 21215, "message": "Number +17135550111 not allowed"}"#;
    for (status, body, why) in [
        (
            429,
            too_many,
            "answered 429, code 20429: it takes no more for now",
        ),
        (
            402,
            "",
            "answered 402: the account is suspended or has no credit",
        ),
        (
            403,
            suspended,
            "answered 403, code 20005: the account is suspended or has no credit",
        ),
        (
            400,
            number,
            "answered 400, code 21215: a number is not allowed",
        ),
    ] {
        let desk = Desk::open().await;
        desk.ada_by_phone().await;
        desk.phone.answer_with(status, body);
        let id = desk.app.stored(json!({})).await;
        desk.after(3 * MINUTE).await;
        let told = desk.events(&id, "alarmed").await;
        assert_eq!(told.last().unwrap()["channel"], "email", "{told:?}");
        let problems = desk.get("/system").await["problems"].to_string();
        assert!(problems.contains(why), "{problems}");
        assert!(!problems.contains("+1713"), "{problems}");
        desk.phone.answer_with(201, "{}");
        desk.after(20 * MINUTE).await;
        assert_eq!(desk.get("/system").await["problems"], json!([]));
    }
}
