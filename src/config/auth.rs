//! `[auth]`: the authentication service under `/auth/v1`.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::providers::{self, OidcProvider, SsoDomain, Web3};

/// The authentication service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Auth {
    /// Seconds an access token lives.
    pub access_token_seconds: u32,
    /// Seconds within which a used refresh token is answered again instead of being taken for stolen.
    pub refresh_reuse_seconds: u32,
    /// Whether strangers may sign up. Off: accounts come from invitations and commands.
    pub signup: bool,
    /// OpenID Connect providers.
    pub providers: Vec<OidcProvider>,
    /// Which mail domains sign in through which provider.
    pub sso: Vec<SsoDomain>,
    /// Whose wallets' signatures sign in.
    pub web3: Web3,
}

impl Default for Auth {
    fn default() -> Self {
        Self {
            access_token_seconds: 900,
            refresh_reuse_seconds: 10,
            signup: false,
            providers: Vec::new(),
            sso: Vec::new(),
            web3: Web3::default(),
        }
    }
}

impl Auth {
    pub(super) fn check(&self) -> Result<()> {
        if !(60..=86_400).contains(&self.access_token_seconds) {
            bail!("setting `auth.access_token_seconds`: from 60 to 86400");
        }
        providers::check(&self.providers, &self.sso)
    }
}
