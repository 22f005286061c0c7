//! The history of the rates.

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::rates::json;
use crate::desk::Admin;
use crate::tags::Tag;
use http::request::error_responses::AdminResult;
use store::offers::rate_versions::RateVersion;

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
    /// As in `GET /api/admin/rates`.
    rates: Any<Value>,
}

/// The calls about published versions.
pub struct RateVersionsApi;

#[OpenApi(prefix_path = "/api/admin/rates/versions", tag = "Tag::Offers")]
impl RateVersionsApi {
    /// Who published rates, and when
    #[oai(path = "/", method = "get", operation_id = "listRateVersions")]
    async fn list(&self, desk: Admin) -> AdminResult<RateVersions> {
        let versions = desk.store.rate_versions().await?;
        Ok(Json(RateVersions { versions }))
    }

    /// The rates of a version
    ///
    /// Version 0 is the sample of the program.
    #[oai(path = "/:version", method = "get", operation_id = "getRateVersion")]
    async fn get(&self, desk: Admin, version: Path<i64>) -> AdminResult<VersionRates> {
        let rates = desk.store.rates_of_version(version.0).await?;
        Ok(Json(VersionRates {
            version: version.0,
            rates: json(&rates),
        }))
    }
}
