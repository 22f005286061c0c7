//! Answers that the office enters on a customer's behalf.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi};
use serde::Deserialize;

use super::dto::Offer;
use super::errors::{request_of, unknown};
use super::parts::Offers;
use super::send::short;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::offer::state::OfferState;
use domain::text::clean;
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use store::offers::{AcceptOutcome, Acceptor, NewAcceptance, OfferAnswer, VersionId};

/// The maximum of a name, in characters.
const MAX_NAME: usize = 100;

/// What the customer has said.
#[derive(Enum, Deserialize, Clone, Copy, PartialEq, Eq)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
enum SpokenAnswer {
    Accepted,
    Declined,
}

/// An answer on the customer's behalf.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerOffer {
    /// The version that it is about.
    version: u32,
    answer: SpokenAnswer,
    /// Who has accepted, if it is not the person of the request.
    name: Option<String>,
    /// How the office learned of it, or why it was declined; at most 500 characters.
    note: String,
}

/// The calls about answers.
pub struct AnswersApi;

#[OpenApi(prefix_path = "/api/admin/offers", tag = "Tag::Offers")]
impl AnswersApi {
    /// Answer an offer on the customer's behalf
    ///
    /// The customer gets the receipt of an acceptance by email. 409 unless the version waits for an
    /// answer.
    #[oai(
        path = "/:number/answer",
        method = "post",
        operation_id = "answerOffer"
    )]
    async fn answer(
        &self,
        desk: Desk<Offers<'_>>,
        number: Path<String>,
        body: StrictJson<AnswerOffer>,
    ) -> AdminResult<Offer> {
        let (number, body, now) = (number.0, body.0, desk.now);
        let note = short(Some(&body.note), "note")?.ok_or_else(|| {
            let detail = match body.answer {
                SpokenAnswer::Accepted => "Say how the customer has accepted.",
                SpokenAnswer::Declined => "Say why the customer has declined.",
            };
            invalid("note", detail)
        })?;
        let id = VersionId {
            number: number.clone(),
            version: body.version,
        };
        let closed = match body.answer {
            SpokenAnswer::Declined => {
                let answer = OfferAnswer::Declined { reason: note };
                let answered = desk.store.answer_offer(id, answer, Some(desk.me()), now);
                answered.await.map_err(unknown)?
            }
            SpokenAnswer::Accepted => {
                let offer = desk.store.offer(number.clone()).await.map_err(unknown)?;
                let new = NewAcceptance {
                    id,
                    acceptor: Acceptor::Office {
                        by: desk.actor(),
                        name: name(body.name.as_deref(), &offer)?,
                        note,
                    },
                };
                let accepted = desk.store.accept_offer(new, desk.seal_key.clone(), now);
                match accepted.await.map_err(unknown)? {
                    AcceptOutcome::Closed(version) => Some(version),
                    _ => None,
                }
            }
        };
        if let Some(version) = closed {
            let state = match version.state_at(now) {
                OfferState::Superseded => "superseded by a newer one",
                other => other.as_str(),
            };
            let detail = format!("Version {} was {state} already.", version.version);
            return Err(Problem::conflict(detail).into());
        }
        Offer::answer(&desk, desk.store.offer(number).await)
    }

    /// Confirm an acceptance
    ///
    /// The posts are staffed: the request no longer needs attention because its customer has
    /// accepted. Does nothing if somebody has confirmed it. 409 if the offer was not accepted.
    #[oai(
        path = "/:number/confirm",
        method = "post",
        operation_id = "confirmOffer"
    )]
    async fn confirm(&self, desk: Desk<Offers<'_>>, number: Path<String>) -> AdminResult<Offer> {
        let offer = desk
            .store
            .confirm_offer(number.0, desk.actor(), desk.now)
            .await;
        Offer::answer(&desk, offer)
    }
}

/// The name of who has accepted: the one that was typed, else that of the request.
fn name(typed: Option<&str>, offer: &store::offers::Offer) -> Result<String, Problem> {
    let typed = clean(typed.unwrap_or_default(), false);
    if typed.chars().count() > MAX_NAME {
        return Err(invalid("name", format!("At most {MAX_NAME} characters.")));
    }
    if typed.is_empty() {
        let request = request_of(offer)?;
        return Ok(request.full_name());
    }
    Ok(typed)
}
