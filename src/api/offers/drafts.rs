//! Drafts of offers, and their price.

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::{ParseFromJSON, ToJSON};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::Value;

use super::dto::{Offer, OfferPrice};
use super::errors;
use super::errors::unknown;
use super::parts::Offers;
use crate::desk::Desk;
use crate::inbox::errors::unknown_request;
use crate::tags::Tag;
use domain::offer::asked::Asked;
use domain::offer::document::price_rows;
use domain::offer::draft::OfferDraft;
use domain::offer::rate_card::RateCard;
use domain::offer::rates::card_faults;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};
use store::offers::SavedOffer;

/// A draft to save.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewOfferDraft<D: ParseFromJSON + ToJSON> {
    /// The revision that it replaces.
    revision: i64,
    draft: D,
}

/// A draft to price.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftToPrice<D: ParseFromJSON + ToJSON, C: ParseFromJSON + ToJSON> {
    draft: D,
    /// A rate card to price it by, in place of the published one.
    card: Option<C>,
}

/// The calls about drafts.
pub struct DraftsApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Offers")]
impl DraftsApi {
    /// Begin an offer
    ///
    /// Its draft has the service, place, start and duration of the request, and the days, hours and
    /// officers that the customer's words say plainly (`asked`). `unconfirmed_schedules` names a
    /// post whose schedule is only proposed, until a person confirms or changes it. An offer that
    /// was begun and not sent is returned instead.
    #[oai(
        path = "/inbox/:id/offers",
        method = "post",
        operation_id = "beginOffer"
    )]
    async fn begin(
        &self,
        desk: Desk<Offers<'_>>,
        id: Path<String>,
    ) -> Result<Created<Offer>, AdminError> {
        let request = desk.store.request(id.0.clone()).await;
        let request = request.map_err(unknown_request)?;
        let current = desk.store.rates().await?.published;
        let words = desk.store.words_of_request(request.clone()).await?;
        let (asked, rates) = (Asked::of(&words), &current.rates);
        let draft = OfferDraft::of_request(&request, &asked, rates, desk.time_zone, desk.now);
        let begun = desk
            .store
            .begin_offer(id.0, draft, desk.me(), desk.now)
            .await?;
        Ok(Created::of(Offer::new(&desk, begun)))
    }

    /// Save the draft of an offer
    ///
    /// Terms that cannot be priced yet are saved too; sending them is refused. 422 names a field of
    /// a wrong type. 409 if the draft was changed since `revision`, or the offer was accepted.
    #[oai(path = "/offers/:number", method = "put", operation_id = "saveOffer")]
    async fn save(
        &self,
        desk: Desk<Offers<'_>>,
        number: Path<String>,
        body: StrictJson<NewOfferDraft<Value>, NewOfferDraft<OfferDraft>>,
    ) -> AdminResult<Offer> {
        let saved = SavedOffer {
            number: number.0,
            revision: body.0.revision,
            draft: errors::parse(body.0.draft, "terms.")?,
        };
        Offer::answer(&desk, desk.store.save_offer(saved, desk.now).await)
    }

    /// Delete an offer that was never sent
    #[oai(
        path = "/offers/:number",
        method = "delete",
        operation_id = "discardOffer"
    )]
    async fn discard(&self, desk: Desk, number: Path<String>) -> Result<NoContent, AdminError> {
        desk.store.discard_offer(number.0).await.map_err(unknown)?;
        Ok(NoContent::Done)
    }

    /// Price a draft
    ///
    /// By the published rates, by the sample, or by a card that is not published. 422 names each
    /// field that is wrong, as `posts.0.officers`, or of the card as `card.classes.armed.title`.
    #[oai(path = "/offers/price", method = "post", operation_id = "priceOffer")]
    async fn price(
        &self,
        desk: Desk<Offers<'_>>,
        body: StrictJson<DraftToPrice<Value, Value>, DraftToPrice<OfferDraft, RateCard>>,
    ) -> AdminResult<OfferPrice> {
        let DraftToPrice { draft, card } = body.0;
        let draft: OfferDraft = errors::parse(draft, "terms.")?;
        let card: RateCard = match card {
            Some(card) => errors::parse(card, "")?,
            None => desk.store.rates().await?.published.rates.card,
        };
        let wrong = card_faults(&card);
        if !wrong.is_empty() {
            return Err(errors::problem(wrong).into());
        }
        let price = draft.priced(&card, desk.publisher.site().company.today(desk.now));
        let price = price.map_err(errors::problem)?;
        Ok(Json(OfferPrice {
            rows: price_rows(&price, &draft.terms, &card.class_titles()),
            price,
        }))
    }
}
