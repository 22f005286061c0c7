//! A provider's metadata (OpenID Connect Discovery 1.0), cached for ten minutes.

use std::sync::Arc;

use super::cache::{Metadata, is_fresh};
use super::{Error, Provider, fetch};
use domain::clock::Time;

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
