//! The temporary folders of backups and proofs in the data folder.

use std::path::Path;

use super::{create, proof};

/// Removes the temporary folders that a killed process has left in the data folder.
pub fn remove_temporary_folders(data: &Path) {
    let Ok(entries) = std::fs::read_dir(data) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(proof::PREFIX) || name.starts_with(create::SNAPSHOT_PREFIX) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}
