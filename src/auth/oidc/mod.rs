//! OpenID Connect providers as the settings name them: what they publish, whose keys they use, and who an id_token of theirs is about. The account that goes with
//! a person is `outside`'s business. Everything fetched is bounded in time and size and never redirected.

mod claims;
mod discovery;
mod fetch;
mod flow;
mod id_token;
mod jwks;

use std::collections::BTreeMap;

use anyhow::Context;

use crate::config::{OidcProvider, Secret, SsoDomain};
use crate::domain::clock::Time;

pub use claims::{Person, Statement};
pub use flow::{AuthorizationRequest, TokenResult};

/// Why a provider's word signs nobody in. The text may be shown; it never repeats what the provider sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The id_token proves nothing: signature, issuer, audience, time, nonce.
    #[error("{0}")]
    Unproven(&'static str),
    /// The provider did not answer, or not with what the standard asks for.
    #[error("{0}")]
    Unreachable(&'static str),
}

/// One provider, with what is known of it for the next ten minutes.
pub struct Provider {
    settings: OidcProvider,
    secret: Option<Secret>,
    /// The mail domains that sign in here; empty: a provider for everybody.
    domains: Vec<String>,
    fetch: fetch::Fetch,
    discovery: discovery::Discovery,
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
            fetch: fetch::Fetch::new(&settings.issuer)?,
            discovery: discovery::Discovery::default(),
            keys: jwks::Keys::default(),
            settings: settings.clone(),
        })
    }

    /// The name used in API calls.
    pub fn id(&self) -> &str {
        &self.settings.id
    }

    /// Who `id_token` is about. `nonce` is the raw nonce: the token holds its SHA-256 in hex, and either both are there or neither. With `access_token` the
    /// token's `at_hash`, where it has one, must fit.
    ///
    /// # Errors
    /// `Unproven` for whatever is wrong with the token, `Unreachable` when the keys cannot be had.
    pub async fn identify(
        &self,
        id_token: &str,
        nonce: Option<&str>,
        access_token: Option<&str>,
        now: Time,
    ) -> Result<Statement, Error> {
        let kid = id_token::key_id(id_token)?;
        let source = jwks::Source {
            settings: &self.settings,
            discovery: &self.discovery,
            fetch: &self.fetch,
        };
        let key = self.keys.find(kid.as_deref(), &source, now).await?;
        let expected = id_token::Expected {
            issuer: &self.settings.issuer,
            client_ids: &self.settings.client_ids,
            nonce,
            access_token,
        };
        let mut said = id_token::verify(id_token, &key, &expected, now)?;
        let person = &mut said.person;
        person.email_verified &= self.may_vouch_for(person.email.as_deref());
        Ok(said)
    }

    /// A company's own provider is believed about the company's addresses only; else it could sign in as anybody.
    fn may_vouch_for(&self, email: Option<&str>) -> bool {
        let domain = email
            .and_then(|email| email.rsplit_once('@'))
            .map(|(_, domain)| domain);
        self.domains.is_empty()
            || domain.is_some_and(|domain| self.domains.iter().any(|ours| ours == domain))
    }
}

/// The providers of the settings.
#[derive(Default)]
pub struct Providers(BTreeMap<String, Provider>);

impl Providers {
    /// Reads the client secrets; asks nobody anything yet.
    ///
    /// # Errors
    /// When a secret's file cannot be read.
    pub fn new(providers: &[OidcProvider], sso: &[SsoDomain]) -> anyhow::Result<Self> {
        let known = providers.iter().map(|settings| {
            let provider = Provider::new(settings, sso)
                .with_context(|| format!("the provider `{}`", settings.id))?;
            Ok((settings.id.clone(), provider))
        });
        Ok(Self(known.collect::<anyhow::Result<_>>()?))
    }

    /// The provider called `id`.
    pub fn get(&self, id: &str) -> Option<&Provider> {
        self.0.get(id)
    }

    /// The provider at which the people of a mail domain sign in.
    pub fn for_domain(&self, domain: &str) -> Option<&Provider> {
        let domain = domain.to_ascii_lowercase();
        self.0.values().find(|p| p.domains.contains(&domain))
    }

    /// The provider called `id`, if it is some mail domain's.
    pub fn for_sso(&self, id: &str) -> Option<&Provider> {
        self.get(id).filter(|p| !p.domains.is_empty())
    }
}
