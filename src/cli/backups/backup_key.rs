//! `guardpost backup-key`: makes a key that seals backups.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use backup::sealing::key::BackupKey;

/// Make a key file that seals backups.
///
/// It is an identity of age (age-encryption.org), whose `age -d` opens a sealed backup without this
/// program. Keep a copy of the file away from this machine and from the backups, as on paper or in
/// a password manager: without it, sealed backups cannot be restored. It is readable by its owner
/// only.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    guardpost backup-key /etc/guardpost/backup.key && cat /etc/guardpost/backup.key")]
pub(in crate::cli) struct BackupKeyCommand {
    /// The new file; an existing one is never overwritten
    file: PathBuf,
}

impl BackupKeyCommand {
    pub(in crate::cli) fn run(self) -> Result<()> {
        BackupKey::create(&self.file)?;
        let id = BackupKey::read(&self.file)?.id();
        say!("Key {id} is in {}.", self.file.display());
        say!("Keep a copy of the file elsewhere: without it, sealed backups are worthless.");
        say!("Then set backup.key_file, or give --key-file to backup and restore.");
        Ok(())
    }
}
