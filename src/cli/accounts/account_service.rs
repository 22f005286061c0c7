//! Opens the authentication service for the account commands.

use anyhow::{Result, anyhow};
use clap::Args;

use crate::cli::startup::global_args::GlobalArgs;
use auth::{Auth, AuthError, Error};
use config::{Config, Server, is_loopback};
use domain::clock::Clock;
use domain::email::email_address::EmailAddress;
use store::Store;

/// The account that a command is about.
#[derive(Args)]
pub(super) struct Account {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    pub email: EmailAddress,
}

impl Account {
    /// Does this work on the account. Fails if there is no such account.
    pub(super) async fn with<T>(
        &self,
        globals: &GlobalArgs,
        work: impl AsyncFnOnce(Auth, EmailAddress) -> auth::Result<T>,
    ) -> Result<T> {
        let config = globals.settings()?;
        let auth = open(GlobalArgs::open_existing(&config)?, &config).await?;
        let done = work(auth, self.email.clone()).await;
        done.map_err(|error| match error {
            Error::Rejected(error) if error.code == AuthError::USER_NOT_FOUND.code => anyhow!(
                "no account has the address {}; list-users shows all accounts",
                self.email
            ),
            error => error.into(),
        })
    }
}

/// Opens the service on a database with these settings.
pub(in crate::cli) async fn open(store: Store, config: &Config) -> Result<Auth> {
    Auth::open(
        store,
        Clock::system(),
        config.auth.clone(),
        config.limits.clone(),
        api::auth::urls(&config.server.origin()),
        &config.data.dir,
    )
    .await
}

/// Warns if links in emails work on this host only.
pub(in crate::cli) fn warn_if_loopback_origin(server: &Server) {
    let origin = server.origin();
    let url = reqwest::Url::parse(&origin).ok();
    if url.is_some_and(|url| url.host_str().is_some_and(is_loopback)) {
        note!(
            "note: {origin} works on this host only; set server.base_url to the site's public \
             address"
        );
    }
}
