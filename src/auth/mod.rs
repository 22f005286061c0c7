//! The rules of the authentication service, one file per operation or concept. SQL is in `store`,
//! routes are in `http::auth`; nothing here depends on HTTP.
//!
//! A rejection commits what was written before it (a counted attempt, a consumed code, the end of a
//! stolen session). Rules therefore check first and write last, and write on purpose what must
//! survive a rejection. Only a store error rolls back.

pub mod access_token;
pub mod accounts;
pub mod admin;
pub mod admin_role;
mod apply_token;
pub mod audit;
pub mod ban;
pub mod challenge;
pub mod cleanup;
mod consume_token;
pub mod email_tokens;
pub mod emails;
pub mod error;
pub mod external_identity;
pub mod factors;
pub mod generate_link;
pub mod hashing;
pub mod id_token;
pub mod invitations;
pub mod key_ring;
pub mod keys;
pub mod logout;
pub mod lost_keys;
mod metadata;
pub mod oauth_authorize;
pub mod oauth_callback;
mod offboarding;
pub mod oidc;
pub mod password;
mod password_change;
mod pending;
pub mod pkce;
pub mod purpose;
pub mod recovery_codes;
mod recovery_link;
pub mod redirect;
pub mod refresh;
mod refresh_token;
pub mod secrets;
mod send_email;
pub mod session;
pub mod sign_in;
pub mod signed_in_user;
pub mod signup;
pub mod throttle;
mod totp;
pub mod user;
pub mod verify;
pub mod wallet;
pub mod web3;

use std::path::Path;
use std::sync::Arc;

use crate::config;
use crate::domain::clock::Clock;
use crate::domain::sealing::SealingKey;
use crate::store::{Connection, Store};

pub use error::{AuthError, Error, Kind, Result};
pub use logout::Scope;
pub use session::Grant;
pub use signed_in_user::{SignedInUser, TokenHolder};

/// The authentication service. Cheap to clone.
#[derive(Clone)]
pub struct Auth {
    store: Store,
    clock: Clock,
    config: Arc<config::Auth>,
    limits: Arc<config::Limits>,
    urls: Arc<Urls>,
    keys: Arc<keys::Keys>,
    hasher: Arc<hashing::Hasher>,
    ip_limiter: Arc<throttle::IpLimiter>,
    providers: Arc<oidc::Providers>,
}

/// The public URLs that tokens, emails and authorization requests contain. The HTTP layer, which
/// serves them, builds them (`http::auth::urls`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urls {
    /// The site's origin, without a trailing slash.
    pub origin: String,
    /// The issuer of the access tokens.
    pub issuer: String,
    /// The verification page of emailed links.
    pub verify: String,
    /// The redirect URI registered at the providers.
    pub callback: String,
    /// The admin dashboard.
    pub dashboard: String,
}

/// The client of a request, in the form that may be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// A keyed hash of the IP address.
    pub client: String,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
}

impl Auth {
    /// Opens the service. Its keys are stored in `folder` and are created at the first start.
    /// `origin` is the site's origin without a trailing slash.
    ///
    /// # Errors
    /// When the keys or a provider's secret cannot be read or created, or argon2 rejects its
    /// parameters.
    pub async fn open(
        store: Store,
        clock: Clock,
        config: config::Auth,
        limits: config::Limits,
        urls: Urls,
        folder: &Path,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            keys: Arc::new(keys::Keys::open(&store, folder, clock.now()).await?),
            hasher: Arc::new(hashing::Hasher::new(&config)?),
            ip_limiter: Arc::new(throttle::IpLimiter::new(limits.sign_in_per_minute)),
            providers: Arc::new(oidc::Providers::new(&config.providers, &config.sso)?),
            urls: Arc::new(urls),
            config: Arc::new(config),
            limits: Arc::new(limits),
            store,
            clock,
        })
    }

    /// The site's origin, without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.urls.origin
    }

    /// The public URLs of the service.
    pub fn urls(&self) -> &Urls {
        &self.urls
    }

    /// The issuer URL of the access tokens.
    pub fn issuer(&self) -> &str {
        &self.urls.issuer
    }

    /// The settings.
    pub fn config(&self) -> &config::Auth {
        &self.config
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The keys.
    pub fn keys(&self) -> &keys::Keys {
        &self.keys
    }

    /// The key that seals codes and links in unsent emails.
    pub fn email_key(&self) -> SealingKey {
        self.keys.ring(self.clock.now()).emails().clone()
    }

    /// The key that seals tokens of the storage service. Rotating signing keys does not change it.
    ///
    /// # Errors
    /// Never in practice.
    pub fn storage_key(&self) -> anyhow::Result<SealingKey> {
        let ring = self.keys.ring(self.clock.now());
        Ok(SealingKey::new(&ring.derive("storage", &[]))?)
    }

    /// The key of the links to status pages. A rotation of the signing keys does not change it.
    pub fn case_key(&self) -> [u8; 32] {
        self.keys.ring(self.clock.now()).derive("case", &[])
    }

    /// The password hasher.
    pub fn hasher(&self) -> &hashing::Hasher {
        &self.hasher
    }

    /// The limiter of sign-in attempts per client address.
    pub fn ip_limiter(&self) -> &throttle::IpLimiter {
        &self.ip_limiter
    }

    /// `Store::write_rule` with the errors of this service.
    ///
    /// # Errors
    /// Those of the rule; store errors.
    pub async fn write<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store.write_rule(rule).await
    }

    /// `Store::read_rule` with the errors of this service.
    ///
    /// # Errors
    /// Those of the rule; store errors.
    pub async fn read<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store.read_rule(rule).await
    }
}
