//! Whether a folder of backups is where backups can be made: not in the data folder, and with what
//! earlier backups have left there. A share that is not mounted is an empty folder on another disk.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Result, bail};

use super::Place;
use super::ledger::LEDGER;
use crate::store::backup_places::BackupPlace;
use crate::store::database::file_permissions::quoted;

/// `path` without symbolic links, as far as it exists.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    for existing in path.ancestors() {
        if let Ok(real) = existing.canonicalize() {
            let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path
}

/// Whether the place of backups is in the data folder.
pub fn is_inside(data: &Path, to: &Place) -> bool {
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

/// Whether what earlier backups have left in `place` is there.
pub(super) fn is_present(place: &Place) -> bool {
    place
        .folder()
        .is_none_or(|folder| folder.join(LEDGER).is_file())
}

/// Fails if no backup can be made in `to`. `known`: what is remembered of earlier ones there.
pub(super) fn require(data: &Path, to: &Place, known: Option<&BackupPlace>) -> Result<()> {
    if is_inside(data, to) {
        bail!(
            "{to} is in the data folder: choose another folder for backups, best on another disk"
        );
    }
    match known {
        Some(known) if !is_present(to) => bail!(
            "{to} lacks what was there when {} was made: is its disk or share mounted? If you \
             emptied or replaced the folder: guardpost backup --to {} --new-place",
            known.backup,
            quoted(Path::new(&to.to_string()))
        ),
        _ => Ok(()),
    }
}
