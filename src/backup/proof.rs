//! The proof of a backup: it is restored into a temporary folder, and the newest current requests
//! are looked up in it.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::place::list::newest;
use super::place::presence;
use super::sealing::key::BackupKey;
use super::temporary_folder::TemporaryFolder;
use super::{DATABASE, Fingerprint, Place, Restore, Watch, restore};
use domain::clock::{MINUTE_MS, Time};
use store::database::copies::snapshot;
use store::database::copies::snapshot::Comparison;
use store::database::disk::leftovers::PROOF;
use store::installation::backup_places;

/// A request created less than this before the backup may have been committed after it.
const COMMIT_MARGIN_MS: i64 = MINUTE_MS;

/// Restores the newest backup in `backups` and compares it with the database in `data`; returns a
/// sentence about the result. Fails if there is no backup, it cannot be restored, or lacks a
/// request.
pub fn prove(
    data: &Path,
    backups: &Place,
    key: Option<&BackupKey>,
    fingerprint: Fingerprint,
    now: Time,
    watch: Watch<'_>,
) -> Result<String> {
    let backup = newest(backups, key)?.place;
    let folder = TemporaryFolder::new(PROOF, data)
        .context("cannot create a temporary folder in the data folder")?;
    let current = data.join(DATABASE);
    let order = Restore {
        from: &backup,
        opening: key.into(),
        to: folder.path(),
        ledgers: &[],
        without: &[],
        fingerprint,
        now,
    };
    let restored = restore(&order, watch)?;
    let known = backup_places::of_file(&current)?;
    match presence::known_of(&known, &backups.address()) {
        Some(last) if last.sequence > restored.manifest.sequence => bail!(
            "{backup} is the newest backup there, but {} was made later: it is gone",
            last.backup
        ),
        _ => {}
    }
    let created_at = &restored.manifest.created_at;
    let Some(at) = Time::parse(created_at) else {
        bail!("the manifest of {backup} has no time");
    };
    let copy = folder.path().join(DATABASE);
    let Comparison { compared, missing } =
        snapshot::compare(&current, &copy, at.plus_millis(-COMMIT_MARGIN_MS))?;
    if let Some(id) = missing.first() {
        bail!(
            "the backup of {created_at} lacks {} of the newest {compared} requests, as {id}",
            missing.len()
        );
    }
    Ok(format!(
        "the backup of {created_at} was restored; its newest {compared} requests equal the current \
         ones"
    ))
}
