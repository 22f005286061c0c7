//! What a provider publishes about itself (OpenID Connect Discovery 1.0), kept for ten minutes.

use openidconnect::core::CoreProviderMetadata;
use tokio::sync::Mutex;

use super::Error;
use super::fetch::Fetch;
use crate::domain::clock::Time;

/// How long what was fetched is believed, in milliseconds (contract section 9).
pub(super) const LIFE: i64 = 600_000;

/// The provider's metadata, fetched when it is first asked for.
#[derive(Default)]
pub(super) struct Discovery(Mutex<Option<(Time, CoreProviderMetadata)>>);

impl Discovery {
    /// The metadata, at most ten minutes old. The lock is held while fetching, so that a crowd asks once.
    pub(super) async fn metadata(
        &self,
        issuer: &str,
        fetch: &Fetch,
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
        // Discovery section 4.3: the issuer must be the one that was asked, to the letter.
        if metadata.issuer().as_str() != issuer {
            return Err(Error::Unreachable(
                "The identity provider's metadata is another issuer's",
            ));
        }
        *known = Some((now, metadata.clone()));
        Ok(metadata)
    }
}

/// Whether something fetched at `at` may still be used; a clock that was set back makes it old.
pub(super) fn is_fresh(at: Time, now: Time) -> bool {
    (0..LIFE).contains(&(now.millis() - at.millis()))
}
