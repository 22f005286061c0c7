//! The year as far as it has come, its clock, and the ends of requests.

use anyhow::Result;

use super::words::{Random, Share, Words};
use config::Config;
use domain::clock::time_zone::TimeZone;
use domain::clock::{MINUTE_MS, Time};
use domain::form::Forms;
use domain::offer::document::SealKey;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use store::Store;
use store::accounts::actor::Actor;
use store::inbox::changes::RequestUpdate;
use store::inbox::changes::outcomes::NewOutcome;
use store::offers::rates::PublishedRates;
use store::outbox::delivery::ClaimLimits;

/// How long an email waits before it leaves, and a moment more.
pub(super) const SENT_MS: i64 = 11 * 1000;

/// What the year is made with, as far as it has come.
pub(super) struct Year<'a> {
    pub(super) store: &'a Store,
    pub(super) config: &'a Config,
    pub(super) zone: &'a TimeZone,
    pub(super) words: &'a Words,
    pub(super) forms: &'a Forms,
    /// Who works there, and the share of the work that each does.
    pub(super) people: Vec<Share<Actor>>,
    /// The fields of those who have asked.
    pub(super) known: Vec<Vec<(&'static str, String)>>,
    pub(super) rates: PublishedRates,
    pub(super) seal: SealKey,
    pub(super) random: Random,
    pub(super) until: Time,
    /// Offers that were sent.
    pub(super) offers: usize,
}

impl Year<'_> {
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

/// A request that was lost for this reason.
pub(super) fn lost(reason: Option<String>) -> NewOutcome {
    NewOutcome {
        outcome: Outcome::Lost,
        reason,
        words: None,
        value: None,
    }
}
