//! What becomes of each request: asked, answered, offered and closed, one request after another,
//! by the functions of the store that the server uses. What would be after now is left to do.

use anyhow::{Result, anyhow};
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::offer::document::SealKey;
use domain::request::outcome::Outcome;
use domain::request::quote::{NewQuote, Status};
use domain::spam::{Assessment, Visit, assess};
use store::offers::rates::PublishedRates;
use store::{Actor, Assign, CallOutcome, ClaimLimits, Error, NewOutcome, NewReply, OutcomeValue};
use store::{PhoneRequest, RequestUpdate, Store, Submission, Submitted};

use super::customers::{Customers, Filled};
use super::plan::{Kind, Planned};
use super::words::{Random, Share, Story};
use config::Config;

/// How long an email waits before it leaves, and a moment more.
const SENT_MS: i64 = 11 * 1000;

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
        let by = self.random.of(&self.people)?.clone();
        let id = self.ask(&planned, &by).await?;
        self.deliver(now).await?;
        if matches!(planned.kind, Kind::Spam) {
            let at = self.opened(now.plus_millis(HOUR_MS));
            if at > self.until {
                return Ok(());
            }
            // One that is held for its signals needs no person.
            return match self.store.mark_spam(id, by, at).await {
                Ok(_) | Err(Error::Conflict(_)) => Ok(()),
                Err(error) => Err(error.into()),
            };
        }
        let (is_urgent, is_usual) = (planned.kind.is_emergency(), story == Story::Usual);
        let minutes = match self.random.between(0, 99) {
            0..88 if is_urgent => self.random.between(3, 26),
            _ if is_urgent => self.random.between(38, 170),
            0..7 if is_usual => self.random.between(25 * 60, 60 * 60),
            _ => self.random.between(12, 420),
        };
        let at = now.plus_millis(minutes * MINUTE_MS);
        let at = if is_urgent { at } else { self.opened(at) };
        if at > self.until || story == Story::Waits {
            return Ok(());
        }
        let (is_quote, by_phone) = match planned.kind {
            Kind::Quote { by_phone, .. } => (true, by_phone),
            _ => (false, false),
        };
        let calls = self.random.chance(35) || is_urgent || by_phone;
        self.answer(&id, calls, &by, at).await?;
        if !is_usual || is_quote && self.random.chance(52) {
            return self.offer(id, story, by, at).await;
        }
        let outcome = self.outcome(is_quote)?;
        let at = self.later(at, DAY_MS, 1, 9);
        self.close(id, Some(outcome), by, at).await
    }

    /// Stores what a customer asks, by a form or by phone.
    async fn ask(&mut self, planned: &Planned<'_>, by: &Actor) -> Result<String> {
        let (now, kind) = (planned.at, &planned.kind);
        let day = self.zone.local(now).date();
        let key = format!("demo-{}", self.random.between(0, i64::from(i32::MAX)));
        // An offer that is open today ends after today: the day before the service begins.
        let soonest = if planned.story == Story::Usual { 2 } else { 18 };
        let filled = self.customers.fill(&mut self.random, day, kind, soonest)?;
        let message = match filled {
            Filled::Message(message) => message,
            Filled::Quote(quote) if matches!(kind, Kind::Quote { by_phone: true, .. }) => {
                let request = PhoneRequest {
                    quote,
                    acknowledge: false,
                    promise: None,
                    alarm: false,
                    fingerprint: key.clone(),
                    key,
                };
                let taken = self.store.take_phone_request(request, by.clone(), now);
                return Ok(taken.await?.request.id);
            }
            Filled::Quote(quote) => return self.quote(quote, key, by, now).await,
        };
        let mut spam = Assessment::default();
        if matches!(kind, Kind::Spam) {
            let visit = Visit {
                trap_filled: self.random.chance(80),
                fill_millis: Some(900),
                ..Visit::default()
            };
            spam = assess(&message.texts(), visit);
        }
        let stored = self
            .store
            .submit_contact(message, submission(key, spam), now);
        id_of(stored.await?)
    }

    /// Stores a quote; three of a hundred customers send it twice, and a colleague merges both.
    async fn quote(&mut self, new: NewQuote, key: String, by: &Actor, now: Time) -> Result<String> {
        let sent = submission(key.clone(), Assessment::default());
        let id = id_of(self.store.submit_quote(new.clone(), sent, now).await?)?;
        let again = now.plus_millis(SENT_MS);
        if !new.emergency_contact && again < self.until && self.random.chance(3) {
            let sent = submission(format!("{key}-again"), Assessment::default());
            let other = id_of(self.store.submit_quote(new, sent, again).await?)?;
            let merged = self
                .store
                .merge_requests(id.clone(), other, None, by.clone(), again);
            merged.await?;
            self.deliver(again).await?;
        }
        Ok(id)
    }

    /// Calls or writes to the customer.
    async fn answer(&self, id: &str, calls: bool, by: &Actor, now: Time) -> Result<()> {
        let (store, id) = (self.store, id.to_owned());
        let update = RequestUpdate {
            status: Some(Status::InProgress),
            assign: Some(Assign::IfNobody),
        };
        let taken = store.change_request(id.clone(), update, by.clone(), now);
        taken.await?.map(drop).unwrap_or_default();
        if calls {
            let call = store.log_call(id, CallOutcome::Reached, None, None, by.clone(), now);
            call.await?.map(drop).unwrap_or_default();
            return Ok(());
        }
        let reply = NewReply {
            subject: "Your request".to_owned(),
            text: "Thank you for writing to us. We call you about the details.".to_owned(),
            to: None,
            cc: Vec::new(),
            files: Vec::new(),
            seen: None,
        };
        let replied = store.reply(id, reply, by.user_id.clone(), now);
        replied.await?.map(drop).unwrap_or_default();
        self.deliver(now).await
    }

    /// How a request ends that gets no offer.
    fn outcome(&mut self, is_quote: bool) -> Result<NewOutcome> {
        let words = self.customers.words;
        let [of_quotes, of_messages] = &words.outcomes;
        let outcomes = if is_quote { of_quotes } else { of_messages };
        let mut new = NewOutcome {
            outcome: *self.random.of(outcomes)?,
            reason: None,
            words: None,
            value: None,
        };
        match new.outcome {
            Outcome::Won => {
                let monthly = self.random.chance(45);
                new.value = Some(OutcomeValue {
                    cents: self.random.between(9, 140) * 10_000,
                    per: if monthly { "month" } else { "total" },
                });
            }
            Outcome::Lost => new.reason = Some(self.random.of(&words.lost)?.clone()),
            Outcome::NotCustomer => {}
        }
        Ok(new)
    }

    /// Closes a request that is over, with this outcome unless the customer's answer has set one.
    pub(super) async fn close(
        &self,
        id: String,
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
            status: Some(Status::Completed),
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
    fn opened(&mut self, at: Time) -> Time {
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

fn submission(client: String, spam: Assessment) -> Submission {
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
fn id_of(submitted: Submitted) -> Result<String> {
    match submitted {
        Submitted::Stored(receipt) | Submitted::Duplicate(receipt) => Ok(receipt.id),
        Submitted::TooMany { .. } | Submitted::KeyReused => {
            Err(anyhow!("a request of the year was refused"))
        }
    }
}
