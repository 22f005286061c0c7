//! Whether a folder of backups is where backups can be made: not in the data folder, and with what
//! earlier backups have left there. A share that is not mounted is an empty folder on another disk.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Result, bail};

use super::{DATABASE, Place};
use crate::store::backup_places;
use crate::store::backup_places::BackupPlace;
use crate::store::database::file_permissions::quoted;

/// `path` without symbolic links, as far as it exists.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    for existing in path.ancestors() {
        if let Ok(real) = existing.canonicalize() {
            let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
            return match rest.as_os_str().is_empty() {
                true => real,
                false => real.join(rest),
            };
        }
    }
    path
}

/// Whether the place of backups is in the data folder.
fn is_inside(data: &Path, to: &Place) -> bool {
    to.folder()
        .is_some_and(|folder| resolved(folder).starts_with(resolved(data)))
}

/// Whether the place of backups is on the disk of the data folder: both are lost with it.
pub fn shares_disk(data: &Path, to: &Place) -> bool {
    let device = |path: &Path| {
        let path = resolved(path);
        path.ancestors()
            .find_map(|path| path.metadata().ok())
            .map(|found| found.dev())
    };
    to.folder()
        .is_some_and(|folder| device(folder) == device(data))
}

/// Fails if no backup can be made in `to`: it is in the data folder `data`, or lacks what the
/// backups made there have left.
pub fn require_place(data: &Path, to: &Place) -> Result<()> {
    let database = data.join(DATABASE);
    let known = match database.exists() {
        true => backup_places::of_file(&database)?,
        false => Vec::new(),
    };
    require(data, to, known_of(&known, to))
}

/// What is remembered of the backups that this database made in `to`.
pub(super) fn known_of<'a>(places: &'a [BackupPlace], to: &Place) -> Option<&'a BackupPlace> {
    let address = to.address();
    let mut ours = places.iter().filter(|known| !known.is_inherited);
    ours.find(|known| known.place == address)
}

fn require(data: &Path, to: &Place, known: Option<&BackupPlace>) -> Result<()> {
    if is_inside(data, to) {
        bail!(
            "{to} is in the data folder: choose another folder for backups, best on another disk"
        );
    }
    match known {
        Some(known) if !to.is_present() => bail!(
            "{to} lacks what was there when {} was made: is its disk or share mounted? If you \
             emptied or replaced the folder, type `guardpost backup --to {} --new-place`",
            known.backup,
            quoted(Path::new(&to.to_string()))
        ),
        _ => Ok(()),
    }
}
