//! The office answers, and closes what is over.

use super::office::{Case, Office, SENT_MS, Step, lost};
use super::plan::Story;
use domain::clock::{DAY_MS, MINUTE_MS, Time};
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use store::{Assign, CallOutcome, NewOutcome, NewReply, OutcomeValue, RequestUpdate};

impl Office<'_> {
    pub(super) async fn answer(&mut self, case: Case, now: Time) -> store::Result<()> {
        let update = RequestUpdate {
            status: Some(Status::InProgress),
            assign: Some(Assign::IfNobody),
        };
        let (id, by) = (case.id.clone(), case.by.clone());
        let taken = self
            .store
            .change_request(id.clone(), update, by.clone(), now)
            .await?;
        if taken.is_err() {
            return Ok(());
        }
        if case.by_call {
            let reached = CallOutcome::Reached;
            let call = self.store.log_call(id, reached, None, None, by, now);
            call.await?.map(drop).unwrap_or_default();
        } else {
            let reply = NewReply {
                subject: "Your request".to_owned(),
                text: "Thank you for writing to us. We call you about the details.".to_owned(),
                to: None,
                cc: Vec::new(),
                files: Vec::new(),
                seen: None,
            };
            self.store
                .reply(id, reply, by.user_id, now)
                .await?
                .map(drop)
                .unwrap_or_default();
            self.at(now.plus_millis(SENT_MS), Step::Deliver);
        }
        let makes_offer = case.story != Story::Usual || case.is_quote && self.random.chance(52);
        if makes_offer {
            let at = self.opened_in(now, MINUTE_MS, 30, 1500);
            self.at(at, Step::Offer(case));
            return Ok(());
        }
        let outcome = self.outcome(case.is_quote)?;
        let at = self.opened_in(now, DAY_MS, 1, 9);
        self.at(at, Step::Close(case, Some(outcome)));
        Ok(())
    }

    /// How a request ends that gets no offer.
    fn outcome(&mut self, is_quote: bool) -> store::Result<NewOutcome> {
        let none = NewOutcome {
            outcome: Outcome::NotCustomer,
            reason: None,
            words: None,
            value: None,
        };
        let won_percent = if is_quote { 22 } else { 8 };
        if self.random.chance(won_percent) {
            let per = if self.random.chance(45) {
                "month"
            } else {
                "total"
            };
            let cents = self.random.between(9, 140) * 10_000;
            let value = Some(OutcomeValue { cents, per });
            return Ok(NewOutcome {
                outcome: Outcome::Won,
                value,
                ..none
            });
        }
        if self.random.chance(if is_quote { 12 } else { 70 }) {
            return Ok(none);
        }
        let reason = self
            .random
            .weighted(&self.words.lost, |reason| reason.share);
        Ok(lost(&reason.map_err(|_| store::Error::Failed)?.reason))
    }

    pub(super) async fn close(
        &mut self,
        case: Case,
        status: Status,
        outcome: Option<NewOutcome>,
        now: Time,
    ) -> store::Result<()> {
        let update = RequestUpdate {
            status: Some(status),
            assign: None,
        };
        let (id, by) = (case.id, case.by);
        self.store
            .mark_read(id.clone(), by.user_id.clone(), now)
            .await?;
        let closed = self
            .store
            .change_request(id.clone(), update, by.clone(), now)
            .await?;
        if closed.is_ok() && outcome.is_some() {
            self.store
                .set_outcome(id, outcome, by, now)
                .await?
                .map(drop)
                .unwrap_or_default();
        }
        Ok(())
    }
}
