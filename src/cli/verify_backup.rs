//! `guardpost verify-backup`: checks a backup without restoring it.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::global_args::GlobalArgs;
use super::{backup, count_noun, progress};
use crate::backup::{lower_priority, newest, verify};

/// Check every byte of a backup against its manifest.
///
/// Names the damaged or missing part and exits with status 1. `restore` checks the same, and the
/// database inside as well.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost verify-backup\n  \
    guardpost verify-backup /mnt/backups/guardpost/guardpost-20261122T050240123Z")]
pub(super) struct VerifyBackup {
    /// A backup, or a folder or bucket of backups, of which the newest is checked [default:
    /// `backup.to`]
    from: Option<PathBuf>,
    /// The key of a sealed backup [default: `backup.key_file`]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

impl VerifyBackup {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let backup = newest(&backup::place(self.from, &config)?)?;
        let key = backup::key(self.key_file.as_deref(), &config)?;
        let place = backup.clone();
        let manifest = progress::run(move |watch| {
            lower_priority();
            verify(&place, key.as_ref(), watch)
        })
        .await?;
        let parts = count_noun(manifest.parts.len(), "part");
        println!("{backup}: {parts}, all intact");
        Ok(())
    }
}
