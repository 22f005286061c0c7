//! `[auth]`: the authentication service under `/auth/v1`.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::providers::{self, OidcProvider, SsoDomain, Web3};

/// The authentication service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Auth {
    /// Lifetime of an access token, in seconds.
    #[serde(skip)]
    pub access_token_seconds: u32,
    /// Idle timeout of a session, in seconds.
    pub session_idle_seconds: u32,
    /// Maximum lifetime of a session, in seconds.
    pub session_absolute_seconds: u32,
    /// Whether anyone may sign up. Off: accounts are created by invitations and commands.
    pub signup: bool,
    /// Whether a new account's address counts as confirmed without an email.
    pub autoconfirm: bool,
    /// Whether an admin without a second factor may do nothing but enroll one.
    pub require_factor: bool,
    /// Allowed redirect URLs besides the site's own: full URLs; a trailing `*` matches any rest of
    /// the path.
    pub redirect_urls: Vec<String>,
    /// Minimum password length, in characters.
    pub password_min_length: u32,
    /// Memory per password hash, in KiB: with `argon2_iterations` the minimum of OWASP.
    #[serde(skip)]
    pub argon2_memory_kib: u32,
    /// Argon2 iterations.
    #[serde(skip)]
    pub argon2_iterations: u32,
    /// Password hashes computed concurrently.
    #[serde(skip)]
    pub hashes_at_once: u32,
    /// Password hashes that may be queued; further ones get 429.
    #[serde(skip)]
    pub hashes_waiting: u32,
    /// Retention of audit rows, in days.
    pub audit_days: u32,
    /// OpenID Connect providers.
    pub providers: Vec<OidcProvider>,
    /// Email domains that sign in through a provider.
    pub sso: Vec<SsoDomain>,
    /// Sign-in by wallet signatures.
    pub web3: Web3,
}

impl Default for Auth {
    fn default() -> Self {
        Self {
            access_token_seconds: 900,
            session_idle_seconds: 7 * 86_400,
            session_absolute_seconds: 30 * 86_400,
            signup: false,
            autoconfirm: false,
            require_factor: false,
            redirect_urls: Vec::new(),
            password_min_length: 12,
            argon2_memory_kib: 19_456,
            argon2_iterations: 2,
            hashes_at_once: 2,
            hashes_waiting: 32,
            audit_days: 365,
            providers: Vec::new(),
            sso: Vec::new(),
            web3: Web3::default(),
        }
    }
}

impl Auth {
    pub(super) fn check(&self) -> Result<()> {
        if self.session_idle_seconds < self.access_token_seconds
            || self.session_absolute_seconds < self.session_idle_seconds
        {
            bail!(
                "settings `auth.session_idle_seconds` and `auth.session_absolute_seconds`: at \
                 least {}, the second at least the first",
                self.access_token_seconds
            );
        }
        if !(8..=64).contains(&self.password_min_length) {
            bail!("setting `auth.password_min_length`: from 8 to 64");
        }
        for url in &self.redirect_urls {
            let base = url.strip_suffix('*').unwrap_or(url);
            let is_valid = reqwest::Url::parse(base)
                .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
            // `https://example.com*` would also match https://example.com.evil.test
            if !is_valid || (url.ends_with('*') && !base.ends_with('/')) {
                bail!(
                    "setting `auth.redirect_urls`: `{url}` is not like https://app.example.com/in \
                     or https://app.example.com/*"
                );
            }
        }
        providers::check(&self.providers, &self.sso)
    }
}
