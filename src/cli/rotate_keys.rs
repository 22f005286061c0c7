//! `guardpost rotate-keys`: a new key for access tokens.

use anyhow::Result;
use clap::Args;

use super::place::Place;
use crate::auth::keys;
use crate::domain::clock::Clock;

/// Sign access tokens with a new key.
///
/// The new key is published at once and signs from ten minutes on; the old one verifies until the last token it signed has ended. Nobody is
/// signed out, and a running server notices by itself. For a key that has leaked, follow with revoke-sessions.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost rotate-keys --data /var/lib/guardpost")]
pub(super) struct RotateKeys {}

impl RotateKeys {
    pub(super) fn run(self, place: &Place) -> Result<()> {
        let config = place.settings()?;
        Place::open_existing(&config)?;
        let now = Clock::system().now();
        let key = keys::rotate(&config.data.dir, config.auth.access_token_seconds, now)?;
        println!("The new key is {key}.");
        Ok(())
    }
}
