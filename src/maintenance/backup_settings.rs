//! The settings of backups as their parts take them.

use std::path::Path;

use anyhow::Result;

use backup::Keep;
use backup::sealing::key::BackupKey;

/// The key of `backup.key_file`, if it is set.
pub fn read_key(backup: &config::Backup) -> Result<Option<BackupKey>> {
    let path = Some(&backup.key_file).filter(|path| !path.is_empty());
    path.map(|path| BackupKey::read(Path::new(path)))
        .transpose()
}

/// How many backups to keep by the settings.
pub fn keep(backup: &config::Backup) -> Keep {
    Keep {
        hours: backup.keep_hours,
        days: backup.keep_days,
        weeks: backup.keep_weeks,
        months: backup.keep_months,
    }
}
