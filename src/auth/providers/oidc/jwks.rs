//! A provider's public keys (JWKS, RFC 7517), cached for ten minutes. For an unknown key id they
//! are fetched again at most once a minute.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;

use super::cache::is_fresh;
use super::{Error, Provider, fetch};
use domain::clock::{MINUTE_MS, Time};

/// Minimum interval in milliseconds between two fetches for unknown key ids, so that invented key
/// ids do not cause requests to the provider.
const REFETCH_INTERVAL_MS: i64 = MINUTE_MS;

impl Provider {
    /// The key with id `kid`; without an id, the only key of the set.
    pub(super) async fn key(&self, kid: Option<&str>, now: Time) -> Result<Jwk, Error> {
        let mut cached = self.keys.lock().await;
        if let Some((at, keys)) = cached.as_ref().filter(|(at, _)| is_fresh(*at, now)) {
            if let Some(key) = pick(keys, kid) {
                return Ok(key.clone());
            }
            if now.millis() - at.millis() < REFETCH_INTERVAL_MS {
                return Err(UNKNOWN_KEY);
            }
        }
        let (_, keys) = cached.insert((now, self.fetch_keys(now).await?));
        pick(keys, kid).cloned().ok_or(UNKNOWN_KEY)
    }

    /// The keys of a file, of a configured URL, or of the URL in the provider's metadata.
    async fn fetch_keys(&self, now: Time) -> Result<Vec<Jwk>, Error> {
        let settings = &self.settings;
        let document = match (settings.jwks_file.as_str(), settings.jwks_uri.as_str()) {
            ("", "") => {
                let metadata = self.metadata(now).await?;
                fetch::document(&self.http, &metadata.jwks_uri).await?
            }
            ("", uri) => fetch::document(&self.http, uri).await?,
            (file, _) => tokio::fs::read(file).await.map_err(|error| {
                tracing::error!(file, %error, "the key set cannot be read");
                Error::Unreachable("The identity provider's keys cannot be read")
            })?,
        };
        parse(&document)
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
