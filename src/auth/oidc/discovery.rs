//! A provider's metadata (OpenID Connect Discovery 1.0), cached for ten minutes.

use openidconnect::core::CoreProviderMetadata;
use tokio::sync::Mutex;

use super::Error;
use super::fetch::HttpClient;
use crate::domain::clock::Time;

/// How long fetched documents are cached, in milliseconds (auth API, section 9).
pub(super) const CACHE_TTL_MS: i64 = 600_000;

/// The provider's metadata, fetched on first use.
#[derive(Default)]
pub(super) struct DiscoveryCache(Mutex<Option<(Time, CoreProviderMetadata)>>);

impl DiscoveryCache {
    /// The metadata, at most ten minutes old. The lock is held while fetching, so that concurrent
    /// callers share one request.
    pub(super) async fn metadata(
        &self,
        issuer: &str,
        fetch: &HttpClient,
        now: Time,
    ) -> Result<CoreProviderMetadata, Error> {
        let mut known = self.0.lock().await;
        if let Some((at, metadata)) = &*known
            && is_fresh(*at, now)
        {
            return Ok(metadata.clone());
        }
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let document = fetch.document(&url).await?;
        let metadata: CoreProviderMetadata = serde_json::from_slice(&document).map_err(|_| {
            Error::Unreachable("The identity provider's metadata is not what the standard asks for")
        })?;
        // Discovery, section 4.3: the issuer must equal the configured one exactly.
        if metadata.issuer().as_str() != issuer {
            return Err(Error::Unreachable(
                "The identity provider's metadata is another issuer's",
            ));
        }
        *known = Some((now, metadata.clone()));
        Ok(metadata)
    }
}

/// Whether a document fetched at `at` may still be used; a clock that was set back makes it stale.
pub(super) fn is_fresh(at: Time, now: Time) -> bool {
    (0..CACHE_TTL_MS).contains(&(now.millis() - at.millis()))
}
