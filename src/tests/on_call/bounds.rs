//! Bounds: a flood of requests costs few calls, and everybody is notified all the same.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::webhooks::add;
use super::{Desk, MINUTE};
use crate::support::listener::Listener;
use crate::support::people::Person;
use crate::support::visitors::quote;

/// What a flood has caused.
#[derive(Debug, Default)]
struct Figures {
    calls: usize,
    texts: usize,
    pushes: usize,
    /// Emails of alarms.
    emails: usize,
    /// Calls by number, with the minute of each.
    called: HashMap<String, Vec<i64>>,
}

impl Figures {
    fn add(&mut self, desk: &Desk, minute: i64) {
        for sent in desk.phone.take() {
            let to = sent.form()["To"].clone();
            if sent.path.ends_with("/Calls.json") {
                self.calls += 1;
                self.called.entry(to).or_default().push(minute);
            } else {
                self.texts += 1;
            }
        }
        self.pushes += desk.push.take().len();
    }

    /// The most calls to one number within so many minutes.
    fn most_within(&self, minutes: i64) -> usize {
        let times = self.called.values();
        let most = times.flat_map(|times| {
            times.iter().map(|start| {
                let within = |at: &&i64| (*start..*start + minutes).contains(*at);
                times.iter().filter(within).count()
            })
        });
        most.max().unwrap_or(0)
    }
}

/// A desk with text messages on which these people are on call, each with phone and device.
async fn staffed(names: &[&str]) -> (Desk, Vec<Person>) {
    let desk = Desk::with(|config| {
        config.phone.sms = true;
        config.limits.form_max = 1000;
        config.alarms.test = String::new();
    })
    .await;
    let mut people = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let person = desk.app.admin_as(&format!("{name}@guard.example")).await;
        desk.number(&person, &format!("713555011{n}")).await;
        desk.device(&person, &format!("/{name}")).await;
        people.push(person);
    }
    desk.on_call(&people.iter().collect::<Vec<_>>()).await;
    (desk, people)
}

/// The emergencies with these numbers, from so many networks, one after the other.
async fn flood(desk: &Desk, numbers: std::ops::Range<u32>, networks: u32) {
    for n in numbers {
        let network = n % networks;
        let address = format!("10.{}.{}.1", network / 256, network % 256);
        let changes = json!({ "email": format!("visitor{n}@property.example") });
        let answer = desk.app.ask(&address, None, &quote(changes)).await;
        assert_eq!(answer.status(), 201);
    }
}

async fn alarm_emails(desk: &Desk) -> usize {
    let rows = "outbox WHERE kind = 'alarm'";
    usize::try_from(desk.app.rows(rows).await).unwrap()
}

#[tokio::test]
async fn one_call_names_all_that_wait_and_its_key_takes_them_and_no_later_one() {
    let (desk, people) = staffed(&["ada"]).await;
    for _ in 0..4 {
        desk.app.stored(json!({})).await;
    }
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 1, "one push for four");
    desk.after(3 * MINUTE).await;
    let placed = desk.phone.take();
    let calls: Vec<_> = placed
        .iter()
        .filter(|it| it.path.ends_with("Calls.json"))
        .collect();
    assert_eq!(
        (calls.len(), placed.len()),
        (1, 2),
        "one call and one text message"
    );
    let url = calls[0].form()["Url"].clone();
    let path = url.strip_prefix("https://guard.example").unwrap();
    let (_, said) = desk.callback(path, &[]).await;
    assert!(
        said.contains(
            "4 emergencies are waiting. The newest: Fire Watch in Houston, 3 minutes ago."
        ),
        "{said}"
    );
    // One that comes in after the call was placed is not taken with them.
    let later = desk.app.stored(json!({})).await;
    desk.deliver().await;
    let key = path.replace("/call/", "/key/");
    let (_, said) = desk.callback(&key, &[("Digits", "1")]).await;
    assert!(said.contains("All 4 are yours now"), "{said}");
    let states: Vec<_> = desk.get("/alarms").await["alarms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|alarm| alarm["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        states,
        [
            "raised",
            "acknowledged",
            "acknowledged",
            "acknowledged",
            "acknowledged"
        ]
    );
    assert!(desk.events(&later, "acknowledged").await.is_empty());
    // The end of the call is not reported: the next one is placed when the longest has ended, and
    // some minutes have passed.
    desk.push.take();
    desk.after(3 * MINUTE).await;
    let is_call = |it: &crate::support::listener::Received| it.path.ends_with("Calls.json");
    assert!(!desk.phone.take().iter().any(is_call));
    assert_eq!(desk.push.take().len(), 1, "a push instead, at once");
    desk.after(5 * MINUTE).await;
    assert!(desk.phone.take().iter().any(is_call));
    drop(people);
}

#[tokio::test]
async fn a_thousand_emergencies_and_three_people_for_a_day_stay_within_the_bounds() {
    let (desk, _people) = staffed(&["ada", "ben", "cyd"]).await;
    let mut figures = Figures::default();
    flood(&desk, 0..1003, 1000).await;
    let problems = desk.get("/system").await["problems"].to_string();
    let said = "1,003 emergencies came in within an hour, from 1,000 networks; 1,003 of them say \
                the same words";
    assert!(problems.contains(said), "{problems}");
    // Each minute at first; what a longer step delays is placed at its end.
    let steps = (0..60).map(|minute| (minute, 1));
    for (minute, step) in steps.chain((60..24 * 60).step_by(30).map(|minute| (minute, 30))) {
        desk.after(step * MINUTE).await;
        figures.add(&desk, minute + step);
    }
    figures.emails = alarm_emails(&desk).await;
    let messages = desk.app.rows("alarm_messages").await;
    assert!((3..=100).contains(&figures.calls), "{}", figures.calls);
    assert!((3..=200).contains(&figures.texts), "{}", figures.texts);
    assert!(figures.pushes <= 3 * 24 * 60 && figures.emails <= 3 * 24 * 60);
    for (minutes, most) in [(1, 1), (15, 3), (60, 5), (180, 10)] {
        assert!(
            figures.most_within(minutes) <= most,
            "{minutes}: {figures:?}"
        );
    }
    assert!(messages < 60_000, "{messages}");
}

#[tokio::test]
async fn the_bounds_are_settings_and_a_reached_one_is_said() {
    let desk = Desk::with(|config| {
        config.phone.sms = true;
        config.alarms.calls_per_person = [1, 1, 1, 1];
        config.alarms.texts_per_person = [1, 2, 2, 2];
        config.alarms.test = String::new();
    })
    .await;
    desk.number(&desk.ada, "7135550111").await;
    desk.on_call(&[&desk.ada]).await;
    let mut figures = Figures::default();
    // Nobody takes it: it is raised again each half hour.
    desk.app.stored(json!({})).await;
    for minute in 0..170 {
        desk.after(MINUTE).await;
        figures.add(&desk, minute);
    }
    assert_eq!((figures.calls, figures.texts), (1, 2));
    let problems = desk.get("/system").await["problems"].to_string();
    assert!(
        problems.contains("ada@guard.example is not called"),
        "{problems}"
    );
    assert!(alarm_emails(&desk).await > 1, "emails go on");

    let desk = Desk::with(|config| {
        config.phone.sms = true;
        config.alarms.calls_per_day = 1;
        config.alarms.texts_per_day = 1;
        config.alarms.test = String::new();
    })
    .await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.number(&desk.ada, "7135550111").await;
    desk.number(&ben, "7135550122").await;
    desk.on_call(&[&desk.ada, &ben]).await;
    desk.app.stored(json!({})).await;
    let mut figures = Figures::default();
    for minute in 0..60 {
        desk.after(MINUTE).await;
        figures.add(&desk, minute);
    }
    // The first to each person waits ten minutes at most; those of the next round wait.
    assert_eq!((figures.calls, figures.texts), (2, 2));
    let problems = desk.get("/system").await["problems"].to_string();
    assert!(
        problems.contains("the bound for a day is reached"),
        "{problems}"
    );
}

#[tokio::test]
async fn a_test_alarm_delays_an_emergency_by_nothing() {
    // The test is raised so many seconds before the emergency. Its calls have no reported end.
    for before in [5, 180, 181, 299, 600] {
        let (desk, _people) = staffed(&["ada"]).await;
        let second = 1000;
        for _ in 0..5 {
            desk.post("/alarms/test", json!({})).await;
        }
        let mut left = before;
        while left > 0 {
            let step = left.min(59);
            desk.after(step * second).await;
            left -= step;
        }
        desk.phone.take();
        desk.push.take();
        desk.app.stored(json!({})).await;
        desk.deliver().await;
        assert_eq!(desk.push.take().len(), 1, "{before}");
        for _ in 0..35 {
            desk.after(5 * second).await;
            desk.phone.take();
        }
        desk.after(5 * second).await;
        let placed = desk.phone.take();
        assert_eq!(placed.len(), 2, "{before}: a call and a text message");
        let call = placed.iter().find(|it| it.path.ends_with("Calls.json"));
        let url = call.unwrap().form()["Url"].clone();
        let path = url.strip_prefix("https://guard.example").unwrap();
        let (_, said) = desk.callback(path, &[]).await;
        assert!(said.contains("Emergency. Fire Watch"), "{before}: {said}");
    }
}

#[tokio::test]
async fn a_test_calls_nobody_while_an_emergency_is_raised_and_then_goes_on() {
    let (desk, _people) = staffed(&["ada"]).await;
    desk.post("/alarms/test", json!({})).await;
    desk.app.stored(json!({})).await;
    desk.deliver().await;
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.phone.take().len(), 2, "those of the emergency");
    desk.after(3 * MINUTE).await;
    assert_eq!(desk.phone.take().len(), 0);
    desk.acknowledge(0).await;
    for _ in 0..6 {
        desk.after(MINUTE).await;
    }
    assert_eq!(desk.phone.take().len(), 2, "those of the test");
}

#[tokio::test]
async fn test_alarms_by_hand_are_bounded() {
    let desk = Desk::open().await;
    desk.device(&desk.ada, "/ada").await;
    for _ in 0..5 {
        desk.post("/alarms/test", json!({})).await;
    }
    let (status, answer) = desk
        .send(reqwest::Method::POST, "/alarms/test", json!({}))
        .await;
    assert_eq!(status, 409, "{answer}");
    assert!(
        answer["detail"]
            .as_str()
            .unwrap()
            .contains("within an hour"),
        "{answer}"
    );
    desk.app.clock.advance(60 * MINUTE);
    desk.post("/alarms/test", json!({})).await;
}

#[tokio::test]
async fn an_emergency_with_signals_of_spam_is_quieter_and_not_silent() {
    let (desk, _people) = staffed(&["ada"]).await;
    // A program that has not opened the page, with a text that others have sent as well.
    let text = "All alarms are down in our building, please send two guards at once, tonight";
    for _ in 0..2 {
        desk.app.stored(json!({ "description": text })).await;
    }
    for at in 0..2 {
        desk.acknowledge(at).await;
    }
    let changes = json!({ "description": text, "first_name": "Bobby", "last_name": "Bobby" });
    let id = desk.app.stored(changes).await;
    desk.deliver().await;
    assert_eq!(desk.push.take().len(), 1);
    let told = desk.events(&id, "alarmed").await;
    let channels: Vec<&Value> = told.iter().map(|it| &it["channel"]).collect();
    assert_eq!(channels, ["push", "email"], "{told:?}");
    assert_eq!(alarm_emails(&desk).await, 1);
    for _ in 0..29 {
        desk.after(MINUTE).await;
    }
    assert_eq!(desk.phone.take().len(), 0, "no call and no text message");
    assert_eq!(desk.get("/alarms").await["alarms"][0]["state"], "raised");
}

#[tokio::test]
async fn an_email_to_a_person_on_call_names_how_many_wait() {
    // Without a device and a number there is only email.
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    for _ in 0..4 {
        desk.app.stored(json!({})).await;
    }
    desk.deliver().await;
    desk.app.run_outbox().await;
    let emails = desk.app.mailbox();
    let waiting = emails
        .iter()
        .find(|it| it.subject.starts_with("4 emergencies are waiting"));
    let waiting = waiting.unwrap_or_else(|| {
        panic!(
            "{:?}",
            emails.iter().map(|it| &it.subject).collect::<Vec<_>>()
        )
    });
    assert!(waiting.text.contains("Houston"), "{}", waiting.text);
    assert_eq!(desk.app.rows("outbox WHERE state = 'failed'").await, 0);
}

#[tokio::test]
async fn the_office_gets_one_list_a_minute_of_hundreds_of_requests_and_visitors_their_answers() {
    let desk = Desk::with(|config| {
        config.limits.form_max = 1000;
        config.mail.acknowledge = true;
    })
    .await;
    flood(&desk, 0..120, 60).await;
    desk.app.run_outbox().await;
    let office = |desk: &Desk| -> Vec<String> {
        let emails = desk.app.mailbox().into_iter();
        let office =
            emails.filter(|it| !it.to[0].contains("visitor") && !it.to[0].contains("ada@"));
        office.map(|it| it.subject).collect()
    };
    assert_eq!(office(&desk).len(), 30, "{:?}", office(&desk));
    let acknowledged = "outbox WHERE kind = 'acknowledgement' AND state = 'sent'";
    assert_eq!(desk.app.rows(acknowledged).await, 120);
    desk.app.clock.advance(MINUTE);
    desk.app.run_outbox().await;
    let subjects = office(&desk);
    assert_eq!(subjects.len(), 31);
    assert_eq!(subjects[30], "90 new requests, 90 want a call right away");
    let emails = desk.app.mailbox();
    let list = emails.iter().find(|it| it.subject == subjects[30]).unwrap();
    assert!(list.text.contains("call (713) 555"), "{}", list.text);
    assert!(
        list.text.contains("40 more are not listed here."),
        "{}",
        list.text
    );
    // It is quiet again: each request has its own email.
    desk.app.clock.advance(11 * MINUTE);
    flood(&desk, 500..501, 60).await;
    desk.app.run_outbox().await;
    assert_eq!(office(&desk).len(), 32);
}

#[tokio::test]
async fn beyond_a_number_of_emails_that_is_a_setting_the_office_gets_a_list_a_minute() {
    let list = ["2 new requests, 2 want a call right away"];
    for (most, single, lists_expected) in [(4, 4, &list[..]), (100, 6, &[])] {
        let desk = Desk::with(|config| config.mail.single_notices = most).await;
        for _ in 0..6 {
            desk.app.stored(json!({})).await;
        }
        desk.app.run_outbox().await;
        assert_eq!(desk.app.mailbox().len(), single);
        desk.app.clock.advance(MINUTE);
        desk.app.run_outbox().await;
        let lists = desk.app.mailbox().split_off(single);
        let subjects: Vec<_> = lists.into_iter().map(|it| it.subject).collect();
        assert_eq!(subjects, lists_expected);
    }
}

#[tokio::test]
async fn a_chat_room_gets_one_message_a_minute_about_hundreds_of_requests() {
    let (desk, _people) = staffed(&["ada"]).await;
    let room = Listener::start().await;
    add(
        &desk,
        &room,
        json!({ "shape": "slack", "events": ["request.created"] }),
    )
    .await;
    flood(&desk, 0..100, 60).await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(room.take().len(), 30);
    desk.app.clock.advance(MINUTE);
    desk.app.webhooks().deliver_due().await.unwrap();
    let messages = room.take();
    assert_eq!(messages.len(), 1);
    let text = messages[0].text();
    assert!(text.contains("70 events within a minute"), "{text}");
    assert!(text.contains("The newest: New request GP-"), "{text}");
    desk.app.clock.advance(11 * MINUTE);
    flood(&desk, 500..501, 60).await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert!(
        room.take()[0].text().contains("New request GP-"),
        "quiet again"
    );
}
