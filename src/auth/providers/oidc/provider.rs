//! One provider: its settings, and the verification of its tokens.

use anyhow::Context;

use super::cache::{DiscoveryCache, Keys};
use super::claims::VerifiedClaims;
use super::error::Error;
use super::{fetch, id_token};
use config::{OidcProvider, Secret, SsoDomain};
use domain::clock::Time;

/// A provider with its cached metadata and keys.
pub struct Provider {
    pub(super) settings: OidcProvider,
    pub(super) secret: Option<Secret>,
    /// The email domains of an SSO provider; empty for a public provider.
    pub(super) domains: Vec<String>,
    pub(super) http: reqwest::Client,
    pub(super) discovery: DiscoveryCache,
    pub(super) keys: Keys,
}

impl Provider {
    pub(super) fn new(settings: &OidcProvider, sso: &[SsoDomain]) -> anyhow::Result<Self> {
        let secret = match settings.client_secret_file.as_str() {
            "" => None,
            file => Some(Secret::new(
                std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read the client secret in {file}"))?
                    .trim(),
            )),
        };
        Ok(Self {
            secret,
            domains: sso
                .iter()
                .filter(|entry| entry.provider == settings.id)
                .map(|entry| entry.domain.to_ascii_lowercase())
                .collect(),
            http: fetch::client(&settings.issuer)?,
            discovery: DiscoveryCache::default(),
            keys: Keys::default(),
            settings: settings.clone(),
        })
    }

    /// The name used in API calls.
    pub fn id(&self) -> &str {
        &self.settings.id
    }

    /// Verifies `id_token` and returns its identity claims. `nonce` is the raw nonce: the token
    /// contains its SHA-256 in hex; both must be present or absent. With `access_token`, the
    /// token's `at_hash` must match if present. Errors: `InvalidToken` for an invalid token,
    /// `Unreachable` when the keys cannot be fetched.
    pub async fn identify(
        &self,
        id_token: &str,
        nonce: Option<&str>,
        access_token: Option<&str>,
        now: Time,
    ) -> Result<VerifiedClaims, Error> {
        let kid = id_token::key_id(id_token)?;
        let key = self.key(kid.as_deref(), now).await?;
        let expected = id_token::Expected {
            issuer: &self.settings.issuer,
            client_ids: &self.settings.client_ids,
            nonce,
            access_token,
        };
        let mut claims = id_token::verify(id_token, &key, &expected, now)?;
        let identity = &mut claims.identity;
        identity.email_verified &= self.may_vouch_for(identity.email.as_deref());
        Ok(claims)
    }

    /// An SSO provider is trusted only for the addresses of its own domains; otherwise it could
    /// sign in as any user.
    fn may_vouch_for(&self, email: Option<&str>) -> bool {
        let domain = email
            .and_then(|email| email.rsplit_once('@'))
            .map(|(_, domain)| domain);
        self.domains.is_empty()
            || domain.is_some_and(|domain| self.domains.iter().any(|ours| ours == domain))
    }
}
