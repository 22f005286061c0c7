//! Customers ask: by a form, by phone, or as programs that send spam.

use super::office::{Case, Office, SENT_MS, Step};
use super::plan::{Form, Planned, Story};
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::request::quote::NewQuote;
use domain::spam::{Assessment, Visit, assess};
use store::{Actor, PhoneRequest, Submission, Submitted};

impl Office<'_> {
    pub(super) async fn ask(&mut self, planned: Planned, now: Time) -> store::Result<()> {
        let Planned { form, story, .. } = planned;
        let by = self.colleague()?;
        let is_emergency = matches!(&form, Form::Quote(quote) if quote.emergency_contact);
        let is_quote = matches!(form, Form::Quote(_) | Form::Phone(_));
        let by_call = is_emergency || matches!(form, Form::Phone(_)) || self.random.chance(35);
        let is_spam = matches!(form, Form::Spam(_));
        let mut again = None;
        let id = match form {
            Form::Quote(quote) => {
                again = Some(quote.clone()).filter(|_| !is_emergency && self.random.chance(3));
                self.submit(quote, now).await?
            }
            Form::Phone(quote) => self.take_call(quote, by.clone(), now).await?,
            Form::Message(message) => {
                let spam = Assessment::default();
                let stored = self
                    .store
                    .submit_contact(message, self.submission(spam), now);
                id_of(stored.await?)?
            }
            Form::Spam(message) => {
                let visit = Visit {
                    trap_filled: self.random.chance(80),
                    fill_millis: Some(900),
                    ..Visit::default()
                };
                let spam = assess(&message.texts(), visit);
                let stored = self
                    .store
                    .submit_contact(message, self.submission(spam), now);
                id_of(stored.await?)?
            }
        };
        self.at(now.plus_millis(SENT_MS), Step::Deliver);
        let case = Case {
            id,
            story,
            is_quote,
            by_call,
            by,
            version: None,
        };
        if is_spam {
            let at = self.opened(now.plus_millis(HOUR_MS));
            self.at(at, Step::MarkSpam(case));
            return Ok(());
        }
        if let Some(quote) = again {
            let at = now.plus_millis(self.random.between(4, 9) * MINUTE_MS);
            self.at(at, Step::Repeat(Box::new(quote), case.clone()));
        }
        match (story, is_emergency) {
            (Story::Waits, _) => {}
            (_, true) => {
                let in_time = self.random.chance(88);
                let (from, to) = if in_time { (3, 26) } else { (38, 170) };
                let at = now.plus_millis(self.random.between(from, to) * MINUTE_MS);
                self.at(at, Step::Answer(case));
            }
            _ => self.plan_answer(case, now),
        }
        Ok(())
    }

    fn plan_answer(&mut self, case: Case, now: Time) {
        let drawn = self.random.between(0, 99);
        if case.story == Story::Usual && drawn < 3 {
            let at = self.opened(now.plus_millis(6 * DAY_MS));
            return self.at(at, Step::Reject(case));
        }
        let minutes = match drawn {
            3..10 if case.story == Story::Usual => self.random.between(25 * 60, 60 * 60),
            _ => self.random.between(12, 420),
        };
        let at = self.opened(now.plus_millis(minutes * MINUTE_MS));
        self.at(at, Step::Answer(case));
    }

    async fn submit(&mut self, quote: NewQuote, now: Time) -> store::Result<String> {
        let submission = self.submission(Assessment::default());
        id_of(self.store.submit_quote(quote, submission, now).await?)
    }

    pub(super) async fn repeat(
        &mut self,
        quote: NewQuote,
        case: Case,
        now: Time,
    ) -> store::Result<()> {
        let id = self.submit(quote, now).await?;
        self.at(now.plus_millis(SENT_MS), Step::Deliver);
        let merged = self
            .store
            .merge_requests(case.id, id, None, case.by, now)
            .await;
        merged.map(drop)
    }

    async fn take_call(&mut self, quote: NewQuote, by: Actor, now: Time) -> store::Result<String> {
        let key = format!("demo-{}", self.random.between(0, i64::from(i32::MAX)));
        let request = PhoneRequest {
            quote,
            acknowledge: false,
            promise: None,
            alarm: false,
            fingerprint: key.clone(),
            key,
        };
        let taken = self.store.take_phone_request(request, by, now).await?;
        Ok(taken.request.id)
    }

    fn submission(&mut self, spam: Assessment) -> Submission {
        let client = format!("demo-{}", self.random.between(0, i64::from(i32::MAX)));
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
}

/// The id of what was stored.
fn id_of(submitted: Submitted) -> store::Result<String> {
    match submitted {
        Submitted::Stored(receipt) | Submitted::Duplicate(receipt) => Ok(receipt.id),
        Submitted::TooMany { .. } | Submitted::KeyReused => Err(store::Error::Failed),
    }
}
