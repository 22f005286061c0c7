//! The offer of a request, and what the customer does with it.

use anyhow::{Result, anyhow};

use super::words::Story;
use super::year::{Year, lost};
use api::offers::making::{OfferMaker, version};
use domain::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::offer::asked::Asked;
use domain::offer::draft::OfferDraft;
use store::accounts::actor::Actor;
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, NewVersion, OfferAnswer};
use store::offers::{SavedOffer, VersionId};

impl Year<'_> {
    /// Makes an offer, sends it, and does what the customer does with it.
    pub(super) async fn offer(
        &mut self,
        id: String,
        story: Story,
        by: Actor,
        answered: Time,
    ) -> Result<()> {
        let (store, now) = (self.store, self.later(answered, MINUTE_MS, 30, 1500));
        if now > self.until {
            return Ok(());
        }
        let Some(new) = self.version(&id, &by, now).await? else {
            return Ok(());
        };
        let sent = store.send_offer(new, by.clone(), now).await?;
        self.offers += 1;
        let (number, version) = (sent.number, sent.version);
        let version = VersionId { number, version };
        self.deliver(now).await?;
        let opened = now.plus_millis(self.random.between(8, 1300) * MINUTE_MS);
        let is_opened = story != Story::Usual || self.random.chance(86);
        if is_opened && opened < self.until {
            store.open_offer(version.clone(), opened).await?;
        }
        let later = opened.plus_millis(self.random.between(30, 7000) * MINUTE_MS);
        let drawn = self.random.between(0, 99);
        let at = match story {
            Story::CustomerAsks => self.until.plus_millis(-2 * HOUR_MS),
            Story::Accepted => self.until.plus_millis(-5 * HOUR_MS),
            Story::OfferWaits | Story::Waits => return Ok(()),
            Story::Usual if is_opened && drawn < 70 => later,
            Story::Usual => self.later(now, DAY_MS, 16, 16),
        };
        if at > self.until {
            return Ok(());
        }
        let mut outcome = None;
        match drawn {
            _ if story == Story::CustomerAsks => {
                let text = "Can the same officer come every night?".to_owned();
                let question = OfferAnswer::Question { text };
                store.answer_offer(version, question, None, at).await?;
                return self.deliver(at).await;
            }
            _ if story == Story::Accepted || is_opened && drawn < 48 => {
                let is_accepted = self.accept(&id, version.clone(), at).await?;
                let confirmed = self.later(at, MINUTE_MS, 15, 600);
                if !is_accepted || story == Story::Accepted || confirmed > self.until {
                    return Ok(());
                }
                let reader = by.user_id.clone();
                store.mark_read(id.clone(), reader, confirmed).await?;
                let confirmation = store.confirm_offer(version.number, by.clone(), confirmed);
                confirmation.await?;
            }
            48..70 if is_opened => {
                let reason = self.random.of(&self.words.declined)?.clone();
                let declined = OfferAnswer::Declined { reason };
                store.answer_offer(version, declined, None, at).await?;
                self.deliver(at).await?;
            }
            _ => outcome = Some(lost(Some("no_answer".to_owned()))),
        }
        let closed = self.later(at, DAY_MS, 2, 4);
        self.close(id, outcome, by, closed).await
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
        let mut draft = begun.draft;
        draft.unconfirmed_schedules.clear();
        let confirmed = SavedOffer {
            number: begun.number,
            revision: begun.revision,
            draft,
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
        let made = made.await?;
        made.map(Some)
            .map_err(|error| anyhow!("an offer's files: {error}"))
    }
}
