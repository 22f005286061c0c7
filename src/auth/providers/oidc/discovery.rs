//! A provider's metadata (OpenID Connect Discovery 1.0), cached for ten minutes.

use std::sync::Arc;

use serde::Deserialize;
use tokio::sync::Mutex;

use super::{Error, Provider, fetch};
use domain::clock::Time;

/// How long fetched documents are cached, in milliseconds (auth API, section 9).
pub(super) const CACHE_TTL_MS: i64 = 600_000;

/// The metadata fields that are used (Discovery, section 3).
#[derive(Deserialize)]
pub(super) struct Metadata {
    issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: Option<String>,
    pub jwks_uri: String,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Metadata {
    /// Whether the token endpoint accepts the client secret by HTTP Basic authentication. That is
    /// the default where the provider names no method.
    pub(super) fn supports_basic_auth(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|name| name == "client_secret_basic"))
    }
}

/// The provider's metadata, and when it was fetched.
pub(super) type DiscoveryCache = Mutex<Option<(Time, Arc<Metadata>)>>;

impl Provider {
    /// The metadata, at most ten minutes old. The lock is held while fetching, so that concurrent
    /// callers share one request.
    pub(super) async fn metadata(&self, now: Time) -> Result<Arc<Metadata>, Error> {
        let issuer = self.settings.issuer.as_str();
        let mut cached = self.discovery.lock().await;
        if let Some((fetched_at, metadata)) = &*cached
            && is_fresh(*fetched_at, now)
        {
            return Ok(metadata.clone());
        }
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let document = fetch::document(&self.http, &url).await?;
        let metadata: Metadata = serde_json::from_slice(&document).map_err(|_| {
            Error::Unreachable("The identity provider's metadata is not what the standard asks for")
        })?;
        // Discovery, section 4.3: the issuer must equal the configured one exactly.
        if metadata.issuer != issuer {
            return Err(Error::Unreachable(
                "The identity provider's metadata is another issuer's",
            ));
        }
        let metadata = Arc::new(metadata);
        *cached = Some((now, metadata.clone()));
        Ok(metadata)
    }
}

/// Whether a document fetched at `fetched_at` may still be used; a clock that was set back makes it
/// stale.
pub(super) fn is_fresh(fetched_at: Time, now: Time) -> bool {
    (0..CACHE_TTL_MS).contains(&(now.millis() - fetched_at.millis()))
}
