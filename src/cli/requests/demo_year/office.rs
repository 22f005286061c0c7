//! What the office does with the requests of the year, step by step, on a clock that is turned from
//! one step to the next.

use std::collections::BTreeMap;

use anyhow::Result;
use indicatif::ProgressBar;

use super::offer_files::OfferFiles;
use super::plan::{Planned, Story};
use super::random::Random;
use super::words::Words;
use domain::clock::time_zone::TimeZone;
use domain::clock::{DAY_MS, MINUTE_MS, Time};
use domain::request::outcome::Outcome;
use domain::request::quote::{NewQuote, Status};
use store::offers::VersionId;
use store::{Actor, ClaimLimits, NewOutcome, Store};

/// The hours of the day in which the office writes and calls.
const OPEN: std::ops::Range<i8> = 8..19;
/// How long an email waits before it leaves, and a moment more.
pub(super) const SENT_MS: i64 = 11 * 1000;
/// Emails that are delivered at once.
const BATCH: u32 = 100;

/// A request that the office works on.
#[derive(Clone)]
pub(super) struct Case {
    pub id: String,
    pub story: Story,
    pub is_quote: bool,
    pub by_call: bool,
    /// Who has it.
    pub by: Actor,
    /// Its offer.
    pub version: Option<VersionId>,
}

/// What happens at a time.
pub(super) enum Step {
    Ask(Box<Planned>),
    /// The same customer asks the same again.
    Repeat(Box<NewQuote>, Case),
    Answer(Case),
    MarkSpam(Case),
    Offer(Case),
    Open(Case),
    Accept(Case),
    Decline(Case),
    Question(Case),
    Confirm(Case),
    /// The work is over, with this outcome unless the customer's answer has set one.
    Close(Case, Option<NewOutcome>),
    /// The customer was not reached.
    Reject(Case),
    /// Emails leave.
    Deliver,
    /// Offers end, and reminders of them are sent.
    Night,
}

/// The office in the year.
pub(super) struct Office<'a> {
    pub store: &'a Store,
    pub words: &'a Words,
    pub zone: &'a TimeZone,
    pub people: Vec<(Actor, i64)>,
    pub files: OfferFiles<'a>,
    pub random: Random,
    /// What is still to happen, by its time.
    pub queue: BTreeMap<(Time, u64), Step>,
    pub until: Time,
    pub offers: usize,
}

impl Office<'_> {
    /// Plans a step.
    pub(super) fn at(&mut self, at: Time, step: Step) {
        let number = u64::try_from(self.queue.len()).unwrap_or_default();
        let mut key = (at, number);
        while self.queue.contains_key(&key) {
            key.1 += 1;
        }
        self.queue.insert(key, step);
    }

    /// Takes all steps up to the end of the year; what is later is left to do.
    pub(super) async fn work(&mut self, bar: &ProgressBar) -> Result<()> {
        while let Some(((at, _), step)) = self.queue.pop_first() {
            if at > self.until {
                break;
            }
            if matches!(step, Step::Ask(_)) {
                bar.inc(1);
            }
            match self.take(step, at).await {
                // Another step came first: the story of this request ends here.
                Err(store::Error::Conflict(_) | store::Error::Missing) => {}
                Err(error) => return Err(error.into()),
                Ok(()) => {}
            }
        }
        self.deliver(self.until).await?;
        Ok(())
    }

    async fn take(&mut self, step: Step, now: Time) -> store::Result<()> {
        match step {
            Step::Ask(planned) => self.ask(*planned, now).await,
            Step::Repeat(quote, case) => self.repeat(*quote, case, now).await,
            Step::Answer(case) => self.answer(case, now).await,
            Step::MarkSpam(case) => {
                let marked = self.store.mark_spam(case.id, case.by, now).await;
                marked.map(drop)
            }
            Step::Offer(case) => self.offer(case, now).await,
            Step::Open(case) => self.open(case, now).await,
            Step::Accept(case) => self.accept(case, now).await,
            Step::Decline(case) => self.decline(case, now).await,
            Step::Question(case) => self.question(case, now).await,
            Step::Confirm(case) => self.confirm(case, now).await,
            Step::Close(case, outcome) => self.close(case, Status::Completed, outcome, now).await,
            Step::Reject(case) => {
                let lost = lost("no_answer");
                self.close(case, Status::Cancelled, Some(lost), now).await
            }
            Step::Deliver => self.deliver(now).await,
            Step::Night => {
                self.store.advance_offers(now).await?;
                self.at(now.plus_millis(SENT_MS), Step::Deliver);
                self.at(now.plus_millis(DAY_MS), Step::Night);
                Ok(())
            }
        }
    }

    /// Marks the emails that are due as sent.
    async fn deliver(&mut self, now: Time) -> store::Result<()> {
        loop {
            let limits = ClaimLimits::any(BATCH);
            if !self.store.has_due_emails(limits, now).await? {
                return Ok(());
            }
            for email in self.store.claim_due(limits, MINUTE_MS, now).await? {
                self.store.email_sent(&email, now).await?;
            }
        }
    }

    pub(super) fn colleague(&mut self) -> store::Result<Actor> {
        let drawn = self.random.weighted(&self.people, |(_, share)| *share);
        drawn
            .map(|(actor, _)| actor.clone())
            .map_err(|_| store::Error::Failed)
    }

    /// A time in so many units from now in which the office is open.
    pub(super) fn opened_in(&mut self, now: Time, unit: i64, from: i64, to: i64) -> Time {
        let units = self.random.between(from, to);
        self.opened(now.plus_millis(units * unit))
    }

    /// This time, or a time of the next morning if the office is closed then.
    pub(super) fn opened(&mut self, at: Time) -> Time {
        let local = self.zone.local(at);
        if OPEN.contains(&local.hour()) {
            return at;
        }
        let day = match local.hour() < OPEN.start {
            true => local.date(),
            false => local.date().tomorrow().unwrap_or(local.date()),
        };
        self.zone
            .at(day, 8 * 60)
            .plus_millis(self.random.between(2, 90) * MINUTE_MS)
    }
}

/// Lost for one of the reasons of the desk.
pub(super) fn lost(reason: &str) -> NewOutcome {
    NewOutcome {
        outcome: Outcome::Lost,
        reason: Some(reason.to_owned()),
        words: None,
        value: None,
    }
}
