//! A provider's public keys (JWKS, RFC 7517): kept for ten minutes, fetched again for an unknown key at most once a minute.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex;

use super::Error;
use super::discovery::{Discovery, is_fresh};
use super::fetch::Fetch;
use crate::config::OidcProvider;
use crate::domain::clock::Time;

/// Milliseconds between two fetches for keys nobody knows: a stranger's made-up key ids must not make us knock at the provider's door.
const PATIENCE: i64 = 60_000;

/// Where the keys come from: a file, an address in the settings, or the provider's metadata.
pub(super) struct Source<'a> {
    pub settings: &'a OidcProvider,
    pub discovery: &'a Discovery,
    pub fetch: &'a Fetch,
}

/// The keys as last seen.
#[derive(Default)]
pub(super) struct Keys(Mutex<Option<Seen>>);

struct Seen {
    at: Time,
    keys: Vec<Jwk>,
}

impl Keys {
    /// The key called `kid`; without a name, the only key there is.
    pub(super) async fn find(
        &self,
        kid: Option<&str>,
        source: &Source<'_>,
        now: Time,
    ) -> Result<Jwk, Error> {
        let mut seen = self.0.lock().await;
        if let Some(seen) = seen.as_ref().filter(|seen| is_fresh(seen.at, now)) {
            if let Some(key) = pick(&seen.keys, kid) {
                return Ok(key.clone());
            }
            if now.millis() - seen.at.millis() < PATIENCE {
                return Err(UNKNOWN);
            }
        }
        let keys = source.keys(now).await?;
        let seen = seen.insert(Seen { at: now, keys });
        pick(&seen.keys, kid).cloned().ok_or(UNKNOWN)
    }
}

const UNKNOWN: Error = Error::Unproven("The id_token is signed with an unknown key");

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
                    .metadata(&self.settings.issuer, self.fetch, now)
                    .await?;
                self.fetch.document(metadata.jwks_uri().as_str()).await?
            }
            ("", uri) => self.fetch.document(uri).await?,
            (file, _) => tokio::fs::read(file).await.map_err(|error| {
                tracing::error!(file, %error, "the key set cannot be read");
                Error::Unreachable("The identity provider's keys cannot be read")
            })?,
        };
        parse(&document)
    }
}

/// The keys that may sign. A key of a kind we do not know is passed over; it must not cost us the others.
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
