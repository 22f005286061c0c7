//! The course of each request: asked, answered, offered and closed, one request after another,
//! by the functions of the store that the server uses. Steps that would be after now are left.

use anyhow::{Result, anyhow, bail};
use jiff::ToSpan;

use super::Year;
use super::plan::Planned;
use super::words::Story;
use api::offers::making::{OfferMaker, version};
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::offer::asked::Asked;
use domain::offer::draft::OfferDraft;
use domain::request::event::CallOutcome;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use domain::spam::{Assessment, is_held};
use store::accounts::actor::Actor;
use store::inbox::changes::outcomes::{NewOutcome, OutcomeValue};
use store::inbox::changes::{Assign, RequestUpdate};
use store::inbox::phone_requests::PhoneRequest;
use store::inbox::submissions::{Submission, Submitted};
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, NewVersion, OfferAnswer, VersionId};

impl Year<'_> {
    pub(super) async fn take(&mut self, planned: Planned<'_>) -> Result<()> {
        let by = self.random.of(&self.people).clone();
        self.made.requests += 1;
        let asked = self.ask(planned, &by).await?;
        self.deliver(planned.at).await?;
        let is_usual = planned.story == Story::Usual;
        let (soonest, latest) = match self.random.between(0, 99) {
            0..88 if planned.sample.emergency_contact => (3, 26),
            _ if planned.sample.emergency_contact => (38, 170),
            0..7 if is_usual => (25 * 60, 60 * 60),
            _ => (12, 420),
        };
        let at = self.later(planned.at, MINUTE_MS, soonest, latest);
        // What is held as spam needs no person.
        let Some(id) = asked.filter(|_| at < self.until && planned.story != Story::Waits) else {
            return Ok(());
        };
        self.answer(&id, &by, at).await?;
        if !is_usual || planned.is_quote && self.random.chance(52) {
            return self.offer(id, planned.story, by, at).await;
        }
        let (words, random) = (self.words, &mut self.random);
        let outcome = *random.of(&words.outcomes[usize::from(!planned.is_quote)]);
        let value = OutcomeValue {
            cents: random.between(9, 140) * 10_000,
            per: if random.chance(45) { "month" } else { "total" },
        };
        let reason = random.of(&words.lost).clone();
        let end = NewOutcome {
            outcome,
            reason: Some(reason).filter(|_| outcome == Outcome::Lost),
            words: None,
            value: Some(value).filter(|_| outcome == Outcome::Won),
        };
        let at = self.later(at, DAY_MS, 1, 9);
        self.close(id, Some(end), by, at).await
    }

    /// Stores what a customer asks, by a form or by phone; returns its id, none of spam.
    async fn ask(&mut self, planned: Planned<'_>, by: &Actor) -> Result<Option<String>> {
        let (store, now, day) = (self.store, planned.at, self.zone.local(planned.at).date());
        let from = self.visit(day);
        let key = format!("demo-{}", self.made.requests);
        if !planned.is_quote {
            let mut message = planned.sample.message(&self.forms)?;
            message.attribution = from;
            let spam = planned.sample.assessment(&message);
            let is_held = is_held(&spam.reasons);
            let sent = submission(key, spam);
            let id = id_of(store.submit_contact(message, sent, now).await?)?;
            return Ok(Some(id).filter(|_| !is_held));
        }
        let mut quote = planned.sample.quote(&self.forms, now)?;
        quote.attribution = from;
        if !quote.emergency_contact {
            // An offer that is open today ends after today: the day before the service begins.
            let ahead = self.random.between(18, 24);
            quote.start_date = day.saturating_add(ahead.days()).to_string();
        }
        let drawn = self.random.between(0, 99);
        if drawn < 14 && planned.story == Story::Usual {
            let request = PhoneRequest {
                quote,
                acknowledge: false,
                promise: None,
                alarm: false,
                fingerprint: key.clone(),
                key,
            };
            let taken = store.take_phone_request(request, by.clone(), now);
            return Ok(Some(taken.await?.request.id));
        }
        let sent = submission(key.clone(), Assessment::default());
        let id = id_of(store.submit_quote(quote.clone(), sent, now).await?)?;
        // Three of a hundred customers send it twice, and a colleague merges both.
        if drawn > 96 && !quote.emergency_contact {
            let sent = submission(key + "-again", Assessment::default());
            let other = id_of(store.submit_quote(quote, sent, now).await?)?;
            let merged = store.merge_requests(id.clone(), other, None, by.clone(), now);
            merged.await?;
        }
        Ok(Some(id))
    }

    /// Calls the customer.
    async fn answer(&self, id: &str, by: &Actor, now: Time) -> Result<()> {
        let (store, id) = (self.store, id.to_owned());
        let update = RequestUpdate {
            status: Some(Status::InProgress),
            assign: Some(Assign::IfNobody),
        };
        let taken = store.change_request(id.clone(), update, by.clone(), now);
        taken.await?.map(drop).unwrap_or_default();
        let call = store.log_call(id, CallOutcome::Reached, None, None, by.clone(), now);
        call.await?.map(drop).unwrap_or_default();
        Ok(())
    }

    /// Makes an offer, sends it, and does what the customer does with it.
    async fn offer(&mut self, id: String, story: Story, by: Actor, answered: Time) -> Result<()> {
        let (store, now) = (self.store, self.later(answered, MINUTE_MS, 30, 1500));
        if now > self.until {
            return Ok(());
        }
        let Some(new) = self.version(&id, &by, now).await? else {
            return Ok(());
        };
        let sent = store.send_offer(new, by.clone(), now).await?;
        self.made.offers += 1;
        self.deliver(now).await?;
        let (number, version) = (sent.number, sent.version);
        let version = VersionId { number, version };
        let opened = self.later(now, MINUTE_MS, 8, 1300);
        let drawn = self.random.between(0, 99);
        if drawn < 86 && opened < self.until {
            store.open_offer(version.clone(), opened).await?;
        }
        let at = match story {
            Story::Accepted => self.until.plus_millis(-5 * HOUR_MS),
            Story::Usual if drawn < 60 => self.later(opened, MINUTE_MS, 30, 7000),
            Story::Usual => self.later(now, DAY_MS, 16, 16),
            Story::OfferWaits | Story::Waits => return Ok(()),
        };
        if at > self.until {
            return Ok(());
        }
        let mut end = None;
        if drawn < 41 || story == Story::Accepted {
            let is_accepted = self.accept(&id, version.clone(), at).await?;
            let confirmed = self.later(at, MINUTE_MS, 15, 600);
            if !is_accepted || story == Story::Accepted || confirmed > self.until {
                return Ok(());
            }
            let reader = by.user_id.clone();
            store.mark_read(id.clone(), reader, confirmed).await?;
            let confirmation = store.confirm_offer(version.number, by.clone(), confirmed);
            confirmation.await?;
        } else if drawn < 60 {
            let reason = self.random.of(&self.words.declined).clone();
            let declined = OfferAnswer::Declined { reason };
            store.answer_offer(version, declined, None, at).await?;
        } else {
            end = Some(NewOutcome {
                outcome: Outcome::Lost,
                reason: Some("no_answer".to_owned()),
                words: None,
                value: None,
            });
        }
        let closed = self.later(at, DAY_MS, 2, 4);
        self.close(id, end, by, closed).await
    }

    async fn accept(&self, id: &str, version: VersionId, now: Time) -> Result<bool> {
        let request = self.store.request(id.to_owned()).await?;
        let new = NewAcceptance {
            id: version,
            acceptor: Acceptor::Customer {
                name: request.full_name(),
                title: String::new(),
                email: request.email,
                client: "demo".to_owned(),
                user_agent: "demo".to_owned(),
                code: None,
            },
        };
        let accepted = self.store.accept_offer(new, self.seal.clone(), now);
        Ok(matches!(accepted.await?, AcceptOutcome::Accepted))
    }

    /// The first version of an offer for a request; `None` if its draft cannot be sent.
    async fn version(&self, id: &str, by: &Actor, now: Time) -> Result<Option<NewVersion>> {
        let (store, zone) = (self.store, self.zone.clone());
        let request = store.request(id.to_owned()).await?;
        let asked = Asked::of(&store.words_of_request(request.clone()).await?);
        let mut draft = OfferDraft::of_request(&request, &asked, &self.rates.rates, &zone, now);
        draft.unconfirmed_schedules.clear();
        let begun = store.begin_offer(id.to_owned(), draft, by.user_id.clone(), now);
        let offer = begun.await?;
        let maker = OfferMaker {
            company: &self.config.company,
            website: &self.config.server.origin(),
            today: zone.local(now).date(),
        };
        let Ok(document) = maker.document(&offer, &request, &self.rates) else {
            return Ok(None);
        };
        let revision = offer.revision;
        let made = tokio::task::spawn_blocking(move || version(&document, revision, 0, &zone, now));
        let made = made.await?.map(Some);
        made.map_err(|error| anyhow!("an offer's files: {error}"))
    }

    /// Closes a request that is over, with this outcome unless the customer's answer has set one.
    async fn close(&self, id: String, end: Option<NewOutcome>, by: Actor, now: Time) -> Result<()> {
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
        if closed.await?.is_ok() && end.is_some() {
            let set = store.set_outcome(id, end, by, now).await?;
            set.map(drop).unwrap_or_default();
        }
        Ok(())
    }

    /// A random time between `from` and `to` units after `now`.
    fn later(&mut self, now: Time, unit: i64, from: i64, to: i64) -> Time {
        now.plus_millis(self.random.between(from, to) * unit)
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
        Submitted::Stored(receipt) => Ok(receipt.id),
        _ => bail!("a request of the year was refused"),
    }
}
