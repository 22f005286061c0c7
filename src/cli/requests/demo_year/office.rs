//! What becomes of each request: asked, answered, offered and closed, one request after another,
//! by the functions of the store that the server uses. What would be after now is left to do.

use anyhow::Result;
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::offer::document::SealKey;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use domain::spam::{Assessment, Visit, assess};
use store::offers::rates::PublishedRates;
use store::{Actor, ClaimLimits, Error, NewOutcome, RequestUpdate, Store, Submission, Submitted};

use super::customers::Customers;
use super::plan::{Kind, Planned, Story};
use super::words::{Random, Share};
use config::Config;

/// How long an email waits before it leaves, and a moment more.
pub(super) const SENT_MS: i64 = 11 * 1000;

pub(super) struct Office<'a> {
    pub store: &'a Store,
    pub config: &'a Config,
    pub zone: &'a TimeZone,
    pub people: Vec<Share<Actor>>,
    pub customers: Customers<'a>,
    pub rates: PublishedRates,
    pub seal: SealKey,
    pub random: Random,
    pub until: Time,
    /// Offers that were sent.
    pub offers: usize,
}

impl Office<'_> {
    pub(super) async fn take(&mut self, planned: Planned<'_>) -> Result<()> {
        let (now, story) = (planned.at, planned.story);
        let day = self.zone.local(now).date();
        let by = self.random.of(&self.people)?.clone();
        let key = format!("demo-{}", self.random.between(0, i64::from(i32::MAX)));
        let mut is_urgent = false;
        let mut calls = self.random.chance(35);
        let id = match planned.kind {
            Kind::Quote {
                service,
                is_emergency,
                by_phone,
            } => {
                // An offer that is open today ends after today: the day before the service begins.
                let soonest = if story == Story::Usual { 2 } else { 18 };
                let customers = &mut self.customers;
                let quote =
                    customers.quote(&mut self.random, day, service, is_emergency, soonest)?;
                is_urgent = is_emergency;
                calls |= is_emergency || by_phone;
                if by_phone {
                    self.take_call(quote, key, by.clone(), now).await?
                } else {
                    self.quote(quote, key, by.clone(), now).await?
                }
            }
            Kind::Message | Kind::Spam => {
                let is_spam = matches!(planned.kind, Kind::Spam);
                let message = self.customers.message(&mut self.random, day, is_spam)?;
                let visit = Visit {
                    trap_filled: is_spam && self.random.chance(80),
                    fill_millis: is_spam.then_some(900),
                    ..Visit::default()
                };
                let spam = match is_spam {
                    true => assess(&message.texts(), visit),
                    false => Assessment::default(),
                };
                let stored = self
                    .store
                    .submit_contact(message, submission(key, spam), now);
                id_of(stored.await?)?
            }
        };
        self.deliver(now).await?;
        if matches!(planned.kind, Kind::Spam) {
            let at = self.opened(now.plus_millis(HOUR_MS));
            if at < self.until {
                // One that is held for its signals needs no person.
                match self.store.mark_spam(id, by, at).await {
                    Ok(_) | Err(Error::Conflict(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            return Ok(());
        }
        if story == Story::Waits {
            return Ok(());
        }
        let drawn = self.random.between(0, 99);
        let usual = story == Story::Usual;
        let minutes = match drawn {
            0..88 if is_urgent => self.random.between(3, 26),
            _ if is_urgent => self.random.between(38, 170),
            0..3 if usual => 6 * 24 * 60,
            3..10 if usual => self.random.between(25 * 60, 60 * 60),
            _ => self.random.between(12, 420),
        };
        let at = now.plus_millis(minutes * MINUTE_MS);
        let at = if is_urgent { at } else { self.opened(at) };
        if usual && drawn < 3 && !is_urgent {
            let lost = lost("no_answer");
            return self.close(id, Status::Cancelled, Some(lost), by, at).await;
        }
        let is_quote = matches!(planned.kind, Kind::Quote { .. });
        let offers = !usual || is_quote && self.random.chance(52);
        let Some(answered) = self.answer(&id, calls, &by, at).await? else {
            return Ok(());
        };
        if offers {
            return self.offer(id, story, by, answered).await;
        }
        let outcome = self.outcome(is_quote)?;
        let at = self.later(answered, DAY_MS, 1, 9);
        self.close(id, Status::Completed, Some(outcome), by, at)
            .await
    }

    /// Closes a request that is over, with this outcome unless the customer's answer has set one.
    pub(super) async fn close(
        &self,
        id: String,
        status: Status,
        outcome: Option<NewOutcome>,
        by: Actor,
        now: Time,
    ) -> Result<()> {
        if now > self.until {
            return Ok(());
        }
        let (store, reader) = (self.store, by.user_id.clone());
        store.mark_read(id.clone(), reader, now).await?;
        let update = RequestUpdate {
            status: Some(status),
            assign: None,
        };
        let closed = store.change_request(id.clone(), update, by.clone(), now);
        if closed.await?.is_ok() && outcome.is_some() {
            let set = store.set_outcome(id, outcome, by, now).await?;
            set.map(drop).unwrap_or_default();
        }
        Ok(())
    }

    /// Marks the emails as sent that leave after something that happened at `now`.
    pub(super) async fn deliver(&self, now: Time) -> Result<()> {
        let (limits, now) = (ClaimLimits::any(100), now.plus_millis(SENT_MS));
        while self.store.has_due_emails(limits, now).await? {
            for email in self.store.claim_due(limits, MINUTE_MS, now).await? {
                self.store.email_sent(&email, now).await?;
            }
        }
        Ok(())
    }

    /// A time in so many units from now in which the office is open.
    pub(super) fn later(&mut self, now: Time, unit: i64, from: i64, to: i64) -> Time {
        let units = self.random.between(from, to);
        self.opened(now.plus_millis(units * unit))
    }

    /// This time, or a time of the next morning if nobody writes or calls then.
    pub(super) fn opened(&mut self, at: Time) -> Time {
        let local = self.zone.local(at);
        let day = match local.hour() {
            8..19 => return at,
            0..8 => local.date(),
            _ => local.date().tomorrow().unwrap_or(local.date()),
        };
        let minutes = self.random.between(2, 90);
        self.zone.at(day, 8 * 60).plus_millis(minutes * MINUTE_MS)
    }
}

/// Lost for one of the reasons of the desk.
pub(super) fn lost(reason: &str) -> NewOutcome {
    NewOutcome {
        outcome: Outcome::Lost,
        reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()),
        words: None,
        value: None,
    }
}

pub(super) fn submission(client: String, spam: Assessment) -> Submission {
    Submission {
        fingerprint: client.clone(),
        client,
        site: None,
        key: None,
        max: 3,
        window_ms: 1000,
        spam,
    }
}

/// The id of what was stored.
pub(super) fn id_of(submitted: Submitted) -> store::Result<String> {
    match submitted {
        Submitted::Stored(receipt) | Submitted::Duplicate(receipt) => Ok(receipt.id),
        Submitted::TooMany { .. } | Submitted::KeyReused => Err(Error::Failed),
    }
}
