//! Alarms: the chain, acknowledgements, failures, tests and gaps.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use config::ChainStep;
use domain::on_call::alarm::{Channel, Who};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, MINUTE};
use crate::support::cli_process::Cli;
use crate::support::people::Person;

#[tokio::test]
async fn without_a_rota_and_devices_an_emergency_makes_no_alarm() {
    let desk = Desk::open().await;
    let id = desk.app.stored(json!({})).await;
    assert_eq!(desk.deliver().await, 0);
    assert_eq!(desk.app.rows("alarms").await, 0);
    assert!(desk.events(&id, "alarmed").await.is_empty());
    assert_eq!(desk.get("/system").await["problems"], json!([]));
}

#[tokio::test]
async fn emergencies_that_wait_raise_their_alarm_when_somebody_can_be_told() {
    for way in ["schedule", "override", "number", "device"] {
        let desk = Desk::open().await;
        let waiting = desk.app.stored(json!({})).await;
        let answered = desk.app.stored(json!({})).await;
        let reached = json!({ "outcome": "reached" });
        desk.post(&format!("/inbox/{answered}/calls"), reached)
            .await;
        let taken = desk.app.stored(json!({})).await;
        let mine = json!({ "assignee": "me" });
        let path = format!("/inbox/{taken}");
        assert_eq!(desk.send(Method::PATCH, &path, mine).await.0, 200);
        desk.app.stored(json!({ "emergency_contact": false })).await;
        desk.deliver().await;
        match way {
            "schedule" => desk.on_call(&[&desk.ada]).await,
            "override" => {
                let from = desk.app.clock.now();
                let shift = json!({
                    "person": desk.ada.id, "from": from, "until": from.plus_millis(60 * MINUTE),
                });
                let shift = json!({ "overrides": [shift] });
                desk.post("/on-call/overrides", shift).await;
            }
            "number" => desk.number(&desk.ada, "7135550111").await,
            _ => drop(desk.device(&desk.ada, "/ada").await),
        }
        desk.deliver().await;
        assert_eq!(
            desk.app.rows("alarms WHERE kind = 'emergency'").await,
            1,
            "{way}"
        );
        assert_eq!(desk.events(&waiting, "alarmed").await.len(), 1, "{way}");
        // Once: another change raises nothing.
        desk.on_call(&[&desk.ada]).await;
        assert_eq!(
            desk.app.rows("alarms WHERE kind = 'emergency'").await,
            1,
            "{way}"
        );
    }
}

#[tokio::test]
async fn a_dispatcher_on_call_is_reached_acknowledges_and_does_not_change_the_rota() {
    let desk = Desk::open().await;
    let dot = desk.app.dispatcher().await;
    desk.on_call(&[&dot]).await;
    let device = desk.device(&dot, "/dot").await;
    let id = desk.app.stored(json!({})).await;
    assert_eq!(desk.deliver().await, 1);
    assert_eq!(device.read(&desk.push.take()[0])["title"], "Emergency");
    let get = |path: &'static str| desk.as_person(&dot, Method::GET, path, None);
    assert_eq!(
        get("/on-call").await.1["spans"][0]["people"],
        json!([dot.id])
    );
    let alarm = get("/alarms").await.1["alarms"][0]["id"].clone();
    let acknowledge = format!("/alarms/{alarm}/acknowledge");
    let (status, answer) = desk.as_person(&dot, Method::POST, &acknowledge, None).await;
    assert_eq!(status, 200, "{answer}");
    let request = desk.get(&format!("/inbox/{id}")).await;
    assert_eq!(request["assignee"]["id"], json!(dot.id), "{request}");
    let rota = get("/on-call").await.1["rota"].clone();
    let (status, _) = desk
        .as_person(&dot, Method::PUT, "/on-call/rota", Some(rota))
        .await;
    assert_eq!(status, 403);
}

#[tokio::test]
async fn an_emergency_goes_through_the_chain_until_somebody_takes_it() {
    let desk = Desk::open().await;
    let (ben, cyd) = (
        desk.app.admin_as("ben@guard.example").await,
        desk.app.admin_as("cyd@guard.example").await,
    );
    desk.on_call(&[&desk.ada, &ben]).await;
    for (person, phone) in [
        (&desk.ada, "(713) 555-0111"),
        (&ben, "7135550122"),
        (&cyd, "+17135550133"),
    ] {
        desk.number(person, phone).await;
    }
    let device = desk.device(&desk.ada, "/ada").await;
    let id = desk.app.stored(json!({})).await;
    assert_eq!(desk.deliver().await, 1);
    let pushes = desk.push.take();
    let text = device.read(&pushes[0]);
    assert_eq!(text["title"], "Emergency");
    assert_eq!(text["body"], "Fire Watch in Houston, just now");
    assert!(
        text["url"]
            .as_str()
            .unwrap()
            .starts_with("https://guard.example/admin?request=GP-")
    );
    for secret in ["María", "O’Brien", "555-0188", "Bayou"] {
        assert!(!text.to_string().contains(secret), "{secret}");
    }
    assert_eq!(pushes[0].header("urgency"), "high");
    assert_signed(pushes[0].header("authorization"), &desk.push.url(""));
    assert_eq!(desk.called(), [""; 0]);
    assert_eq!(desk.after(3 * MINUTE - 1).await, 0);
    assert_eq!(desk.after(1).await, 1);
    assert_eq!(desk.called(), ["+17135550111"]);
    // The next person has no device: called, and no email.
    assert_eq!(desk.after(7 * MINUTE).await, 1);
    assert_eq!(desk.called(), ["+17135550122"]);
    desk.after(10 * MINUTE).await;
    let mut called = desk.called();
    called.sort();
    assert_eq!(called, ["+17135550111", "+17135550122", "+17135550133"]);
    let told = desk.events(&id, "alarmed").await;
    assert_eq!(told.len(), 7, "{told:?}");
    assert!(
        told.iter()
            .all(|it| it["state"] == "delivered" && it["at"].is_string()),
        "{told:?}"
    );
    assert_eq!(told[0]["to"], "ada@guard.example");
    // Taking the request acknowledges it.
    let take = json!({ "assignee": "me" });
    let (status, answer) = desk
        .send(Method::PATCH, &format!("/inbox/{id}"), take)
        .await;
    assert_eq!(status, 200, "{answer}");
    desk.deliver().await;
    let alarm = &desk.get("/alarms").await["alarms"][0];
    assert_eq!(
        (&alarm["state"], &alarm["acknowledged_by"]),
        (&json!("acknowledged"), &json!(desk.ada.id))
    );
    desk.push.take();
    assert_eq!(desk.after(30 * MINUTE - 1).await, 0);
    // The customer was not reached: the chain starts again.
    assert_eq!(desk.after(1).await, 1);
    let again = device.read(&desk.push.take()[0]);
    assert_eq!(again["title"], "Emergency, the customer is still waiting");
    let call = json!({ "outcome": "reached" });
    desk.post(&format!("/inbox/{id}/calls"), call).await;
    desk.deliver().await;
    assert_eq!(desk.get("/alarms").await["alarms"][0]["state"], "over");
    assert_eq!(desk.after(24 * 60 * MINUTE).await, 0);
}

/// The signature of a push is that of the key with which browsers subscribe.
fn assert_signed(authorization: &str, audience: &str) {
    let (token, key) = authorization
        .strip_prefix("vapid t=")
        .unwrap()
        .split_once(", k=")
        .unwrap();
    let key = URL_SAFE_NO_PAD.decode(key).unwrap();
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    key.verify(signed.as_bytes(), &signature).unwrap();
    let claims = URL_SAFE_NO_PAD
        .decode(signed.split('.').nth(1).unwrap())
        .unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(claims["aud"], audience);
    assert_eq!(claims["sub"], "mailto:office@guardpost.example");
}

#[tokio::test]
async fn a_provider_that_is_dead_is_replaced_by_the_next_way_at_once() {
    let desk = Desk::with(|config| config.phone.sms = true).await;
    desk.ada_by_phone().await;
    desk.device(&desk.ada, "/ada").await;
    desk.push.answer(500);
    desk.phone.answer(503);
    let id = desk.app.stored(json!({})).await;
    // The push fails, then the call, then the text message; the email is in the outbox.
    assert_eq!(desk.deliver().await, 3);
    let told = desk.events(&id, "alarmed").await;
    let channels: Vec<_> = told
        .iter()
        .map(|it| it["channel"].as_str().unwrap())
        .collect();
    assert_eq!(channels, ["push", "call", "sms", "email"]);
    assert_eq!(told[0]["error"], "the push service answered 500");
    assert_eq!(told[1]["error"], "the phone provider answered 503");
    desk.app.run_outbox().await;
    let told = desk.events(&id, "alarmed").await;
    assert_eq!(told[3]["state"], "delivered");
    let emails = desk.app.mailbox();
    assert!(
        emails
            .iter()
            .any(|it| it.to.iter().any(|to| to.contains("ada@guard.example")))
    );
    // It is retried under the same number, and not repeated once it works.
    desk.push.answer(201);
    desk.push.take();
    desk.app.clock.advance(10_000);
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 1);
    desk.app.clock.advance(60_000);
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 0);
}

#[tokio::test]
async fn a_device_that_is_gone_is_forgotten() {
    let desk = Desk::open().await;
    desk.device(&desk.ada, "/ada").await;
    let sent = desk.post("/push/test", json!({})).await;
    assert_eq!(sent["sent"], 1);
    desk.push.answer(410);
    let sent = desk.post("/push/test", json!({})).await;
    assert_eq!(sent["sent"], 0);
    assert_eq!(desk.get("/push").await["devices"], json!([]));
    for (endpoint, why) in [
        ("https://push.evil.example/x", "push service is not known"),
        ("https://169.254.169.254/x", "not on the public internet"),
        (
            "https://fcm.googleapis.com/fcm/send/x",
            "keys of the subscription are invalid",
        ),
    ] {
        let body = json!({ "endpoint": endpoint, "keys": { "p256dh": "x", "auth": "x" } });
        let (status, answer) = desk.send(Method::PUT, "/push", body).await;
        let told = answer["detail"].as_str().unwrap_or_default();
        assert!(status == 422 && told.contains(why), "{endpoint}: {answer}");
    }
}

#[tokio::test]
async fn the_chain_is_a_setting() {
    let desk = Desk::with(|config| {
        config.alarms.chain = vec![ChainStep {
            after_minutes: 1,
            who: Who::Everybody,
            by: vec![Channel::Email],
        }];
    })
    .await;
    desk.on_call(&[&desk.ada]).await;
    let id = desk.app.stored(json!({})).await;
    desk.deliver().await;
    assert!(desk.events(&id, "alarmed").await.is_empty());
    desk.after(MINUTE).await;
    let told = desk.events(&id, "alarmed").await;
    assert_eq!((told.len(), &told[0]["channel"]), (1, &json!("email")));
    // It was not acknowledged: it starts again.
    desk.after(30 * MINUTE).await;
    assert_eq!(desk.get("/alarms").await["alarms"][0]["round"], 2);
}

#[tokio::test]
async fn an_overdue_request_is_told_within_working_hours() {
    let desk =
        Desk::with(|config| config.alarms.working_hours = "Mon-Fri 09:00-17:00".to_owned()).await;
    desk.on_call(&[&desk.ada]).await;
    let device = desk.device(&desk.ada, "/ada").await;
    desk.app.run_timers().await;
    desk.app.stored(json!({ "emergency_contact": false })).await;
    // Saturday 06:00 in Houston: overdue on Sunday, raised on Monday at 9.
    desk.app.clock.advance(24 * 60 * MINUTE);
    desk.app.run_timers().await;
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 0);
    desk.after(27 * 60 * MINUTE - 1).await;
    assert_eq!(desk.push.take().len(), 0);
    desk.after(1).await;
    let pushes = desk.push.take();
    let text = device.read(&pushes[0]);
    assert_eq!(text["title"], "Overdue request");
}

#[tokio::test]
async fn a_weekly_test_that_nobody_acknowledges_is_a_problem() {
    let desk = Desk::with(|config| config.alarms.test = "Sat 06:30".to_owned()).await;
    desk.on_call(&[&desk.ada]).await;
    let device = desk.device(&desk.ada, "/ada").await;
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 0);
    desk.after(30 * MINUTE).await;
    let pushes = desk.push.take();
    assert_eq!(device.read(&pushes[0])["title"], "Test alarm");
    desk.after(MINUTE).await;
    assert_eq!(desk.app.rows("alarms").await, 1, "once a week");
    assert_eq!(desk.get("/system").await["problems"], json!([]));
    desk.after(30 * MINUTE).await;
    let problem = desk.get("/system").await["problems"][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        problem.starts_with("Nobody acknowledged the test alarm of"),
        "{problem}"
    );
    desk.acknowledge(0).await;
    assert_eq!(desk.get("/system").await["problems"], json!([]));
    desk.after(7 * 24 * 60 * MINUTE - 31 * MINUTE).await;
    assert_eq!(desk.app.rows("alarms").await, 2);
}

#[tokio::test]
async fn the_check_of_an_operator_names_a_test_that_nobody_acknowledges() {
    let desk = Desk::open().await;
    // The command reads the clock of the system.
    desk.app.advance_to_before_now(29 * MINUTE);
    let ada = desk.app.sign_in(&desk.ada.email).await;
    let desk = Desk { ada, ..desk };
    desk.on_call(&[&desk.ada]).await;
    desk.post("/alarms/test", json!({})).await;
    let cli = Cli::on_data_of(&desk.app);
    let missed = || {
        let check = cli.run(&["check"]).stdout;
        check.contains("fault: nobody acknowledged the test alarm of")
    };
    assert!(!missed(), "it waits for half an hour");
    let later = "UPDATE alarms SET created_at =
        strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-2 minutes')";
    let wait = |conn: &rusqlite::Connection| Ok(conn.execute(later, [])?);
    desk.app.store.write(wait).await.unwrap();
    assert!(missed());
    desk.acknowledge(0).await;
    assert!(!missed());
}

#[tokio::test]
async fn a_gap_in_the_rota_is_named_days_before_and_told_once() {
    let desk = Desk::with(|config| config.alarms.test = String::new()).await;
    desk.device(&desk.ada, "/ada").await;
    // Around the clock but on Wednesdays.
    let shifts: Vec<Value> = [0, 1, 3, 4, 5, 6]
        .map(|day| {
            let person = &desk.ada.id;
            json!({
                "person": person, "week": 0, "weekday": day, "from": "00:00", "until": "24:00",
            })
        })
        .into();
    desk.set_rota(shifts).await;
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 0, "more than three days before");
    desk.after(24 * 60 * MINUTE).await;
    assert_eq!(desk.push.take().len(), 1);
    let problem = desk.get("/system").await["problems"][0]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        problem.starts_with("Nobody is on call from Wednesday, "),
        "{problem}"
    );
    let end = problem.split(" until ").nth(1).unwrap_or_default();
    assert!(
        end.starts_with("Thursday, ") && end.contains("12:00 AM"),
        "the end of the gap, not of the days that are looked at: {problem}"
    );
    desk.after(MINUTE).await;
    desk.after(36 * 60 * MINUTE).await;
    assert_eq!(desk.push.take().len(), 0, "told once");
    desk.app.run_outbox().await;
    let emails = desk.app.mailbox();
    assert!(
        emails
            .iter()
            .any(|it| it.subject.contains("Nobody is on call")),
        "{emails:?}"
    );
}

#[tokio::test]
async fn an_erased_person_leaves_no_alarm() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    let id = desk.app.stored(json!({})).await;
    desk.deliver().await;
    assert!(desk.app.rows("alarm_messages").await > 0);
    let reference = desk.get(&format!("/inbox/{id}")).await["reference"].clone();
    assert_eq!(desk.get("/alarms").await["alarms"][0]["request"], reference);
    let body = json!({ "email": "maria@property.example", "confirm": "maria@property.example" });
    desk.post("/person/erase", body).await;
    assert_eq!(desk.app.rows("alarms").await, 0);
    assert_eq!(desk.app.rows("alarm_messages").await, 0);
}

#[tokio::test]
async fn the_next_person_is_never_the_one_who_is_on_call_even_if_only_that_one_is_in_the_rota() {
    let desk = Desk::with(|config| {
        config.alarms.chain.retain(|step| step.who == Who::Next);
        config
            .alarms
            .chain
            .iter_mut()
            .for_each(|step| step.after_minutes = 0);
    })
    .await;
    let (ben, cyd) = (
        desk.app.admin_as("ben@guard.example").await,
        desk.app.admin_as("cyd@guard.example").await,
    );
    desk.number(&desk.ada, "7135550111").await;
    desk.number(&ben, "7135550122").await;
    let told = async || {
        desk.app.stored(json!({})).await;
        desk.deliver().await;
        let mut called = desk.called();
        called.sort_unstable();
        desk.app.clock.advance(60 * MINUTE);
        called
    };
    desk.on_call(&[&desk.ada]).await;
    assert_eq!(
        told().await,
        ["+17135550122"],
        "who can be reached, but for her"
    );
    desk.number(&cyd, "7135550133").await;
    desk.on_call(&[&desk.ada, &cyd]).await;
    assert_eq!(told().await, ["+17135550133"], "the second of the rota");
}

#[tokio::test]
async fn after_a_handover_the_next_person_is_the_one_who_is_on_call_now() {
    let desk = Desk::open().await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.number(&desk.ada, "+17135550111").await;
    desk.number(&ben, "+17135550122").await;
    // It is six in the morning; Ben takes over five minutes later.
    let shift = |person: &Person, day: i64, from: &str, until: &str| json!({ "person": person.id, "week": 0, "weekday": day, "from": from, "until": until });
    let day = |day| {
        [
            shift(&desk.ada, day, "00:00", "06:05"),
            shift(&ben, day, "06:05", "24:00"),
        ]
    };
    desk.set_rota((0..7).flat_map(day).collect()).await;
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.called(), ["+17135550111"]);
    desk.after(7 * MINUTE).await;
    assert_eq!(desk.called(), ["+17135550122"]);
}

#[tokio::test]
async fn the_end_of_a_drill_ends_its_alarms() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    desk.device(&desk.ada, "/ada").await;
    desk.app.stored(json!({})).await;
    let now = desk.app.clock.now();
    desk.app.store.end_drill(now).await.unwrap();
    assert_eq!(desk.deliver().await, 0);
    assert_eq!(desk.after(40 * MINUTE).await, 0);
    assert!(desk.push.take().is_empty());
}

#[tokio::test]
async fn everybody_is_who_is_in_the_rota_or_can_be_called_or_has_a_device() {
    let desk = Desk::with(|config| {
        config.alarms.chain = vec![ChainStep {
            after_minutes: 0,
            who: Who::Everybody,
            by: vec![Channel::Push, Channel::Call],
        }];
    })
    .await;
    let mut people = Vec::new();
    for name in ["ben", "cyd", "dan"] {
        people.push(desk.app.admin_as(&format!("{name}@guard.example")).await);
    }
    desk.on_call(&[&desk.ada]).await;
    desk.number(&people[0], "7135550122").await;
    desk.device(&people[1], "/cyd").await;
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    let told = async |person: &str, channel: &str| {
        let messages = format!(
            "alarm_messages JOIN users ON users.id = user_id
             WHERE email = '{person}@guard.example' AND channel = '{channel}'"
        );
        desk.app.rows(&messages).await
    };
    assert_eq!(desk.called(), ["+17135550122"]);
    assert_eq!(told("cyd", "push").await, 1);
    assert_eq!(told("ada", "email").await, 1, "she is in the rota");
    for channel in ["push", "call", "sms", "email"] {
        assert_eq!(told("dan", channel).await, 0, "{channel}");
    }
}

#[tokio::test]
async fn the_next_round_begins_ten_minutes_after_the_last_step_at_the_earliest() {
    let desk = Desk::with(|config| {
        config.alarms.chain = [0, 20]
            .map(|after_minutes| ChainStep {
                after_minutes,
                who: Who::OnCall,
                by: vec![Channel::Email],
            })
            .to_vec();
    })
    .await;
    desk.on_call(&[&desk.ada]).await;
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.after(20 * MINUTE).await;
    desk.after(10 * MINUTE - 1).await;
    assert_eq!(desk.get("/alarms").await["alarms"][0]["round"], 1);
    desk.after(1).await;
    assert_eq!(desk.get("/alarms").await["alarms"][0]["round"], 2);
}

#[tokio::test]
async fn an_acknowledgement_takes_no_request_from_its_owner() {
    let desk = Desk::open().await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.on_call(&[&ben]).await;
    let id = desk.app.stored(json!({})).await;
    desk.deliver().await;
    let path = format!("/inbox/{id}");
    let mine = json!({ "assignee": "me" });
    assert_eq!(desk.send(Method::PATCH, &path, mine).await.0, 200);
    let alarm = desk.get("/alarms").await["alarms"][0]["id"].clone();
    let path = format!("/alarms/{alarm}/acknowledge");
    desk.as_person(&ben, Method::POST, &path, Some(json!({})))
        .await;
    let request = desk.get(&format!("/inbox/{id}")).await;
    assert_eq!(request["assignee"]["id"], json!(desk.ada.id));
}
