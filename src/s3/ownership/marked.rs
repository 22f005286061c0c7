//! The file `owner.json` of a place.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Owner;
use crate::Bucket;

/// The name of the file.
const FILE: &str = "owner.json";
/// The name under which a new one is written.
const NEW_FILE: &str = ".owner.json.new";

/// A place that carries the mark of its owner.
#[derive(Clone, Debug)]
pub enum Marked {
    /// A folder, which exists.
    Folder(PathBuf),
    /// A part of a bucket.
    Bucket(Bucket),
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket(bucket) => write!(f, "{bucket}"),
        }
    }
}

impl Marked {
    /// The owner; `None` without one.
    pub(super) fn read(&self) -> Result<Option<Owner>> {
        let found = match self {
            Self::Folder(folder) => fs::read(folder.join(FILE)),
            Self::Bucket(bucket) => bucket.get(FILE).map(Vec::from).map_err(io::Error::from),
        };
        let text = match found {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        serde_json::from_slice(&text)
            .map(Some)
            .with_context(|| format!("{FILE} in {self} is damaged: delete it, and start again"))
    }

    /// Stores the owner.
    pub(super) fn write(&self, owner: &Owner) -> Result<()> {
        let text = serde_json::to_vec_pretty(owner)?;
        match self {
            Self::Folder(folder) => write_file(folder, &text)
                .with_context(|| format!("cannot write {FILE} into {self}")),
            Self::Bucket(bucket) => Ok(bucket.put(FILE, text)?),
        }
    }
}

fn write_file(folder: &Path, text: &[u8]) -> io::Result<()> {
    let new = folder.join(NEW_FILE);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&new)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&new, folder.join(FILE))?;
    File::open(folder)?.sync_all()
}
