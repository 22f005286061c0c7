//! A provider's public keys (JWKS, RFC 7517), cached for ten minutes. For an unknown key id they
//! are fetched again at most once a minute.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

use super::Error;
use super::discovery::{DiscoveryCache, is_fresh};
use super::fetch::HttpClient;
use config::OidcProvider;
use domain::clock::{MINUTE_MS, Time};

/// Minimum interval in milliseconds between two fetches for unknown key ids, so that invented key
/// ids do not cause requests to the provider.
const REFETCH_INTERVAL_MS: i64 = MINUTE_MS;

/// The source of the keys: a file, a configured URL, or the provider's metadata.
pub(super) struct Source<'a> {
    pub settings: &'a OidcProvider,
    pub discovery: &'a DiscoveryCache,
    pub http: &'a HttpClient,
}

#[derive(Default)]
pub(super) struct Keys(Mutex<Option<CachedKeys>>);

struct CachedKeys {
    at: Time,
    keys: Vec<Jwk>,
}

impl Keys {
    /// The key with id `kid`; without an id, the only key of the set.
    pub(super) async fn find(
        &self,
        kid: Option<&str>,
        source: &Source<'_>,
        now: Time,
    ) -> Result<Jwk, Error> {
        let mut cached = self.0.lock().await;
        if let Some(cached) = cached.as_ref().filter(|cached| is_fresh(cached.at, now)) {
            if let Some(key) = pick(&cached.keys, kid) {
                return Ok(key.clone());
            }
            if now.millis() - cached.at.millis() < REFETCH_INTERVAL_MS {
                return Err(UNKNOWN_KEY);
            }
        }
        let keys = source.keys(now).await?;
        let cached = cached.insert(CachedKeys { at: now, keys });
        pick(&cached.keys, kid).cloned().ok_or(UNKNOWN_KEY)
    }
}

const UNKNOWN_KEY: Error = Error::InvalidToken("The id_token is signed with an unknown key");

fn pick<'a>(keys: &'a [Jwk], kid: Option<&str>) -> Option<&'a Jwk> {
    match (kid, keys) {
        (Some(_), keys) => keys.iter().find(|key| key.common.key_id.as_deref() == kid),
        (None, [only]) => Some(only),
        (None, _) => None,
    }
}

impl Source<'_> {
    async fn keys(&self, now: Time) -> Result<Vec<Jwk>, Error> {
        let document = match (
            self.settings.jwks_file.as_str(),
            self.settings.jwks_uri.as_str(),
        ) {
            ("", "") => {
                let metadata = self
                    .discovery
                    .metadata(&self.settings.issuer, self.http, now)
                    .await?;
                self.http.document(&metadata.jwks_uri).await?
            }
            ("", uri) => self.http.document(uri).await?,
            (file, _) => tokio::fs::read(file).await.map_err(|error| {
                tracing::error!(file, %error, "the key set cannot be read");
                Error::Unreachable("The identity provider's keys cannot be read")
            })?,
        };
        parse(&document)
    }
}

/// The signing keys of a key set. Keys of unknown types are skipped.
fn parse(document: &[u8]) -> Result<Vec<Jwk>, Error> {
    #[derive(Deserialize)]
    struct Document {
        keys: Vec<Value>,
    }
    let document: Document = serde_json::from_slice(document)
        .map_err(|_| Error::Unreachable("The identity provider's keys are not a key set"))?;
    let keys = document.keys.into_iter();
    Ok(keys
        .filter_map(|key| serde_json::from_value::<Jwk>(key).ok())
        .filter(|key| {
            matches!(
                key.common.public_key_use,
                None | Some(PublicKeyUse::Signature)
            )
        })
        .collect())
}
