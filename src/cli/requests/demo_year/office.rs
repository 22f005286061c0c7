//! The course of each request: asked, answered, offered and closed, one request after another,
//! by the functions of the store that the server uses. Steps that would be after now are left.

use anyhow::{Context, Result, anyhow, bail};
use jiff::ToSpan;

use super::Year;
use super::words::{Course, Step};
use api::offers::making::{OfferMaker, version};
use domain::clock::{MINUTE_MS, Time};
use domain::offer::asked::Asked;
use domain::offer::draft::OfferDraft;
use domain::request::event::CallOutcome;
use domain::request::outcome::Outcome;
use domain::request::quote::{NewQuote, Status};
use domain::spam::{Assessment, is_held};
use store::accounts::actor::Actor;
use store::inbox::changes::outcomes::{NewOutcome, OutcomeValue};
use store::inbox::changes::{Assign, RequestUpdate};
use store::inbox::phone_requests::PhoneRequest;
use store::inbox::submissions::{Submission, Submitted};
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, OfferAnswer, VersionId};

impl Year<'_> {
    pub(super) async fn take(&mut self, at: Time, course: Course) -> Result<()> {
        let (store, by) = (self.store, self.random.of(&self.people).clone());
        let (mut now, mut id, mut quote, mut sent) = (at, String::new(), None, None);
        for (step, from, to) in course {
            now = now.plus_millis(self.random.between(from, to) * MINUTE_MS);
            if now > self.until {
                break;
            }
            let offer = || sent.clone().context("a course has no offer for this step");
            match step {
                Step::Message => match self.send_message(now).await? {
                    Some(sent) => id = sent,
                    // What is held as spam needs no person.
                    None => break,
                },
                Step::Quote | Step::Emergency | Step::Phone => {
                    let asked = quote.insert(self.quote(step, now)?).clone();
                    id = match step {
                        Step::Phone => self.take_call(asked, &by, now).await?,
                        _ => self.send_quote(asked, now).await?,
                    };
                }
                Step::SendAgain => {
                    let asked = quote
                        .clone()
                        .context("a course has no quote to send again")?;
                    let other = self.send_quote(asked, now).await?;
                    let merged = store.merge_requests(id.clone(), other, None, by.clone(), now);
                    merged.await?;
                }
                Step::Answer => self.answer(&id, &by, now).await?,
                Step::Offer => sent = Some(self.offer(&id, &by, now).await?),
                Step::Open => store.open_offer(offer()?, now).await?,
                Step::Accept => {
                    // An offer for an emergency ends with the day.
                    if !self.accept(&id, offer()?, now).await? {
                        break;
                    }
                }
                Step::Decline => {
                    let reason = self.random.of(&self.words.declined).clone();
                    let declined = OfferAnswer::Declined { reason };
                    store.answer_offer(offer()?, declined, None, now).await?;
                }
                Step::Confirm => {
                    store.mark_read(id.clone(), by.user_id.clone(), now).await?;
                    let confirmed = store.confirm_offer(offer()?.number, by.clone(), now);
                    confirmed.await?;
                }
                Step::Close | Step::Won | Step::Lost | Step::NotCustomer => {
                    self.close(&id, step, &by, now).await?;
                }
            }
            self.deliver(now).await?;
        }
        Ok(())
    }

    /// Returns the id of a message, none of spam.
    async fn send_message(&mut self, now: Time) -> Result<Option<String>> {
        let sample = self.random.pick(&self.samples[1]);
        let mut message = sample.message(&self.forms)?;
        let spam = sample.assessment(&message);
        message.attribution = self.visit(self.zone.local(now).date());
        let is_held = is_held(&spam.reasons);
        let sent = self.submission(spam);
        let id = id_of(self.store.submit_contact(message, sent, now).await?)?;
        Ok(Some(id).filter(|_| !is_held))
    }

    fn quote(&mut self, step: Step, now: Time) -> Result<NewQuote> {
        let (day, is_emergency) = (self.zone.local(now).date(), step == Step::Emergency);
        let samples = self.samples[0].iter();
        let samples: Vec<_> = samples
            .filter(|it| it.emergency_contact == is_emergency)
            .collect();
        let mut quote = self.random.pick(&samples).quote(&self.forms, now)?;
        quote.attribution = self.visit(day);
        if !is_emergency {
            // An offer that is open today ends after today: the day before the service begins.
            let ahead = self.random.between(18, 24);
            quote.start_date = day.saturating_add(ahead.days()).to_string();
        }
        Ok(quote)
    }

    async fn send_quote(&mut self, quote: NewQuote, now: Time) -> Result<String> {
        let sent = self.submission(Assessment::default());
        id_of(self.store.submit_quote(quote, sent, now).await?)
    }

    /// Stores a quote that is asked for by phone.
    async fn take_call(&mut self, quote: NewQuote, by: &Actor, now: Time) -> Result<String> {
        let sent = self.submission(Assessment::default());
        let request = PhoneRequest {
            quote,
            acknowledge: false,
            promise: None,
            alarm: false,
            fingerprint: sent.fingerprint,
            key: sent.client,
        };
        let taken = self.store.take_phone_request(request, by.clone(), now);
        Ok(taken.await?.request.id)
    }

    /// Sends what no other customer has sent.
    fn submission(&mut self, spam: Assessment) -> Submission {
        self.requests += 1;
        let client = format!("demo-{}", self.requests);
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

    /// Calls the customer.
    async fn answer(&self, id: &str, by: &Actor, now: Time) -> Result<()> {
        self.set_status(id, Status::InProgress, by, now).await?;
        let (id, by) = (id.to_owned(), by.clone());
        let call = self
            .store
            .log_call(id, CallOutcome::Reached, None, None, by, now);
        call.await?.map(drop).unwrap_or_default();
        Ok(())
    }

    async fn set_status(&self, id: &str, to: Status, by: &Actor, now: Time) -> Result<()> {
        let update = RequestUpdate {
            status: Some(to),
            assign: Some(Assign::IfNobody),
        };
        let changed = self
            .store
            .change_request(id.to_owned(), update, by.clone(), now);
        changed.await?.map(drop).unwrap_or_default();
        Ok(())
    }

    /// Makes an offer for a request and sends it.
    async fn offer(&mut self, id: &str, by: &Actor, now: Time) -> Result<VersionId> {
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
        let document = maker.document(&offer, &request, &self.rates);
        let document = document.map_err(|faults| anyhow!("an offer cannot be sent: {faults:?}"))?;
        let files = move || version(&document, offer.revision, 0, &zone, now);
        let new = tokio::task::spawn_blocking(files).await?;
        let new = new.map_err(|error| anyhow!("an offer's files: {error}"))?;
        let sent = store.send_offer(new, by.clone(), now).await?;
        self.offers += 1;
        Ok(VersionId {
            number: sent.number,
            version: sent.version,
        })
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

    /// Closes a request that is over, with the outcome of this step, or of the customer's answer.
    async fn close(&mut self, id: &str, step: Step, by: &Actor, now: Time) -> Result<()> {
        let (store, id) = (self.store, id.to_owned());
        store.mark_read(id.clone(), by.user_id.clone(), now).await?;
        self.set_status(&id, Status::Completed, by, now).await?;
        let outcome = match step {
            Step::Won => Outcome::Won,
            Step::Lost => Outcome::Lost,
            Step::NotCustomer => Outcome::NotCustomer,
            _ => return Ok(()),
        };
        let random = &mut self.random;
        let value = OutcomeValue {
            cents: random.between(9, 140) * 10_000,
            per: if random.chance(45) { "month" } else { "total" },
        };
        let reason = random.of(&self.words.lost).clone();
        let end = NewOutcome {
            outcome,
            reason: Some(reason).filter(|_| outcome == Outcome::Lost),
            words: None,
            value: Some(value).filter(|_| outcome == Outcome::Won),
        };
        let set = store.set_outcome(id, Some(end), by.clone(), now);
        set.await?.map(drop).unwrap_or_default();
        Ok(())
    }
}

/// The id of what was stored.
fn id_of(submitted: Submitted) -> Result<String> {
    match submitted {
        Submitted::Stored(receipt) => Ok(receipt.id),
        _ => bail!("a request of the year was refused"),
    }
}
