//! `guardpost verify-backup`: checks a backup without restoring it.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::backup::OpeningArgs;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::progress;
use crate::cli::startup::global_args::GlobalArgs;
use backup::verify;

/// Check every byte of a backup against its manifest.
///
/// Names the damaged or missing part and exits with status 1. `restore` checks the same, and the
/// database inside as well.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost verify-backup\n  \
    guardpost verify-backup /mnt/backups/guardpost/guardpost-20261122T050240123Z")]
pub(in crate::cli) struct VerifyBackup {
    /// A backup, or a folder or bucket of backups, of which the newest is checked [default:
    /// `backup.to`]
    from: Option<PathBuf>,
    #[command(flatten)]
    opening: OpeningArgs,
}

impl VerifyBackup {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let chosen = self.opening.choose(self.from, &config)?;
        let backup = chosen.place.clone();
        let manifest =
            progress::run(move |watch| verify(&chosen.place, chosen.opening(), watch)).await?;
        let parts = count_noun(manifest.parts.len(), "part");
        say!("{backup}: {parts}, all intact");
        Ok(())
    }
}
