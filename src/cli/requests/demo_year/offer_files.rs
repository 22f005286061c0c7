//! Makes the first version of an offer as the desk does, with its files.

use api::offers::making::{OfferMaker, version};
use config::Company;
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use domain::offer::asked::Asked;
use domain::offer::document::SealKey;
use domain::offer::draft::OfferDraft;
use store::offers::rates::PublishedRates;
use store::offers::{NewVersion, SavedOffer};
use store::{Actor, Error, Store};

/// What offers are made with.
pub(super) struct OfferFiles<'a> {
    pub company: &'a Company,
    /// The address of the website.
    pub website: String,
    pub rates: PublishedRates,
    pub seal: SealKey,
}

impl OfferFiles<'_> {
    /// The first version of an offer for a request; `None` if its draft cannot be sent.
    pub(super) async fn version(
        &self,
        store: &Store,
        zone: &TimeZone,
        id: &str,
        by: &Actor,
        now: Time,
    ) -> store::Result<Option<NewVersion>> {
        let request = store.request(id.to_owned()).await?;
        let asked = Asked::of(&store.words_of_request(request.clone()).await?);
        let draft = OfferDraft::of_request(&request, &asked, &self.rates.rates, zone, now);
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
            company: self.company,
            website: &self.website,
            today: zone.local(now).date(),
        };
        let Ok(document) = maker.document(&offer, &request, &self.rates) else {
            return Ok(None);
        };
        let (revision, zone) = (offer.revision, zone.clone());
        let made = tokio::task::spawn_blocking(move || version(&document, revision, 0, &zone, now));
        let made = made.await.map_err(|error| error.to_string());
        made.and_then(|made| made)
            .map(Some)
            .map_err(|_| Error::Failed)
    }
}
