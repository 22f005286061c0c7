//! Notifies people of alarms until one of them acknowledges. The store has the steps as rows
//! (`store::on_call`); the worker takes those that are due, claims their messages under a lease,
//! and sends them by push, call and text message. Emails go through the outbox.

pub mod outgoing;
pub mod phone;
pub mod push;
mod push_encryption;
pub mod texts;
pub mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use self::phone::Phone;
use self::push::{Push, Pushed};
use self::texts::{Texts, topic};
use crate::outgoing::Outgoing;
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, DAY_MS, MINUTE_MS};
use domain::on_call::alarm::{AlarmRules, Channel, Step, WeeklyTime, WorkingHours};
use domain::on_call::bounds::Bounds;
use store::on_call::messages::{ClaimedMessage, MessageOutcome};
use store::{self, Store};

/// How often due steps and messages are looked for; new alarms wake the worker.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// How often the schedule of tests and the rota are looked at.
const SCHEDULE_INTERVAL: Duration = Duration::from_secs(60);
/// Messages that are sent at once.
const CONCURRENCY: usize = 16;
/// Longer than any attempt, in milliseconds.
const LEASE_MS: i64 = 20_000;

/// Milliseconds after which the chain starts again if the customer was not reached.
const AGAIN_MS: i64 = 30 * MINUTE_MS;
/// Milliseconds before a gap in the rota at which the office is told.
pub const GAP_MS: i64 = 3 * DAY_MS;

/// The rules of the settings.
pub fn rules(
    alarms: &config::Alarms,
    phone: &config::Phone,
    time_zone: TimeZone,
) -> anyhow::Result<AlarmRules> {
    let hours = WorkingHours::parse(&alarms.working_hours);
    let chain = alarms.chain.iter().map(|step| Step {
        after_ms: i64::from(step.after_minutes) * MINUTE_MS,
        who: step.who,
        by: step.by.clone(),
    });
    Ok(AlarmRules {
        chain: chain.collect(),
        again_ms: AGAIN_MS,
        working_hours: hours.ok_or_else(|| anyhow::anyhow!("`alarms.working_hours`"))?,
        test: WeeklyTime::parse(&alarms.test),
        gap_ms: GAP_MS,
        calls: phone.is_on(),
        sms: phone.is_on() && phone.sms,
        bounds: Bounds {
            calls: alarms.calls_per_person,
            texts: alarms.texts_per_person,
            calls_a_day: alarms.calls_per_day,
            texts_a_day: alarms.texts_per_day,
        },
        time_zone,
    })
}

/// Notifies people of alarms.
pub struct Alarms {
    pub store: Store,
    pub clock: Clock,
    pub rules: AlarmRules,
    pub outgoing: Outgoing,
    pub push: Push,
    pub phone: Option<Phone>,
    pub texts: Texts,
}

impl Alarms {
    /// Works until `stop` becomes true or its sender is dropped, then finishes running attempts.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut attempts = JoinSet::new();
        let mut last_schedule: Option<Instant> = None;
        while !*stop.borrow() && stop.has_changed().is_ok() {
            if last_schedule.is_none_or(|at| at.elapsed() >= SCHEDULE_INTERVAL) {
                self.raise_scheduled().await;
                last_schedule = Some(Instant::now());
            }
            match self
                .claim(CONCURRENCY - attempts.len().min(CONCURRENCY))
                .await
            {
                Ok(messages) => {
                    for message in messages {
                        attempts.spawn(self.clone().attempt(message));
                    }
                }
                Err(error) => error.log_background("alarms cannot be read"),
            }
            tokio::select! {
                Some(_) = attempts.join_next(), if !attempts.is_empty() => {
                    // Others may have finished too.
                    while attempts.join_next().now_or_never().flatten().is_some() {}
                }
                () = self.store.alarms_notified() => {}
                () = sleep(POLL_INTERVAL) => {}
                _ = stop.changed() => {}
            }
        }
        while attempts.join_next().await.is_some() {}
    }

    /// Raises scheduled alarms, takes due steps and sends due messages, until nothing is due;
    /// returns how many messages were attempted.
    pub async fn deliver_due(self: &Arc<Self>) -> store::Result<usize> {
        self.raise_scheduled().await;
        let mut count = 0;
        loop {
            let messages = self.claim(CONCURRENCY).await?;
            if messages.is_empty() {
                return Ok(count);
            }
            count += messages.len();
            let attempts: JoinSet<_> = messages
                .into_iter()
                .map(|message| self.clone().attempt(message))
                .collect();
            attempts.join_all().await;
        }
    }

    async fn raise_scheduled(&self) {
        let raised = self
            .store
            .raise_scheduled(self.rules.clone(), self.clock.now());
        if let Err(error) = raised.await {
            error.log_background("scheduled alarms could not be raised");
        }
    }

    async fn claim(&self, limit: usize) -> store::Result<Vec<ClaimedMessage>> {
        let now = self.clock.now();
        self.store.advance_alarms(self.rules.clone(), now).await?;
        let rules = self.rules.clone();
        self.store.claim_messages(limit, LEASE_MS, rules, now).await
    }

    /// Sends one message and records the result. A process that ends in between sends it again when
    /// the lease has expired, under the same number.
    async fn attempt(self: Arc<Self>, message: ClaimedMessage) {
        let outcome = self.send(&message).await;
        if let MessageOutcome::Failed(error) | MessageOutcome::Refused(error) = &outcome {
            tracing::warn!(
                alarm = message.alarm,
                channel = message.channel.as_str(),
                attempts = message.attempts,
                %error,
                "a message of an alarm could not be sent"
            );
        }
        loop {
            let (rules, now) = (self.rules.clone(), self.clock.now());
            let recorded = self
                .store
                .message_attempted(&message, outcome.clone(), rules, now);
            match recorded.await {
                Ok(()) => return,
                Err(error) => error.log_background("the outcome of an alarm could not be stored"),
            }
            // Without this record the message would be sent a second time.
            if outcome != MessageOutcome::Sent {
                return;
            }
            sleep(Duration::from_secs(1)).await;
        }
    }

    async fn send(&self, message: &ClaimedMessage) -> MessageOutcome {
        let now = self.clock.now();
        match message.channel {
            Channel::Push => self.send_push(message).await,
            Channel::Call | Channel::Sms => {
                let Some((phone, number)) = self.phone.as_ref().zip(message.phone.as_deref())
                else {
                    let why = "there is no number to call, or no phone provider";
                    return MessageOutcome::Refused(why.to_owned());
                };
                if message.channel == Channel::Call {
                    return phone.call(&self.outgoing, number, message.id).await;
                }
                let text = self.texts.sms(message, now);
                phone.text(&self.outgoing, number, &text, message.id).await
            }
            Channel::Email => MessageOutcome::Sent,
        }
    }

    async fn send_push(&self, message: &ClaimedMessage) -> MessageOutcome {
        let now = self.clock.now();
        let Some(device) = &message.device else {
            return MessageOutcome::Refused("the device was removed".to_owned());
        };
        let (text, topic) = (self.texts.push(message, now), topic(message));
        match self
            .push
            .send(&self.outgoing, &device.subscription, &text, &topic, now)
            .await
        {
            Pushed::Taken => MessageOutcome::Sent,
            Pushed::Failed(error) => MessageOutcome::Failed(error),
            Pushed::Gone => {
                if let Err(error) = self.store.drop_device(device.id).await {
                    error.log_background("a device that is gone could not be removed");
                }
                MessageOutcome::Refused("the device is no longer subscribed".to_owned())
            }
        }
    }
}
