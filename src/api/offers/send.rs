//! Sends versions of offers, and withdraws them. Previews a draft in the editor: the customer's page
//! and the PDF.

use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::dto::Offer;
use super::errors::unknown;
use super::parts::Offers;
use super::{errors, making};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::email::email_address::is_mailable;
use domain::offer::lines::dollars;
use domain::offer::samples::sample_texts;
use http::offer_page::preview::PREFIX;
use http::offer_page::previewed::OfferPreview;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::make_file::make_file;
use http::request::problem::{Problem, cleaned};
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;

/// The maximum of a reason or a note, in characters.
pub(super) const MAX_REASON: usize = 500;

/// A draft to send.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct SendOffer {
    /// The revision of the draft.
    revision: i64,
    /// The version before it, 0 if it is the first: a second click sends nothing twice.
    after: u32,
    /// The total that its sender has seen, in cents; another one is refused.
    total_cents: Option<i64>,
}

/// Why an offer is withdrawn.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct WithdrawOffer {
    /// At most 500 characters, for the office only.
    reason: Option<String>,
}

/// A preview of a draft.
#[derive(Object)]
struct OfferPreviewAddress {
    /// The path of the customer's page, for 15 minutes; the PDF is at `/offer.pdf` below it.
    url: String,
}

/// The calls about sending.
pub struct SendApi;

#[OpenApi(prefix_path = "/api/admin/offers", tag = "Tag::Offers")]
impl SendApi {
    /// Send an offer
    ///
    /// The version that waits for an answer is superseded. 422 names each field that is wrong, is
    /// marked as a sample (`sample_text`; of the published rates, `rates.` comes before it) or is a
    /// schedule that nobody has confirmed (`schedule_unconfirmed`). 409 if the draft was changed
    /// since `revision`, another version was sent, the offer was accepted, the customer has no
    /// email address, no rates are published (`sample_rates`), or its total is not `total_cents`
    /// (`price_changed`). The email leaves in ten seconds: `undoChange` with the version's `event`
    /// takes it back until then.
    #[oai(path = "/:number/send", method = "post", operation_id = "sendOffer")]
    async fn send(
        &self,
        desk: Desk<Offers<'_>>,
        number: Path<String>,
        body: StrictJson<SendOffer>,
    ) -> Result<Created<Offer>, AdminError> {
        let offer = desk.store.offer(number.0).await.map_err(unknown)?;
        let current = desk.store.rates().await?.published;
        let document = making::document(&desk, &offer, &current)?;
        if current.version == 0 {
            let detail =
                "These are the prices of a sample. An admin publishes your own rates first.";
            let problem = Problem::conflict(detail);
            return Err(problem.with_code("sample_rates").into());
        }
        let samples = sample_texts(&document);
        if !samples.is_empty() {
            return Err(errors::problem(samples).with_code("sample_text").into());
        }
        if !is_mailable(&document.customer.email) {
            let detail = "The customer gave no email address that we can write to. Call them \
                          instead.";
            return Err(Problem::conflict(detail).into());
        }
        let proposed = offer.draft.unconfirmed();
        if !proposed.is_empty() {
            let problem = errors::problem(proposed).with_code("schedule_unconfirmed");
            return Err(problem.into());
        }
        let (now, zone) = (desk.now, desk.time_zone.clone());
        let (revision, after) = (body.0.revision, body.0.after);
        let total = document.price.total;
        if body.0.total_cents.is_some_and(|seen| seen != total) {
            let detail = format!("The price is {} now. Look at it again.", dollars(total));
            let problem = Problem::conflict(detail);
            return Err(problem.with_code("price_changed").into());
        }
        let make = move || making::version(&document, revision, after, &zone, now);
        let new = make_file("The files of the offer", make).await?;
        let sent = desk
            .store
            .send_offer(new, desk.actor(), now)
            .await
            .map_err(unknown)?;
        Ok(Created::of(Offer::new(&desk, sent)))
    }

    /// Withdraw an offer
    ///
    /// The customer's page says so. 409 unless it waits for an answer.
    #[oai(
        path = "/:number/withdraw",
        method = "post",
        operation_id = "withdrawOffer"
    )]
    async fn withdraw(
        &self,
        desk: Desk<Offers<'_>>,
        number: Path<String>,
        body: StrictJson<WithdrawOffer>,
    ) -> AdminResult<Offer> {
        let reason = short(body.0.reason.as_deref(), "reason")?;
        let withdrawn = desk
            .store
            .withdraw_offer(number.0, reason, desk.actor(), desk.now)
            .await;
        Offer::answer(&desk, withdrawn)
    }

    /// Make a preview of an offer
    ///
    /// The customer's page and the PDF of the draft under an address with a random token, as long
    /// as the session lasts. Nothing is stored or answered there. 422 names each field that is
    /// wrong.
    #[oai(
        path = "/:number/preview",
        method = "post",
        operation_id = "makeOfferPreview"
    )]
    async fn make(
        &self,
        desk: Desk<Offers<'_>>,
        number: Path<String>,
    ) -> Result<Created<OfferPreviewAddress>, AdminError> {
        let offer = desk.store.offer(number.0).await.map_err(unknown)?;
        let current = desk.store.rates().await?.published;
        let document = making::document(&desk, &offer, &current)?;
        let last_day = document.valid_until.to_string();
        let expires_at = desk.time_zone.end_of_day(&last_day).unwrap_or(desk.now);
        let number = offer.number.clone();
        let preview = OfferPreview::new(offer, document, expires_at, desk.now);
        let preview = preview.map_err(|error| {
            tracing::error!(error, "the preview of an offer cannot be made");
            let detail = "The preview cannot be made. The log says why.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
        })?;
        let token = desk
            .offer_previews
            .add(&number, preview.into(), &desk.caller, desk.now);
        let url = format!("{PREFIX}{token}");
        Ok(Created::of(OfferPreviewAddress { url }))
    }
}

/// The cleaned text of a reason or a note; `None` if it is empty. Errors: 422 if it is too long.
pub(super) fn short(text: Option<&str>, field: &str) -> Result<Option<String>, Problem> {
    cleaned(field, text.unwrap_or_default(), MAX_REASON)
}
