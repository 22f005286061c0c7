//! Files and folders that only their owner can open. All functions block.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use s3::Found;

/// The entries of a folder; none if it does not exist.
pub(crate) fn read_folder(folder: &Path) -> io::Result<Vec<Found>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let metadata = match entry.metadata() {
            // Deleted since the folder was read.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        found.push(Found {
            name: entry.file_name().to_string_lossy().into_owned(),
            written_at: metadata.modified()?,
            size: metadata.len(),
        });
    }
    Ok(found)
}

/// Whether a name consists of `length` hexadecimal digits.
pub(crate) fn is_hex(name: &str, length: usize) -> bool {
    name.len() == length && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Creates a folder that only its owner can open; returns whether it is new.
pub(crate) fn create_folder(folder: &Path) -> io::Result<bool> {
    if folder.is_dir() {
        return Ok(false);
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    Ok(true)
}

/// Creates a file that only its owner can open.
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

/// Makes the entries of a folder survive a power failure.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
