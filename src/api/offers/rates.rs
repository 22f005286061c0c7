//! The rates that offers are made with, and their history.

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::{ParseFromJSON, ToJSON};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::Value;

use super::errors;
use crate::desk::{Admin, Desk, RecentAdmin};
use crate::tags::Tag;
use domain::clock::Time;
use domain::offer::rates::Rates;
use http::request::error_responses::AdminResult;
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use store::Store;
use store::offers::rate_versions::RateVersion;

/// The rates in force, and the draft of the next version.
#[derive(Object)]
struct RatesInForce {
    /// 0 for the sample of the program.
    version: i64,
    /// Whether nothing was published yet: these are a sample's prices, and no offer can be sent.
    is_sample: bool,
    rates: Rates,
    /// RFC 3339 UTC with milliseconds; null for the sample.
    published_at: Option<Time>,
    draft: Option<RatesDraft>,
}

/// The draft of the next version.
#[derive(Object)]
struct RatesDraft {
    /// Grows with each change.
    revision: i64,
    rates: Rates,
    saved_at: Time,
}

/// A draft to save.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewRates<R: ParseFromJSON + ToJSON> {
    /// The revision of the draft that it replaces; 0 if there is none.
    revision: i64,
    rates: R,
}

/// A draft to publish.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishRates {
    revision: i64,
}

/// The history of the rates.
#[derive(Object)]
struct RateVersions {
    /// Newest first.
    versions: Vec<RateVersion>,
}

/// The rates of a version.
#[derive(Object)]
struct VersionRates {
    version: i64,
    rates: Rates,
}

/// The calls about rates.
pub struct RatesApi;

#[OpenApi(prefix_path = "/api/admin/rates", tag = "Tag::Offers")]
impl RatesApi {
    /// The rates and their draft
    #[oai(path = "/", method = "get", operation_id = "getRates")]
    async fn get(&self, desk: Desk) -> AdminResult<RatesInForce> {
        respond(&desk.store).await
    }

    /// Save the draft of the rates
    ///
    /// 422 names each field that breaks a rule, as `card.classes.armed.rate_cents`. 409 if the
    /// draft was changed since `revision`.
    #[oai(path = "/draft", method = "put", operation_id = "saveRates")]
    async fn save(
        &self,
        desk: Admin,
        body: StrictJson<NewRates<Value>, NewRates<Rates>>,
    ) -> AdminResult<RatesInForce> {
        let NewRates { revision, rates } = body.0;
        let rates: Rates = errors::parse(rates, "")?;
        let wrong = rates.faults();
        if !wrong.is_empty() {
            return Err(errors::problem(wrong).into());
        }
        let (by, now) = (desk.me(), desk.now);
        desk.store.save_rates(revision, rates, by, now).await?;
        respond(&desk.store).await
    }

    /// Discard the draft of the rates
    #[oai(path = "/draft", method = "delete", operation_id = "discardRates")]
    async fn discard(&self, desk: Admin, revision: Query<i64>) -> AdminResult<RatesInForce> {
        desk.store.discard_rates(revision.0).await?;
        respond(&desk.store).await
    }

    /// Publish the draft of the rates
    ///
    /// Offers that were sent keep the rates that they were made with.
    #[oai(path = "/publish", method = "post", operation_id = "publishRates")]
    async fn publish(
        &self,
        desk: RecentAdmin,
        body: StrictJson<PublishRates>,
    ) -> AdminResult<RatesInForce> {
        let published = desk
            .store
            .publish_rates(body.0.revision, desk.actor(), desk.now);
        published.await.map_err(|error| match error {
            store::Error::Missing => {
                Problem::conflict("There is no draft of the rates. Save one first.")
            }
            other => other.into(),
        })?;
        respond(&desk.store).await
    }

    /// Who published rates, and when
    #[oai(path = "/versions", method = "get", operation_id = "listRateVersions")]
    async fn versions(&self, desk: Admin) -> AdminResult<RateVersions> {
        let versions = desk.store.rate_versions().await?;
        Ok(Json(RateVersions { versions }))
    }

    /// The rates of a version
    ///
    /// Version 0 is the sample of the program.
    #[oai(
        path = "/versions/:version",
        method = "get",
        operation_id = "getRateVersion"
    )]
    async fn version(&self, desk: Admin, version: Path<i64>) -> AdminResult<VersionRates> {
        let rates = desk.store.rates_of_version(version.0).await?;
        Ok(Json(VersionRates {
            version: version.0,
            rates,
        }))
    }
}

async fn respond(store: &Store) -> AdminResult<RatesInForce> {
    let rates = store.rates().await?;
    let (current, draft) = (rates.published, rates.draft);
    Ok(Json(RatesInForce {
        version: current.version,
        is_sample: current.version == 0,
        rates: current.rates,
        published_at: current.published_at,
        draft: draft.map(|draft| RatesDraft {
            revision: draft.revision,
            rates: draft.rates,
            saved_at: draft.saved_at,
        }),
    }))
}
