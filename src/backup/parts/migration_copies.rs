//! Copies of the database left by migrations in the data folder: `guardpost.db.schema-N`.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use crate::DATABASE;
use domain::clock::Time;

/// Removes the copies in `data` that were written before `before`; returns how many there were.
/// Fails if the folder cannot be read, or a copy not removed.
pub fn remove_migration_copies(data: &Path, before: Time) -> Result<usize> {
    let prefix = format!("{DATABASE}.schema-");
    let millis = u64::try_from(before.millis()).unwrap_or(0);
    let before = SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let entries = fs::read_dir(data).with_context(|| format!("cannot read {}", data.display()))?;
    let mut removed = 0;
    for entry in entries {
        let entry = entry?;
        let is_copy = entry.file_name().to_string_lossy().starts_with(&prefix);
        if is_copy && entry.metadata()?.modified()? < before {
            fs::remove_file(entry.path())
                .with_context(|| format!("cannot remove {}", entry.path().display()))?;
            removed += 1;
        }
    }
    Ok(removed)
}
