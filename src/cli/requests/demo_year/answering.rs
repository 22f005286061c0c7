//! The office answers a request, or knows how one ends that gets no offer.

use anyhow::Result;
use domain::clock::Time;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use store::{Actor, Assign, CallOutcome, NewOutcome, NewReply, OutcomeValue, RequestUpdate};

use super::office::{Office, lost};

impl Office<'_> {
    /// Calls or writes to the customer: when, or `None` if that is still to do.
    pub(super) async fn answer(
        &self,
        id: &str,
        calls: bool,
        by: &Actor,
        now: Time,
    ) -> Result<Option<Time>> {
        if now > self.until {
            return Ok(None);
        }
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
            return Ok(Some(now));
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
        self.deliver(now).await?;
        Ok(Some(now))
    }

    /// How a request ends that gets no offer.
    pub(super) fn outcome(&mut self, is_quote: bool) -> Result<NewOutcome> {
        let [won, not_customer] = if is_quote { [22, 12] } else { [8, 70] };
        if self.random.chance(won) {
            let monthly = self.random.chance(45);
            return Ok(NewOutcome {
                outcome: Outcome::Won,
                value: Some(OutcomeValue {
                    cents: self.random.between(9, 140) * 10_000,
                    per: if monthly { "month" } else { "total" },
                }),
                ..lost("")
            });
        }
        if self.random.chance(not_customer) {
            return Ok(NewOutcome {
                outcome: Outcome::NotCustomer,
                reason: None,
                ..lost("")
            });
        }
        Ok(lost(self.random.of(&self.customers.words.lost)?))
    }
}
