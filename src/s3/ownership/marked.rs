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

/// Which file was read: the tag of an object, the content of a file.
pub(super) enum Version {
    Tag(Option<String>),
    Text(Vec<u8>),
}

impl Marked {
    /// The owner, and which version of the file says so; `None` without one.
    pub(super) fn read(&self) -> Result<Option<(Owner, Version)>> {
        let found = match self {
            Self::Folder(folder) => {
                read_file(folder)?.map(|text| (text.clone(), Version::Text(text)))
            }
            Self::Bucket(bucket) => bucket
                .get_with_tag(FILE)?
                .map(|(bytes, tag)| (bytes.into(), Version::Tag(tag))),
        };
        let Some((text, version)) = found else {
            return Ok(None);
        };
        let owner = serde_json::from_slice(&text)
            .with_context(|| format!("{FILE} in {self} is damaged: delete it, and start again"))?;
        Ok(Some((owner, version)))
    }

    /// Stores the owner if the file is still at `over`, missing for `None`.
    pub(super) fn replace(&self, owner: &Owner, over: Option<&Version>) -> Result<()> {
        let text = serde_json::to_vec_pretty(owner)?;
        match self {
            Self::Folder(folder) => {
                let over = match over {
                    Some(Version::Text(text)) => Some(text.as_slice()),
                    _ => None,
                };
                replace_file(folder, &text, over)
                    .with_context(|| format!("cannot write {FILE} into {self}"))
            }
            Self::Bucket(bucket) => {
                let tag = match over {
                    Some(Version::Tag(tag)) => Some(tag.clone()),
                    _ => None,
                };
                Ok(bucket.put_over(FILE, text, tag)?)
            }
        }
    }
}

fn read_file(folder: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(folder.join(FILE)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

fn replace_file(folder: &Path, text: &[u8], over: Option<&[u8]>) -> io::Result<()> {
    let (path, new) = (folder.join(FILE), folder.join(NEW_FILE));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&new)?;
    file.write_all(text)?;
    file.sync_all()?;
    match over {
        Some(over) if read_file(folder)?.as_deref() == Some(over) => fs::rename(&new, &path)?,
        Some(_) => {}
        // Fails if there is one: unlike a rename, a link replaces nothing.
        None => match fs::hard_link(&new, &path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            // Not every file system has links.
            Err(_) if !path.try_exists()? => fs::rename(&new, &path)?,
            linked => linked?,
        },
    }
    if new.try_exists()? {
        fs::remove_file(&new)?;
    }
    File::open(folder)?.sync_all()
}
