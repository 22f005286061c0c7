//! The data folder under `guardpost check`: whether a start would be well on it. Nothing is written, and a server may be running.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::cli::{global_args, key_files, media};
use crate::config::Data;
use crate::store::access::{AccessError, quoted, require_private};
use crate::store::inspection::{Inspection, inspect};
use crate::store::key_files::KeyFile;

/// Files left below which a folder counts as full.
const FEW_FILES: u64 = 100;
const MEBIBYTE: u64 = 1 << 20;

/// What was found, a sentence each.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// A start would fail, or lose something.
    pub faults: Vec<String>,
    /// The next start mends it.
    pub warnings: Vec<String>,
}

/// Looks at the data folder. One that is not there is made at the first start.
pub(super) fn examine(data: &Data) -> Findings {
    let mut found = Findings::default();
    let folder = data.dir.as_path();
    match fs::metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return found,
        Err(error) => {
            found.fault(folder, format!("cannot be read: {error}"));
            return found;
        }
        Ok(entry) if !entry.is_dir() => {
            found.fault(folder, "is no folder");
            return found;
        }
        Ok(entry) => owners(folder, entry.uid(), &mut found),
    }
    if let Err(error) = require_private(folder) {
        found.faults.push(error.to_string());
    }
    for path in global_args::private_files(folder) {
        if let Err(error @ AccessError::Exposed { .. }) = require_private(&path) {
            let warning = format!("{error}, or start the server, which does it");
            found.warnings.push(warning);
        }
    }
    space(data, &mut found);
    let mail = folder.join("mail");
    if let Err(error) = fs::read_dir(&mail)
        && error.kind() != ErrorKind::NotFound
    {
        found.fault(&mail, format!("cannot be read: {error}"));
    }
    database(folder, &mut found);
    found
}

impl Findings {
    fn fault(&mut self, path: &Path, what: impl AsRef<str>) {
        let fault = format!("{}: {}", path.display(), what.as_ref());
        self.faults.push(fault);
    }
}

/// A file that another user has made, as `sudo guardpost …` does, is one that the server cannot write.
fn owners(folder: &Path, owner: u32, found: &mut Findings) {
    let keys = KeyFile::ALL.map(|file| folder.join(file.name()));
    for path in global_args::private_files(folder).into_iter().chain(keys) {
        if let Ok(entry) = fs::metadata(&path)
            && entry.uid() != owner
        {
            found.fault(
                &path,
                format!(
                    "belongs to user {}, the data folder to user {owner}; run: chown --reference={} {}",
                    entry.uid(),
                    quoted(folder),
                    quoted(&path)
                ),
            );
        }
    }
}

fn space(data: &Data, found: &mut Findings) {
    let space = match rustix::fs::statvfs(&data.dir) {
        Ok(space) => space,
        Err(error) => {
            let what = format!("the free space cannot be read: {error}");
            return found.fault(&data.dir, what);
        }
    };
    let free = space.f_bavail.saturating_mul(space.f_frsize) / MEBIBYTE;
    if free < data.min_free_mb {
        let what = format!(
            "no space is left: {free} MB are free, data.min_free_mb asks for {}",
            data.min_free_mb
        );
        found.fault(&data.dir, what);
    }
    // A file system that does not count its files says that it has none.
    if space.f_files > 0 && space.f_favail < FEW_FILES {
        let what = format!(
            "no space is left: {} more files can be made",
            space.f_favail
        );
        found.fault(&data.dir, what);
    }
}

fn database(folder: &Path, found: &mut Findings) {
    let file = global_args::database(folder);
    match file.try_exists() {
        Ok(true) => {}
        Ok(false) => return without_database(folder, &file, found),
        Err(error) => return found.fault(&file, format!("cannot be read: {error}")),
    }
    let Inspection {
        faults,
        keys,
        media: known,
    } = inspect(&file);
    for fault in faults {
        found.fault(&file, fault);
    }
    for (file, known) in keys {
        if let Err(error) = key_files::verify(folder, file, &known) {
            found.faults.push(error.to_string());
        }
    }
    pictures(&folder.join("media"), &known, found);
}

/// Keys without a database: a start would begin with an empty one.
fn without_database(folder: &Path, file: &Path, found: &mut Findings) {
    if KeyFile::ALL
        .iter()
        .any(|key| folder.join(key.name()).exists())
    {
        found.fault(
            file,
            "is missing, though its keys are there: a start would make an empty one",
        );
    }
}

fn pictures(folder: &Path, known: &BTreeSet<String>, found: &mut Findings) {
    let present = match media::names(folder) {
        Ok(present) => present,
        Err(error) => return found.fault(folder, format!("cannot be read: {error}")),
    };
    for name in known.difference(&present) {
        found.fault(
            &folder.join(name),
            "was shown at the last start and is gone: put it back, or restart the server if it is not wanted any more",
        );
    }
    let unreadable = |path: PathBuf| fs::read(&path).err().map(|error| (path, error));
    for (path, error) in present
        .iter()
        .filter_map(|name| unreadable(folder.join(name)))
    {
        found.fault(&path, format!("cannot be read: {error}"));
    }
}
