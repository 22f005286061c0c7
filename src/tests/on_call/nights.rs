//! Random nights: whatever has happened before, the person on call hears of an emergency in time.

use domain::clock::Time;
use domain::on_call::alarm::{AlarmKind, Channel};
use domain::on_call::bounds::LONGEST_WAIT_MS;
use fastrand::Rng;
use serde_json::json;
use store::on_call::messages::{ClaimedMessage, MessageOutcome};

use super::{Desk, MINUTE};

/// Nights, each with an emergency at its end.
const NIGHTS: u64 = 60;
/// Nights on one desk, whose bounds they share.
const OF_A_DESK: u64 = 6;
/// When the chain calls, and the longest wait for a bound; the site promises 30 minutes.
const WITHIN: i64 = 3 * MINUTE + LONGEST_WAIT_MS;
/// How often a server looks for what is due.
const TICK: i64 = 5_000;

/// A contact that a provider has taken.
struct Contact {
    at: Time,
    channel: Channel,
    user_id: String,
    kind: AlarmKind,
    /// The newest alarm that it names.
    alarm: i64,
}

struct Nights {
    desk: Desk,
    random: Rng,
    /// Whether providers work.
    is_calm: bool,
    placed: Vec<Contact>,
    requests: u64,
}

impl Nights {
    async fn open(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let bounds = [[1, 3, 5, 10], [1, 1, 1, 1], [2, 4, 8, 100]];
        let (calls, texts) = (
            random.choice(bounds).unwrap(),
            random.choice(bounds).unwrap(),
        );
        let per_day = random.u32(1..100);
        let desk = Desk::with(|config| {
            config.phone.sms = true;
            config.limits.form_max = 1000;
            config.desk.answer_hours = 1;
            config.alarms.working_hours = "Mon-Sun 00:00-24:00".to_owned();
            config.alarms.calls_per_person = calls;
            config.alarms.texts_per_person = texts;
            config.alarms.calls_per_day = per_day;
            config.alarms.texts_per_day = per_day;
        })
        .await;
        let ben = desk.app.admin_as("ben@guard.example").await;
        desk.on_call(&[&desk.ada, &ben]).await;
        desk.number(&desk.ada, "7135550111").await;
        desk.number(&ben, "7135550122").await;
        desk.device(&desk.ada, "/ada").await;
        Self {
            desk,
            random,
            is_calm: false,
            placed: Vec::new(),
            requests: 0,
        }
    }

    fn now(&self) -> Time {
        self.desk.app.clock.now()
    }

    /// What the server does when time has passed.
    async fn tick(&mut self, millis: i64) {
        self.desk.app.clock.advance(millis);
        let (store, now) = (&self.desk.app.store, self.now());
        let rules = self.desk.app.alarms().rules.clone();
        store.raise_scheduled(rules.clone(), now).await.unwrap();
        loop {
            store.advance_alarms(rules.clone(), now).await.unwrap();
            let claimed = store.claim_messages(16, 20_000, rules.clone(), now);
            let claimed = claimed.await.unwrap();
            if claimed.is_empty() {
                break;
            }
            for message in claimed {
                let outcome = match self.is_calm || self.random.u8(..10) > 0 {
                    true => MessageOutcome::Sent,
                    false => MessageOutcome::Failed("it is down".to_owned()),
                };
                if outcome == MessageOutcome::Sent {
                    self.placed.push(contact(&message, now));
                }
                let attempted = store.message_attempted(&message, outcome, rules.clone(), now);
                attempted.await.unwrap();
                // The provider reports the end of some calls.
                if message.channel == Channel::Call && self.random.bool() {
                    let ended = "nobody answered".to_owned();
                    let ended = store.call_ended(message.id, ended, rules.clone(), now);
                    ended.await.unwrap();
                }
            }
        }
    }

    async fn ask(&mut self, is_emergency: bool) {
        self.requests += 1;
        let n = self.requests;
        let changes = json!({
            "email": format!("visitor{n}@property.example"),
            "description": format!("The alarm panel of building {n} has failed."),
            "emergency_contact": is_emergency,
        });
        self.desk.app.stored(changes).await;
    }

    /// Something that may happen in a night.
    async fn happen(&mut self) {
        let (store, now) = (self.desk.app.store.clone(), self.now());
        match self.random.u8(..7) {
            0 => self.ask(false).await,
            1 | 2 => self.ask(true).await,
            3 => drop(store.raise_test(None, now).await),
            4 => {
                let person = Some(self.desk.ada.id.clone());
                drop(store.raise_test(person, now).await);
            }
            5 => self.desk.app.run_timers().await,
            _ => {
                for alarm in store.recent_alarms(20).await.unwrap() {
                    if self.random.bool() {
                        let (id, ada) = (alarm.alarm.id, self.desk.ada.id.clone());
                        let taken = store.acknowledge_alarm(id, ada, "desk", 30 * MINUTE, now);
                        taken.await.unwrap();
                    }
                }
            }
        }
    }

    /// A night, and the emergency at its end.
    async fn pass(&mut self, name: &str) {
        self.is_calm = false;
        for _ in 0..self.random.u32(3..25) {
            self.happen().await;
            let pause = [TICK, 20_000, MINUTE, 3 * MINUTE, 10 * MINUTE, 45 * MINUTE];
            let pause = self.random.choice(pause).unwrap();
            let pause = self.random.i64(1..=pause);
            self.tick(pause).await;
        }
        self.is_calm = true;
        self.ask(true).await;
        let (at, before) = (self.now(), self.placed.len());
        let newest = self.desk.app.store.recent_alarms(1).await.unwrap()[0]
            .alarm
            .id;
        while self.now() <= at.plus_millis(WITHIN) {
            self.tick(TICK).await;
        }
        let ada = self.desk.ada.id.clone();
        for (channel, within) in [
            (Channel::Push, MINUTE),
            (Channel::Call, WITHIN),
            (Channel::Sms, WITHIN),
        ] {
            let is_told = self.placed[before..].iter().any(|it| {
                it.channel == channel
                    && it.user_id == ada
                    && it.kind == AlarmKind::Emergency
                    && it.alarm >= newest
                    && it.at <= at.plus_millis(within + TICK)
            });
            assert!(is_told, "{name}: no {channel:?} within {within} ms");
        }
    }
}

fn contact(message: &ClaimedMessage, at: Time) -> Contact {
    Contact {
        at,
        channel: message.channel,
        user_id: message.user_id.clone(),
        kind: message.kind,
        alarm: message.alarm,
    }
}

#[tokio::test]
async fn an_emergency_reaches_the_person_on_call_in_time_whatever_has_happened_before() {
    for desk in 0..NIGHTS / OF_A_DESK {
        let mut night = Nights::open(desk).await;
        for n in 0..OF_A_DESK {
            night.pass(&format!("desk {desk}, night {n}")).await;
        }
    }
}
