//! `guardpost rotate-keys`: a new key for access tokens.

use anyhow::Result;
use clap::Args;

use super::account_service::{self, Folder};
use super::global_args::GlobalArgs;

/// Sign access tokens with a new key.
///
/// The new key is published at once and signs from ten minutes on; the old one verifies until the last token it signed has ended. Nobody is
/// signed out, and a running server notices by itself. For a key that has leaked, follow with revoke-sessions.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost rotate-keys --data /var/lib/guardpost")]
pub(super) struct RotateKeys {}

impl RotateKeys {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let config = place.settings()?;
        let auth = account_service::service(&config, Folder::There).await?;
        let key = auth.rotate_keys(&config.data.dir).await?;
        println!("The new key is {key}.");
        Ok(())
    }
}
