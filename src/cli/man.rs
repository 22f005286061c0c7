//! `guardpost man`: writes the manual pages.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

/// Write the manual pages of all commands.
///
/// One file per command, as in guardpost-backup.1.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost man --out /usr/local/share/man/man1")]
pub(super) struct Man {
    /// The folder, created if missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Man {
    pub(super) fn run(self, program: clap::Command) -> Result<()> {
        let describe = || format!("cannot write into {}", self.out.display());
        std::fs::create_dir_all(&self.out).with_context(describe)?;
        clap_mangen::generate_to(program, &self.out).with_context(describe)?;
        say!("The manual pages are in {}.", self.out.display());
        Ok(())
    }
}
