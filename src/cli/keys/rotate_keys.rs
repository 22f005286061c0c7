//! `guardpost rotate-keys`: adds a new signing key for access tokens.

use anyhow::Result;
use clap::Args;

use crate::cli::accounts::account_service;
use crate::cli::startup::global_args::GlobalArgs;

/// Sign access tokens with a new key.
///
/// The new key is published at once and used for signing after ten minutes; the old key verifies
/// tokens until the last one it signed expires. Sessions are kept, and a running server loads the
/// new key automatically. If a key has leaked, run revoke-sessions as well.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost rotate-keys --data /var/lib/guardpost")]
pub(in crate::cli) struct RotateKeys {}

impl RotateKeys {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(GlobalArgs::open_existing(&config)?, &config).await?;
        let key = auth.rotate_keys(&config.data.dir).await?;
        say!("The new key is {key}.");
        Ok(())
    }
}
