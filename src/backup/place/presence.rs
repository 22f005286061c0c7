//! Whether a folder of backups is where backups can be made: not in the data folder, and with what
//! earlier backups have left there. A share that is not mounted is an empty folder on another disk.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Result, bail};

use super::resolved_path::resolved;
use crate::{DATABASE, Place};
use store::database::disk::file_permissions::quoted;
use store::installation::backup_places;
use store::installation::backup_places::BackupPlace;

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

/// Fails if no backup can be made in `to`: it is in the data folder `data`, or does not contain the
/// ledger of the backups made there. Returns what the database remembers of the place.
pub fn require_place(data: &Path, to: &Place) -> Result<Option<BackupPlace>> {
    let database = data.join(DATABASE);
    let known = match database.exists() {
        true => backup_places::of_file(&database)?,
        false => Vec::new(),
    };
    let known = known_of(&known, &to.address()).cloned();
    require(data, to, known.as_ref())?;
    Ok(known)
}

/// The remembered facts about the backups that this database made at `address`.
pub fn known_of<'a>(places: &'a [BackupPlace], address: &str) -> Option<&'a BackupPlace> {
    let mut ours = places.iter().filter(|known| !known.is_inherited);
    ours.find(|known| known.place == address)
}

fn require(data: &Path, to: &Place, known: Option<&BackupPlace>) -> Result<()> {
    if is_inside(data, to) {
        bail!("{to} is in the data folder: name another folder for backups, best on another disk");
    }
    match known {
        Some(known) if !to.is_present() => bail!(
            "{to} does not contain the backups made there, of which the last was {}: is its disk \
             or share mounted? If you emptied or replaced the folder, run `guardpost backup --to \
             {} --new-place`",
            known.backup,
            quoted(Path::new(&to.to_string()))
        ),
        _ => Ok(()),
    }
}
