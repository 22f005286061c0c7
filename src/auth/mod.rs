//! The authentication service's rules, one file a verb or notion. SQL is in `store`, doors are in `http::auth`; nothing here knows of HTTP.
//!
//! A refusal keeps what was written before it (a counted guess, a burnt code, a stolen session's end): rules check first and write last, and what must survive
//! being refused is written on purpose. Only a failing store undoes.

pub mod access_token;
pub mod accounts;
pub mod admin;
mod apply_token;
pub mod audit;
pub mod ban;
pub mod challenge;
pub mod cleanup;
pub mod email_tokens;
pub mod emails;
pub mod error;
pub mod external_identity;
pub mod factors;
pub mod generate_link;
pub mod hashing;
pub mod id_token;
pub mod key_ring;
pub mod keys;
pub mod logout;
pub mod lost_keys;
pub mod oauth_flow;
pub mod oidc;
pub mod password;
mod pending;
pub mod pkce;
pub mod purpose;
pub mod recovery_codes;
pub mod redirect;
pub mod refresh;
pub mod session;
pub mod sign_in;
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
use crate::store::{self, Connection, Store};

pub use error::{AuthError, Error, Kind, Result};
pub use logout::Scope;
pub use session::{Grant, SignedInUser};

/// The authentication service. Cheap to clone.
#[derive(Clone)]
pub struct Auth {
    store: Store,
    clock: Clock,
    config: Arc<config::Auth>,
    limits: Arc<config::Limits>,
    origin: Arc<str>,
    keys: Arc<keys::Keys>,
    hasher: Arc<hashing::Hasher>,
    shield: Arc<throttle::IpLimiter>,
    providers: Arc<oidc::Providers>,
}

/// Where a request comes from, as far as it may be remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// A keyed hash of the address.
    pub client: String,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
}

impl Auth {
    /// Opens the service: its keys lie in `folder` and are made at the first start. `origin` is the site's own address without a trailing slash.
    ///
    /// # Errors
    /// When the keys or a provider's secret cannot be read or made, or argon2 refuses its parameters.
    pub async fn open(
        store: Store,
        clock: Clock,
        config: config::Auth,
        limits: config::Limits,
        origin: &str,
        folder: &Path,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            keys: Arc::new(keys::Keys::open(&store, folder, clock.now()).await?),
            hasher: Arc::new(hashing::Hasher::new(&config)?),
            shield: Arc::new(throttle::IpLimiter::new(limits.sign_in_per_minute)),
            providers: Arc::new(oidc::Providers::new(&config.providers, &config.sso)?),
            origin: origin.into(),
            config: Arc::new(config),
            limits: Arc::new(limits),
            store,
            clock,
        })
    }

    /// The site's own address, without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The service's own address, as its tokens name it.
    pub fn issuer(&self) -> String {
        format!("{}/auth/v1", self.origin)
    }

    /// The settings.
    pub fn config(&self) -> &config::Auth {
        &self.config
    }

    /// The time.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The keys.
    pub fn keys(&self) -> &keys::Keys {
        &self.keys
    }

    /// The key of the codes and links in emails that have not been sent.
    pub fn email_key(&self) -> SealingKey {
        self.keys.ring(self.clock.now()).emails().clone()
    }

    /// The password hasher.
    pub fn hasher(&self) -> &hashing::Hasher {
        &self.hasher
    }

    /// The guard against floods from one address.
    pub fn shield(&self) -> &throttle::IpLimiter {
        &self.shield
    }

    /// Runs a rule in one write transaction. A refusal keeps what was written before it; a failing store undoes.
    ///
    /// # Errors
    /// What the rule or the store says.
    pub async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store
            .write(move |conn| match job(conn) {
                Err(Error::Store(error)) => Err(error),
                Err(Error::Internal(reason)) => {
                    tracing::error!(reason, "the authentication service failed");
                    Err(store::Error::Failed)
                }
                outcome => Ok(outcome),
            })
            .await?
    }

    /// Runs a rule on a reading connection.
    ///
    /// # Errors
    /// What the rule or the store says.
    pub async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store
            .read(move |conn| match job(conn) {
                Err(Error::Store(error)) => Err(error),
                outcome => Ok(outcome),
            })
            .await?
    }
}
