//! Lists of offers, one offer, and the files of its versions.

use std::collections::HashMap;

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Binary, Json};
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::dto::Offer;
use super::errors::unknown;
use super::filter::query;
use super::parts::Offers;
use crate::desk::Desk;
use crate::filter_params::FilterParams;
use crate::inbox::errors::unknown_request;
use crate::tags::Tag;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use store::offers::OfferTotals;

/// Offers of a page of the list.
const PAGE: u32 = 50;

/// A page of the list.
#[derive(Object)]
struct OfferPage {
    /// The last changed first.
    offers: Vec<Offer>,
    /// The number of offers in each view that pass the other filters.
    counts: HashMap<String, u32>,
    /// Of all offers of this list, with those of further pages.
    totals: OfferTotals,
    /// Whether there are more: ask again with `skip`.
    has_more: bool,
}

/// The offers of a request.
#[derive(Object)]
struct RequestOffers {
    /// The newest first.
    offers: Vec<Offer>,
}

#[derive(ApiResponse)]
enum FileResponse {
    /// The bytes as sent.
    #[oai(status = 200)]
    Ok(
        Binary<Vec<u8>>,
        #[oai(header = "content-type")] String,
        #[oai(header = "content-disposition")] String,
    ),
}

/// The calls that read offers.
pub struct OffersApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Offers")]
impl OffersApi {
    /// List offers
    #[oai(path = "/offers", method = "get", operation_id = "listOffers")]
    async fn list(
        &self,
        desk: Desk<Offers<'_>>,
        filters: FilterParams,
        /// The number of offers to leave out from the start.
        skip: Query<Option<u32>>,
    ) -> AdminResult<OfferPage> {
        let skip = skip.0.unwrap_or_default();
        let query = query(&filters, skip, desk.time_zone, &desk.caller.user.id)?;
        let list = desk.store.offers(query, PAGE, desk.now).await?;
        let offers = list.offers.into_iter();
        let counts = list.counts.into_iter();
        Ok(Json(OfferPage {
            offers: offers.map(|offer| Offer::new(&desk, offer)).collect(),
            counts: counts
                .map(|(view, count)| (view.as_str().to_owned(), count))
                .collect(),
            totals: list.totals,
            has_more: list.has_more,
        }))
    }

    /// The offers of a request
    #[oai(
        path = "/inbox/:id/offers",
        method = "get",
        operation_id = "listRequestOffers"
    )]
    async fn of_request(
        &self,
        desk: Desk<Offers<'_>>,
        id: Path<String>,
    ) -> AdminResult<RequestOffers> {
        let offers = desk.store.offers_of_request(id.0).await;
        let offers = offers.map_err(unknown_request)?.into_iter();
        Ok(Json(RequestOffers {
            offers: offers.map(|offer| Offer::new(&desk, offer)).collect(),
        }))
    }

    /// One offer
    #[oai(path = "/offers/:number", method = "get", operation_id = "getOffer")]
    async fn get(&self, desk: Desk<Offers<'_>>, number: Path<String>) -> AdminResult<Offer> {
        Offer::answer(&desk, desk.store.offer(number.0).await)
    }

    /// A file of a version
    ///
    /// `part` is `json`, `text`, `pdf` or `receipt`.
    #[oai(
        path = "/offers/:number/versions/:version/:part",
        method = "get",
        operation_id = "getOfferFile"
    )]
    async fn file(
        &self,
        desk: Desk,
        number: Path<String>,
        version: Path<u32>,
        part: Path<String>,
    ) -> Result<FileResponse, AdminError> {
        let stored = desk.store.offer_version(number.0, version.0).await;
        let stored = stored.map_err(unknown)?;
        let name = format!("offer-{}-{}", stored.number, stored.version);
        let receipt = stored.acceptance.map(|acceptance| acceptance.receipt);
        let found = match part.as_str() {
            "json" => Some((stored.json, "application/json", format!("{name}.json"))),
            "text" => Some((
                stored.text,
                "text/plain; charset=utf-8",
                format!("{name}.txt"),
            )),
            "pdf" => Some((stored.pdf, "application/pdf", format!("{name}.pdf"))),
            "receipt" => receipt.map(|pdf| (pdf, "application/pdf", format!("{name}-receipt.pdf"))),
            _ => None,
        };
        let missing = || Problem::missing("This version has no such file.");
        let (bytes, media_type, name) = found.ok_or_else(missing)?;
        let disposition = format!("inline; filename=\"{name}\"");
        Ok(FileResponse::Ok(
            Binary(bytes),
            media_type.to_owned(),
            disposition,
        ))
    }
}
