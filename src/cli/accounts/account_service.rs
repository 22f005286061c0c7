//! Opens the authentication service for the account commands.

use anyhow::{Result, anyhow};

use crate::cli::startup::global_args::GlobalArgs;
use auth::{Auth, Error};
use config::{Config, Server, is_loopback};
use domain::clock::Clock;
use domain::email::email_address::EmailAddress;

/// The behavior of a command if the data folder does not exist.
pub(in crate::cli) enum IfMissing {
    /// It creates the folder and an empty database.
    Create,
    /// It fails.
    Fail,
}

/// Opens the service on the database in `config`'s data folder.
pub(in crate::cli) async fn open(config: &Config, if_missing: IfMissing) -> Result<Auth> {
    let store = match if_missing {
        IfMissing::Create => GlobalArgs::open(config)?,
        IfMissing::Fail => GlobalArgs::open_existing(config)?,
    };
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

/// Adds the email address to the error that no such account exists.
pub(in crate::cli) fn explain_not_found(
    email: &EmailAddress,
) -> impl FnOnce(Error) -> anyhow::Error + use<> {
    let email = email.as_str().to_owned();
    move |error| match error {
        Error::Rejected(error) if error.code == "user_not_found" => {
            anyhow!("no account has the address {email}; list-users shows all accounts")
        }
        error => error.into(),
    }
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
