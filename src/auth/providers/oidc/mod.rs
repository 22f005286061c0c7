//! OpenID Connect providers of the settings: metadata, keys, token exchange and id_token
//! verification. `external_identity.rs` maps the verified identity to an account. Every fetch is
//! limited in time and size and follows no redirects. Written here because `openidconnect` brings
//! 37 more crates, among them a vulnerable rsa.

mod claims;
mod discovery;
mod error;
mod fetch;
mod flow;
mod id_token;
mod jwks;

use std::collections::BTreeMap;

use anyhow::Context;

use crate::config::{OidcProvider, Secret, SsoDomain};
use crate::domain::clock::Time;

pub use claims::{IdentityClaims, VerifiedClaims};
pub use error::Error;
pub use flow::{AuthorizationRequest, TokenResult};

/// A provider with its cached metadata and keys.
pub struct Provider {
    settings: OidcProvider,
    secret: Option<Secret>,
    /// The email domains of an SSO provider; empty for a public provider.
    domains: Vec<String>,
    http: fetch::HttpClient,
    discovery: discovery::DiscoveryCache,
    keys: jwks::Keys,
}

impl Provider {
    fn new(settings: &OidcProvider, sso: &[SsoDomain]) -> anyhow::Result<Self> {
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
            http: fetch::HttpClient::new(&settings.issuer)?,
            discovery: discovery::DiscoveryCache::default(),
            keys: jwks::Keys::default(),
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
        let source = jwks::Source {
            settings: &self.settings,
            discovery: &self.discovery,
            http: &self.http,
        };
        let key = self.keys.find(kid.as_deref(), &source, now).await?;
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

/// The configured providers, by id.
#[derive(Default)]
pub struct Providers(BTreeMap<String, Provider>);

impl Providers {
    /// Reads the client secrets. Sends no request. Fails when a secret's file cannot be read.
    pub fn new(providers: &[OidcProvider], sso: &[SsoDomain]) -> anyhow::Result<Self> {
        let known = providers.iter().map(|settings| {
            let provider = Provider::new(settings, sso)
                .with_context(|| format!("the provider `{}`", settings.id))?;
            Ok((settings.id.clone(), provider))
        });
        Ok(Self(known.collect::<anyhow::Result<_>>()?))
    }

    pub fn get(&self, id: &str) -> Option<&Provider> {
        self.0.get(id)
    }

    /// The SSO provider of an email domain.
    pub fn for_domain(&self, domain: &str) -> Option<&Provider> {
        let domain = domain.to_ascii_lowercase();
        self.0.values().find(|p| p.domains.contains(&domain))
    }

    pub fn for_sso(&self, id: &str) -> Option<&Provider> {
        self.get(id).filter(|p| !p.domains.is_empty())
    }
}
