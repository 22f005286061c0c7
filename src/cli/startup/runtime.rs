//! Runs commands that wait for the database or the network.

use anyhow::{Context, Result};

/// Runs an asynchronous command.
pub(in crate::cli) fn block_on(command: impl Future<Output = Result<()>>) -> Result<()> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?
        .block_on(command)
}
