//! The authentication service: its settings, keys and limits, and access to the store.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::providers::oidc;
use super::{ip_limiter, keys};
use domain::clock::{Clock, Time};
use domain::sealing::SealingKey;
use store::{Connection, Store};

/// The authentication service. Cheap to clone.
#[derive(Clone)]
pub struct Auth {
    pub(super) store: Store,
    pub clock: Clock,
    pub(super) config: Arc<config::Auth>,
    pub(super) limits: Arc<config::Limits>,
    /// The public URLs of the service.
    pub urls: Arc<Urls>,
    pub keys: Arc<keys::Keys>,
    /// The password hasher.
    pub hasher: Arc<keys::hashing::Hasher>,
    pub(super) ip_limiter: Arc<ip_limiter::IpLimiter>,
    pub(super) providers: Arc<oidc::Providers>,
}

/// The public URLs that tokens, emails and authorization requests contain. The HTTP layer, which
/// serves them, builds them (`api::auth::urls`).
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

/// One transaction of the service: the connection, and the time of all that it writes. Rules that
/// run in a transaction are its methods, or take it first.
#[derive(Clone, Copy)]
pub struct Transaction<'a> {
    auth: &'a Auth,
    pub(super) conn: &'a Connection,
    pub(super) now: Time,
}

impl Deref for Transaction<'_> {
    type Target = Auth;

    fn deref(&self) -> &Auth {
        self.auth
    }
}

impl Auth {
    /// Opens the service. Its keys are stored in `folder` and are created at the first start.
    /// `origin` is the site's origin without a trailing slash. Fails when the keys or a provider's
    /// secret cannot be read or created, or argon2 rejects its parameters.
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
            hasher: Arc::new(keys::hashing::Hasher::new(&config)?),
            ip_limiter: Arc::new(ip_limiter::IpLimiter::new(limits.sign_in_per_minute)),
            providers: Arc::new(oidc::Providers::new(&config.providers, &config.sso)?),
            urls: Arc::new(urls),
            config: Arc::new(config),
            limits: Arc::new(limits),
            store,
            clock,
        })
    }

    /// The key that seals codes and links in unsent emails.
    pub fn email_key(&self) -> SealingKey {
        self.keys.ring(self.clock.now()).emails().clone()
    }

    /// The key of one purpose, which a rotation of the signing keys does not change: `storage`
    /// seals tokens of the storage service, `case` signs the links to status pages, `reply address`
    /// the addresses for customers' answers, `message id` the Message-IDs of our emails; `web push`
    /// is the seed of the key that browsers are subscribed to; `offer links`, `offer codes` and
    /// `offer seals` are those of offers and acceptances.
    pub fn derived_key(&self, purpose: &str) -> [u8; 32] {
        self.keys.ring(self.clock.now()).derive(purpose, &[])
    }

    /// The secret part of the address of the rota's calendar with this number.
    pub fn calendar_token(&self, number: i64) -> String {
        let ring = self.keys.ring(self.clock.now());
        hex::encode(&ring.derive("rota calendar", &[&number.to_be_bytes()])[..20])
    }

    /// Runs a rule in a transaction (`Store::write_rule`), with the errors of this service.
    pub async fn change<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T> + Send + 'static,
    {
        let (auth, now) = (self.clone(), self.clock.now());
        let auth = move |conn: &_| {
            rule(&Transaction {
                auth: &auth,
                conn,
                now,
            })
        };
        self.store.write_rule(auth).await
    }

    /// `Store::read_rule` with the errors of this service.
    pub async fn read<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store.read_rule(rule).await
    }
}
