//! Calls and text messages, and the callbacks of their provider.

use std::time::Duration;

use serde_json::json;

use super::{Desk, MINUTE, SECRET};

/// The number of the only message by phone.
async fn placed(desk: &Desk) -> (String, String) {
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
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
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
        desk.on_call(&[&desk.ada]).await;
        desk.number(&desk.ada, "7135550111").await;
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
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
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
        let form = [("From", from), ("Body", text)];
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
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
    let id = desk.app.stored(json!({})).await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.phone.take().len(), 0);
    assert_eq!(desk.events(&id, "alarmed").await[0]["channel"], "email");
    let (status, _) = desk
        .callback("/api/phone/sms", &[("From", "+1"), ("Body", "1")])
        .await;
    assert_eq!(status, 404);
}
