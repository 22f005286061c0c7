//! Wire types of the calls about offers.

use poem_openapi::Object;
use poem_openapi::payload::Json;

use super::errors::unknown;
use super::parts::Offers;
use crate::desk::Desk;
use domain::clock::Time;
use domain::offer::asked::{Asked, AskedWords};
use domain::offer::document::PriceRow;
use domain::offer::draft::OfferDraft;
use domain::offer::price::Price;
use domain::offer::state::OfferState;
use http::request::error_responses::AdminResult;
use store::offers::SentVersion;

/// An offer.
#[derive(Object)]
pub struct Offer {
    /// As `GP-2K7Q-1`.
    number: String,
    /// Null if the request was deleted: an accepted offer is kept.
    request: Option<OfferRequest>,
    state: OfferState,
    /// The last version that was sent; 0 if none.
    version: u32,
    /// Whether the customer has accepted it, and nobody has confirmed that.
    is_unconfirmed: bool,
    /// Grows with each change of the draft.
    revision: i64,
    /// What the next version would say.
    draft: OfferDraft,
    /// What the draft took from the customer's words when it was begun.
    asked: Vec<AskedWords>,
    /// The path of the customer's page of the last version; null if none was sent.
    link: Option<String>,
    /// The versions that were sent, the newest first.
    versions: Vec<SentVersion>,
    /// RFC 3339 UTC with milliseconds.
    created_at: Time,
    updated_at: Time,
}

/// The request of an offer.
#[derive(Object)]
struct OfferRequest {
    id: String,
    reference: String,
    /// The customer's name.
    name: String,
    company: Option<String>,
    /// The service's value, as in `fire-watch`.
    service: String,
    location: Option<String>,
    /// Empty if the customer gave none: an offer cannot be sent then.
    email: String,
}

impl Offer {
    /// The answer to a call about one offer.
    pub fn answer(
        desk: &Desk<Offers<'_>>,
        offer: store::Result<store::offers::Offer>,
    ) -> AdminResult<Self> {
        Ok(Json(Self::new(desk, offer.map_err(unknown)?)))
    }

    pub fn new(desk: &Desk<Offers<'_>>, offer: store::offers::Offer) -> Self {
        let (version, number, now) = (offer.version, &offer.number, desk.now);
        let state = offer.state(now);
        Self {
            link: (version > 0).then(|| desk.offer_keys.path(number, version)),
            state,
            version,
            is_unconfirmed: offer.is_unconfirmed,
            revision: offer.revision,
            draft: offer.draft,
            asked: Asked::of(&offer.words).taken,
            created_at: offer.created_at,
            updated_at: offer.updated_at,
            number: offer.number,
            request: offer.request.map(|request| OfferRequest {
                name: request.full_name(),
                id: request.id,
                reference: request.reference,
                company: request.company,
                service: request.service,
                location: request.location,
                email: request.email,
            }),
            versions: offer
                .sent
                .into_iter()
                .map(|sent| SentVersion {
                    state: sent.state_at(now),
                    ..sent
                })
                .collect(),
        }
    }
}

/// The price of a draft.
#[derive(Object)]
pub struct OfferPrice {
    pub price: Price,
    /// As the customer reads it.
    pub rows: Vec<PriceRow>,
}
