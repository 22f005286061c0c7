//! `[[auth.providers]]`, `[[auth.sso]]` and `[auth.web3]`: external identity providers and wallets.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// One OpenID Connect provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OidcProvider {
    /// The name used in API calls, as in `google`.
    pub id: String,
    /// The issuer URL, as in its tokens.
    pub issuer: String,
    /// Our client id at the provider, then other client ids whose ID tokens are accepted.
    pub client_ids: Vec<String>,
    /// A file that contains only the client secret; empty: public client.
    pub client_secret_file: String,
    /// URL of its keys (JWK set); empty: from its discovery document.
    pub jwks_uri: String,
    /// A file with its keys (JWK set), if they cannot be fetched.
    pub jwks_file: String,
}

/// An email domain whose users sign in through a provider. The provider is then trusted only for
/// addresses of its domains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SsoDomain {
    /// The email domain.
    pub domain: String,
    /// The `id` of the provider.
    pub provider: String,
}

/// Sign-in by a message signed with a wallet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Web3 {
    /// Ethereum accounts (EIP-4361).
    pub ethereum: bool,
    /// Solana accounts.
    pub solana: bool,
}

/// Provider ids reserved for built-in sign-in methods.
const RESERVED: [&str; 4] = ["email", "phone", "web3", "sso"];

pub(super) fn check(providers: &[OidcProvider], sso: &[SsoDomain]) -> Result<()> {
    let mut ids = BTreeSet::new();
    for provider in providers {
        let OidcProvider { id, issuer, .. } = provider;
        let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        if id.is_empty() || !id.chars().all(name) || RESERVED.contains(&id.as_str()) {
            bail!(
                "setting `auth.providers.id`: `{id}`: lower-case letters, digits, - and _, except \
                 {RESERVED:?}"
            );
        }
        if !ids.insert(id.as_str()) {
            bail!("setting `auth.providers.id`: `{id}` is listed twice");
        }
        for (key, url) in [("issuer", issuer), ("jwks_uri", &provider.jwks_uri)] {
            if !(is_safe(url) || key == "jwks_uri" && url.is_empty()) {
                bail!(
                    "setting `auth.providers.{key}` of `{id}`: `{url}` is not an https address \
                     (http is for loopback addresses)"
                );
            }
        }
        if provider.client_ids.is_empty() || provider.client_ids.iter().any(String::is_empty) {
            bail!("setting `auth.providers.client_ids` of `{id}`: name at least one client id");
        }
    }
    let mut domains = BTreeSet::new();
    for SsoDomain { domain, provider } in sso {
        if !email_address::EmailAddress::is_valid(&format!("x@{domain}"))
            || !domains.insert(domain.to_ascii_lowercase())
        {
            bail!(
                "setting `auth.sso.domain`: `{domain}` is not an email domain, or is listed twice"
            );
        }
        if !ids.contains(provider.as_str()) {
            bail!("setting `auth.sso.provider`: there is no provider `{provider}`");
        }
    }
    Ok(())
}

/// https, or http to a loopback address.
fn is_safe(url: &str) -> bool {
    reqwest::Url::parse(url).is_ok_and(|url| match (url.scheme(), url.host_str()) {
        ("https", Some(_)) => true,
        ("http", Some(host)) => super::is_loopback(host),
        _ => false,
    })
}
