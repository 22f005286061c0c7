//! Wire types of the calls about offers.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::Value;

use super::rates::json;
use crate::AppState;
use domain::clock::Time;
use domain::offer::asked::Asked;

/// An offer.
#[derive(Object)]
pub struct Offer {
    /// As `GP-2K7Q-1`.
    number: String,
    /// Null if the request was deleted: an accepted offer is kept.
    request: Option<OfferRequest>,
    /// `draft`, `sent`, `accepted`, `declined`, `expired` or `withdrawn`.
    state: String,
    /// The last version that was sent; 0 if none.
    version: u32,
    /// Whether the customer has accepted it, and nobody has confirmed that.
    is_unconfirmed: bool,
    /// Grows with each change of the draft.
    revision: i64,
    /// `{terms, message, valid_until, unconfirmed_schedules}`: what the next version would say, and
    /// the posts, from 0, whose schedule is only proposed. `seeds/offers/cases.json` has terms.
    draft: Any<Value>,
    /// What the draft took from the customer's words when it was begun.
    asked: Vec<AskedWords>,
    /// The path of the customer's page of the last version; null if none was sent.
    link: Option<String>,
    /// The versions that were sent, the newest first.
    versions: Vec<OfferVersion>,
    /// RFC 3339 UTC with milliseconds.
    created_at: String,
    updated_at: String,
}

/// Words of the customer, and what is taken from them.
#[derive(Object)]
struct AskedWords {
    /// `schedule`, `officers` or `armed`.
    what: String,
    words: String,
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

/// A version that was sent.
#[derive(Object)]
struct OfferVersion {
    version: u32,
    /// `sent`, `accepted`, `declined`, `expired`, `superseded` or `withdrawn`.
    state: String,
    /// The address that it was sent to.
    recipient: String,
    /// For a week if `is_weekly`, else for the term.
    total_cents: i64,
    /// Whether the service is ongoing.
    is_weekly: bool,
    /// The last day on which it can be accepted, `YYYY-MM-DD`.
    valid_until: String,
    sent_at: String,
    /// The event of the sending, which can be undone for ten seconds.
    event: i64,
    /// When a person has first pressed something on its page.
    opened_at: Option<String>,
    answered_at: Option<String>,
    /// The name of the customer, or of the person of the office who entered the answer.
    answered_by: Option<String>,
    /// Why it was declined or withdrawn, or the note of the office.
    reason: Option<String>,
}

impl Offer {
    pub fn new(app: &AppState, offer: store::offers::Offer, now: Time) -> Self {
        let (version, number) = (offer.version, &offer.number);
        let state = offer.state(now).as_str().to_owned();
        let taken = Asked::of(&offer.words).taken.into_iter();
        let asked = taken.map(|it| AskedWords {
            what: it.what.to_owned(),
            words: it.words,
        });
        Self {
            link: (version > 0).then(|| app.offer_keys.path(number, version)),
            state,
            version,
            is_unconfirmed: offer.is_unconfirmed,
            revision: offer.revision,
            draft: json(&offer.draft),
            asked: asked.collect(),
            created_at: offer.created_at.to_string(),
            updated_at: offer.updated_at.to_string(),
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
                .map(|sent| OfferVersion {
                    version: sent.version,
                    state: sent.state_at(now).as_str().to_owned(),
                    recipient: sent.recipient,
                    total_cents: sent.total_cents,
                    is_weekly: sent.is_weekly,
                    valid_until: sent.valid_until,
                    sent_at: sent.sent_at.to_string(),
                    event: sent.event,
                    opened_at: sent.opened_at.map(|at| at.to_string()),
                    answered_at: sent.answered_at.map(|at| at.to_string()),
                    answered_by: sent.answered_by,
                    reason: sent.reason,
                })
                .collect(),
        }
    }
}

/// The price of a draft, in cents.
#[derive(Object)]
pub struct OfferPrice {
    /// `{lines, subtotal, discount, taxes, total, month}`; for a week if the service is ongoing.
    pub price: Any<Value>,
}
