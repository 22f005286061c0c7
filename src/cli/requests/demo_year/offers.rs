//! The offers of the year: made of their requests, sent, and answered by customers.

use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use store::Error;
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, OfferAnswer, VersionId};

use super::office::{Case, Office, SENT_MS, Step, lost};
use super::plan::Story;

/// After so many days an offer without an answer is over.
const OVER_DAYS: i64 = 16;

impl Office<'_> {
    pub(super) async fn offer(&mut self, mut case: Case, now: Time) -> store::Result<()> {
        let made = self
            .files
            .version(self.store, self.zone, &case.id, &case.by, now)
            .await?;
        let Some(new) = made else {
            return Ok(());
        };
        let sent = self.store.send_offer(new, case.by.clone(), now).await?;
        self.offers += 1;
        case.version = Some(VersionId {
            number: sent.number,
            version: sent.version,
        });
        let delivered = now.plus_millis(SENT_MS);
        self.at(delivered, Step::Deliver);
        let opened = delivered.plus_millis(self.random.between(8, 1300) * MINUTE_MS);
        match case.story {
            Story::Usual => self.plan_answer_of_customer(case, delivered, opened),
            Story::OfferWaits | Story::Waits => self.at(opened, Step::Open(case)),
            Story::CustomerAsks => {
                self.at(opened, Step::Open(case.clone()));
                let today = self.until.plus_millis(-2 * HOUR_MS);
                self.at(today, Step::Question(case));
            }
            Story::Accepted => {
                self.at(opened, Step::Open(case.clone()));
                let today = self.until.plus_millis(-5 * HOUR_MS);
                self.at(today, Step::Accept(case));
            }
        }
        Ok(())
    }

    fn plan_answer_of_customer(&mut self, case: Case, sent: Time, opened: Time) {
        let is_opened = self.random.chance(86);
        if is_opened {
            self.at(opened, Step::Open(case.clone()));
        }
        let answered = opened.plus_millis(self.random.between(30, 7000) * MINUTE_MS);
        match self.random.between(0, 99) {
            0..48 if is_opened => self.at(answered, Step::Accept(case)),
            48..70 if is_opened => self.at(answered, Step::Decline(case)),
            _ => {
                let over = self.opened(sent.plus_millis(OVER_DAYS * DAY_MS));
                let lost = lost("no_answer");
                self.at(over, Step::Close(case, Some(lost)));
            }
        }
    }

    pub(super) async fn open(&mut self, case: Case, now: Time) -> store::Result<()> {
        let id = case.version.ok_or(Error::Missing)?;
        self.store.open_offer(id, now).await
    }

    pub(super) async fn accept(&mut self, case: Case, now: Time) -> store::Result<()> {
        let id = case.version.clone().ok_or(Error::Missing)?;
        let request = self.store.request(case.id.clone()).await?;
        let new = NewAcceptance {
            id,
            acceptor: Acceptor::Customer {
                name: request.full_name(),
                title: String::new(),
                email: request.email,
                client: "demo".to_owned(),
                user_agent: "demo".to_owned(),
                code: None,
            },
        };
        let accepted = self
            .store
            .accept_offer(new, self.files.seal.clone(), now)
            .await?;
        if !matches!(accepted, AcceptOutcome::Accepted) {
            return Ok(());
        }
        self.at(now.plus_millis(SENT_MS), Step::Deliver);
        if case.story == Story::Usual {
            let at = self.opened_in(now, MINUTE_MS, 15, 600);
            self.at(at, Step::Confirm(case));
        }
        Ok(())
    }

    pub(super) async fn confirm(&mut self, case: Case, now: Time) -> store::Result<()> {
        let id = case.version.clone().ok_or(Error::Missing)?;
        let (reader, by) = (case.by.user_id.clone(), case.by.clone());
        self.store.mark_read(case.id.clone(), reader, now).await?;
        self.store.confirm_offer(id.number, by, now).await?;
        let at = self.opened_in(now, DAY_MS, 1, 4);
        self.at(at, Step::Close(case, None));
        Ok(())
    }

    pub(super) async fn decline(&mut self, case: Case, now: Time) -> store::Result<()> {
        let id = case.version.clone().ok_or(Error::Missing)?;
        let words = self.random.weighted(&self.words.declined, |it| it.share);
        let reason = words.map_err(|_| Error::Failed)?.reason.clone();
        let declined = OfferAnswer::Declined { reason };
        self.store.answer_offer(id, declined, None, now).await?;
        self.at(now.plus_millis(SENT_MS), Step::Deliver);
        let at = self.opened_in(now, DAY_MS, 1, 3);
        self.at(at, Step::Close(case, None));
        Ok(())
    }

    pub(super) async fn question(&mut self, case: Case, now: Time) -> store::Result<()> {
        let id = case.version.ok_or(Error::Missing)?;
        let text = "Can the same officer come every night?".to_owned();
        let question = OfferAnswer::Question { text };
        self.store.answer_offer(id, question, None, now).await?;
        self.at(now.plus_millis(SENT_MS), Step::Deliver);
        Ok(())
    }
}
