//! The offers of the year: made of their requests as the desk does, sent, and answered by customers.

use anyhow::{Result, anyhow};
use api::offers::making::{OfferMaker, version};
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::offer::asked::Asked;
use domain::offer::draft::OfferDraft;
use domain::request::quote::Status;
use store::Actor;
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, NewVersion, OfferAnswer};
use store::offers::{SavedOffer, VersionId};

use super::office::{Office, lost};
use super::plan::Story;

/// What a customer does with an offer.
enum Act {
    Accept,
    Decline,
    Ask,
    Nothing,
}

impl Office<'_> {
    pub(super) async fn offer(
        &mut self,
        id: String,
        story: Story,
        by: Actor,
        answered: Time,
    ) -> Result<()> {
        let now = self.later(answered, MINUTE_MS, 30, 1500);
        if now > self.until {
            return Ok(());
        }
        let Some(new) = self.version(&id, &by, now).await? else {
            return Ok(());
        };
        let sent = self.store.send_offer(new, by.clone(), now).await?;
        self.offers += 1;
        let version = VersionId {
            number: sent.number,
            version: sent.version,
        };
        self.deliver(now).await?;
        let opened = now.plus_millis(self.random.between(8, 1300) * MINUTE_MS);
        let is_opened = story != Story::Usual || self.random.chance(86);
        if is_opened && opened < self.until {
            self.store.open_offer(version.clone(), opened).await?;
        }
        let later = opened.plus_millis(self.random.between(30, 7000) * MINUTE_MS);
        let (act, at) = match (story, self.random.between(0, 99)) {
            (Story::CustomerAsks, _) => (Act::Ask, self.until.plus_millis(-2 * HOUR_MS)),
            (Story::Accepted, _) => (Act::Accept, self.until.plus_millis(-5 * HOUR_MS)),
            (Story::OfferWaits | Story::Waits, _) => return Ok(()),
            (Story::Usual, 0..48) if is_opened => (Act::Accept, later),
            (Story::Usual, 48..70) if is_opened => (Act::Decline, later),
            (Story::Usual, _) => (Act::Nothing, self.later(now, DAY_MS, 16, 16)),
        };
        if at > self.until {
            return Ok(());
        }
        match act {
            Act::Accept => {
                if !self.accept(&id, version.clone(), at).await? || story != Story::Usual {
                    return Ok(());
                }
                let confirmed = self.later(at, MINUTE_MS, 15, 600);
                if confirmed > self.until {
                    return Ok(());
                }
                let (store, reader) = (self.store, by.user_id.clone());
                store.mark_read(id.clone(), reader, confirmed).await?;
                let number = version.number;
                store.confirm_offer(number, by.clone(), confirmed).await?;
            }
            Act::Decline => {
                let reason = self.random.of(&self.customers.words.declined)?.clone();
                let declined = OfferAnswer::Declined { reason };
                self.store.answer_offer(version, declined, None, at).await?;
                self.deliver(at).await?;
            }
            Act::Ask => {
                let text = "Can the same officer come every night?".to_owned();
                let question = OfferAnswer::Question { text };
                self.store.answer_offer(version, question, None, at).await?;
                return self.deliver(at).await;
            }
            Act::Nothing => {
                let lost = lost("no_answer");
                return self.close(id, Status::Completed, Some(lost), by, at).await;
            }
        }
        let closed = self.later(at, DAY_MS, 2, 4);
        self.close(id, Status::Completed, None, by, closed).await
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
        let accepted = self.store.accept_offer(new, self.seal.clone(), now).await?;
        self.deliver(now).await?;
        Ok(matches!(accepted, AcceptOutcome::Accepted))
    }

    /// The first version of an offer for a request; `None` if its draft cannot be sent.
    async fn version(&self, id: &str, by: &Actor, now: Time) -> Result<Option<NewVersion>> {
        let (store, zone) = (self.store, self.zone.clone());
        let request = store.request(id.to_owned()).await?;
        let asked = Asked::of(&store.words_of_request(request.clone()).await?);
        let draft = OfferDraft::of_request(&request, &asked, &self.rates.rates, &zone, now);
        let begun = store.begin_offer(id.to_owned(), draft, by.user_id.clone(), now);
        let begun = begun.await?;
        let confirmed = SavedOffer {
            number: begun.number,
            revision: begun.revision,
            draft: OfferDraft {
                unconfirmed_schedules: Vec::new(),
                ..begun.draft
            },
        };
        let offer = store.save_offer(confirmed, now).await?;
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
        let made = made
            .await?
            .map_err(|error| anyhow!("an offer's files: {error}"))?;
        Ok(Some(made))
    }
}
