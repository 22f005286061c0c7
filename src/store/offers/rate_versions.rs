//! The history of the rates.

use poem_openapi::Object;

use super::rates::sample;
use crate::database::row::{self, read_row};
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::offer::rates::Rates;

/// A published version of the rates.
#[derive(Clone, Debug, Object)]
pub struct RateVersion {
    pub version: i64,
    /// RFC 3339 UTC with milliseconds.
    pub published_at: Time,
    /// The address of the admin who published it; null if the account was deleted.
    pub published_by: Option<String>,
}

impl Store {
    /// The published versions, newest first.
    pub async fn rate_versions(&self) -> Result<Vec<RateVersion>> {
        self.read(|conn| {
            let sql = "SELECT version, published_at, email FROM rate_versions
                LEFT JOIN users ON users.id = published_by ORDER BY version DESC";
            query::all(conn, sql, [], |found| {
                read_row!(found => RateVersion { version, published_at, published_by: "email" })
            })
        })
        .await
    }

    /// The rates of a version; 0 is the sample. Errors: `Missing` if there is no such version.
    pub async fn rates_of_version(&self, version: i64) -> Result<Rates> {
        self.read(move |conn| {
            if version == 0 {
                return sample();
            }
            let sql = "SELECT rates FROM rate_versions WHERE version = ?1";
            query::one(conn, sql, [version], |found| row::column(found, "rates"))
        })
        .await
    }
}
