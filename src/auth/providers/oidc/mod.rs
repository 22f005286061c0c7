//! OpenID Connect providers of the settings: metadata, keys, token exchange and id_token
//! verification. `external_identity.rs` maps the verified identity to an account. Every fetch is
//! limited in time and size and follows no redirects. Written here because `openidconnect` brings
//! 37 more crates, among them a vulnerable rsa.

mod cache;
mod claims;
mod discovery;
mod error;
mod fetch;
mod flow;
mod id_token;
mod jwks;
mod provider;

use std::collections::BTreeMap;

use anyhow::Context;

use config::{OidcProvider, SsoDomain};

pub use claims::{IdentityClaims, VerifiedClaims};
pub use error::Error;
pub use provider::Provider;

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
