//! What is kept of a provider for ten minutes: its metadata and its keys.

use std::sync::Arc;

use jsonwebtoken::jwk::Jwk;
use serde::Deserialize;
use tokio::sync::Mutex;

use domain::clock::Time;

/// How long fetched documents are cached, in milliseconds (auth API, section 9).
const CACHE_TTL_MS: i64 = 600_000;

/// The metadata fields that are used (Discovery, section 3).
#[derive(Deserialize)]
pub(super) struct Metadata {
    pub issuer: String,
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

/// A key set, and when it was fetched.
pub(super) type Keys = Mutex<Option<(Time, Vec<Jwk>)>>;

/// Whether a document fetched at `fetched_at` may still be used; a clock that was set back makes it
/// stale.
pub(super) fn is_fresh(fetched_at: Time, now: Time) -> bool {
    (0..CACHE_TTL_MS).contains(&(now.millis() - fetched_at.millis()))
}
