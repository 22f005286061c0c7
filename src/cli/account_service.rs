//! The authentication service as the account commands use it.

use anyhow::{Result, anyhow};

use super::global_args::GlobalArgs;
use crate::auth::{Auth, Error};
use crate::config::{Config, Server, is_loopback};
use crate::domain::account::EmailAddress;
use crate::domain::clock::Clock;

/// Whether the data folder has to be there.
pub(super) enum Folder {
    /// It is made where it is not.
    Made,
    /// Without it there is nobody to speak of.
    There,
}

/// Opens the service on the database of `config`'s data folder.
pub(super) async fn service(config: &Config, folder: Folder) -> Result<Auth> {
    let store = match folder {
        Folder::Made => GlobalArgs::open(config)?,
        Folder::There => GlobalArgs::open_existing(config)?,
    };
    Auth::open(
        store,
        Clock::system(),
        config.auth.clone(),
        config.limits.clone(),
        &config.server.origin(),
        &config.data.dir,
    )
    .await
}

/// Says which address an account was sought under, where there is none.
pub(super) fn unknown(email: &EmailAddress) -> impl FnOnce(Error) -> anyhow::Error + use<> {
    let email = email.as_str().to_owned();
    move |error| match error {
        Error::Refused(refusal) if refusal.code == "user_not_found" => {
            anyhow!("nobody has an account under {email}; list-users shows who has one")
        }
        error => error.into(),
    }
}

/// Points out a link that nobody elsewhere can open.
pub(super) fn mind_local_links(server: &Server) {
    let origin = server.origin();
    let url = reqwest::Url::parse(&origin).ok();
    if url.is_some_and(|url| url.host_str().is_some_and(is_loopback)) {
        eprintln!(
            "note: {origin} opens on this very host only; set server.base_url to the site's public address"
        );
    }
}
