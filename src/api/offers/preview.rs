//! Previews of a draft in the editor: the customer's page and the PDF.

use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};

use super::errors::unknown;
use super::making;
use crate::desk::Desk;
use crate::tags::Tag;
use http::offer_page::preview::PREFIX;
use http::offer_page::previewed::OfferPreview;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;
use http::request::success_responses::Created;

/// A preview of a draft.
#[derive(Object)]
struct OfferPreviewAddress {
    /// The path of the customer's page, for 15 minutes; the PDF is at `/offer.pdf` below it.
    url: String,
}

/// The call about previews.
pub struct PreviewApi;

#[OpenApi(prefix_path = "/api/admin/offers", tag = "Tag::Offers")]
impl PreviewApi {
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
        desk: Desk,
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
        Ok(Created(OfferPreviewAddress { url }))
    }
}
