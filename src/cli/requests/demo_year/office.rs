//! What becomes of each request: asked, answered, offered and closed, one request after another,
//! by the functions of the store that the server uses. What would be after now is left to do.

use anyhow::{Result, bail};

use super::plan::Planned;
use super::words::Story;
use super::year::{SENT_MS, Year, lost};
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::request::outcome::Outcome;
use domain::request::quote::{NewQuote, Status};
use domain::spam::{Assessment, Visit, assess};
use store::Error;
use store::accounts::actor::Actor;
use store::inbox::calls::CallOutcome;
use store::inbox::changes::Assign;
use store::inbox::changes::RequestUpdate;
use store::inbox::changes::outcomes::OutcomeValue;
use store::inbox::phone_requests::PhoneRequest;
use store::inbox::replies::NewReply;
use store::inbox::submissions::{Submission, Submitted};

impl Year<'_> {
    pub(super) async fn take(&mut self, planned: Planned<'_>) -> Result<()> {
        let (now, story, is_urgent) = (planned.at, planned.story, planned.is_emergency);
        let by = self.random.of(&self.people)?.clone();
        let id = self.ask(planned, &by).await?;
        self.deliver(now).await?;
        if planned.is_spam {
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
        let (is_quote, is_usual) = (planned.service.is_some(), story == Story::Usual);
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
        let calls = self.random.chance(35) || is_urgent || planned.by_phone;
        self.answer(&id, calls, &by, at).await?;
        if !is_usual || is_quote && self.random.chance(52) {
            return self.offer(id, story, by, at).await;
        }
        let mut new = lost(None);
        new.outcome = *self
            .random
            .of(&self.words.outcomes[usize::from(!is_quote)])?;
        match new.outcome {
            Outcome::Won => {
                let monthly = self.random.chance(45);
                new.value = Some(OutcomeValue {
                    cents: self.random.between(9, 140) * 10_000,
                    per: if monthly { "month" } else { "total" },
                });
            }
            Outcome::Lost => new.reason = Some(self.random.of(&self.words.lost)?.clone()),
            Outcome::NotCustomer => {}
        }
        let at = self.later(at, DAY_MS, 1, 9);
        self.close(id, Some(new), by, at).await
    }

    /// Stores what a customer asks, by a form or by phone; returns its id.
    async fn ask(&mut self, planned: Planned<'_>, by: &Actor) -> Result<String> {
        let now = planned.at;
        let key = format!("demo-{}", self.random.between(0, i64::from(i32::MAX)));
        let Some(service) = planned.service else {
            let message = self.fill_message(planned)?;
            let mut spam = Assessment::default();
            if planned.is_spam {
                let visit = Visit {
                    trap_filled: self.random.chance(80),
                    fill_millis: Some(900),
                    ..Visit::default()
                };
                spam = assess(&message.texts(), visit);
            }
            let sent = submission(key, spam);
            return id_of(self.store.submit_contact(message, sent, now).await?);
        };
        let quote = self.fill_quote(planned, service)?;
        if !planned.by_phone {
            return self.quote(quote, key, by, now).await;
        }
        let request = PhoneRequest {
            quote,
            acknowledge: false,
            promise: None,
            alarm: false,
            fingerprint: key.clone(),
            key,
        };
        let taken = self.store.take_phone_request(request, by.clone(), now);
        Ok(taken.await?.request.id)
    }

    /// Stores a quote; three of a hundred customers send it twice, and a colleague merges both.
    async fn quote(&mut self, new: NewQuote, key: String, by: &Actor, now: Time) -> Result<String> {
        let (store, sent) = (self.store, submission(key.clone(), Assessment::default()));
        let id = id_of(store.submit_quote(new.clone(), sent, now).await?)?;
        let again = now.plus_millis(SENT_MS);
        if !new.emergency_contact && again < self.until && self.random.chance(3) {
            let sent = submission(format!("{key}-again"), Assessment::default());
            let other = id_of(store.submit_quote(new, sent, again).await?)?;
            let merged = store.merge_requests(id.clone(), other, None, by.clone(), again);
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
            bail!("a request of the year was refused")
        }
    }
}
