//! The authentication service as the account commands use it.

use anyhow::Result;

use super::place::Place;
use crate::auth::Auth;
use crate::config::Config;
use crate::domain::clock::Clock;

/// Whether the data folder has to be there.
pub(super) enum Folder {
    /// It is made where it is not.
    Made,
    /// Without it there is nobody to speak of.
    There,
}

/// Opens the service on the database of `config`'s data folder.
pub(super) fn service(config: &Config, folder: Folder) -> Result<Auth> {
    let store = match folder {
        Folder::Made => Place::open(config)?,
        Folder::There => Place::open_existing(config)?,
    };
    Auth::open(
        store,
        Clock::system(),
        config.auth.clone(),
        config.limits.clone(),
        config.server.origin(),
        &config.data.dir,
    )
}
