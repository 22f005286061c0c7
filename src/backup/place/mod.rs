//! The place of backups: a folder, or a prefix in a bucket. A place holds all backups, or one.

pub(super) mod list;
pub(super) mod prepare;
pub(super) mod presence;
pub(super) mod resolved_path;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::parts::file_names::{LEDGER, MANIFEST};
use super::place::resolved_path::resolved;
use s3::ownership::Marked;
use s3::{self, Bucket, Patience, Upload};

/// A folder or a prefix in a bucket.
#[derive(Clone, Debug)]
pub enum Place {
    Folder(PathBuf),
    /// A prefix in a bucket.
    Bucket(Bucket),
}

impl From<&Path> for Place {
    fn from(folder: &Path) -> Self {
        Self::Folder(folder.to_owned())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket(bucket) => write!(f, "{bucket}"),
        }
    }
}

impl Place {
    /// The place at `address`: a path, or `s3://bucket/prefix`. Fails if the settings of the bucket
    /// are incomplete.
    pub fn open(address: &Path, s3: &config::S3) -> Result<Self> {
        match address.to_str() {
            Some(address) if address.starts_with(config::SCHEME) => {
                Ok(Self::Bucket(Bucket::open(s3, address, Patience::Job)?))
            }
            _ => Ok(Self::Folder(address.to_owned())),
        }
    }

    /// The place as one with an owner. A folder is created if it is missing.
    pub fn marked(&self) -> Result<Marked> {
        Ok(match self {
            Self::Folder(folder) => {
                create_private_folder(folder)?;
                Marked::Folder(folder.clone())
            }
            Self::Bucket(bucket) => Marked::Bucket(bucket.clone()),
        })
    }

    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Bucket(_) => None,
        }
    }

    /// The address by which it is remembered: of a folder, without symbolic links.
    pub fn address(&self) -> String {
        match self {
            Self::Folder(folder) => resolved(folder).display().to_string(),
            Self::Bucket(bucket) => bucket.to_string(),
        }
    }

    /// The `address` of the place that `open` opens, without its settings.
    pub fn address_of(address: &Path) -> String {
        let text = address.to_str().unwrap_or_default();
        match config::bucket_and_prefix(text) {
            Ok((bucket, "")) => format!("{}{bucket}", config::SCHEME),
            Ok((bucket, prefix)) => format!("{}{bucket}/{prefix}", config::SCHEME),
            Err(_) => Self::from(address).address(),
        }
    }

    pub fn below(&self, name: &str) -> Self {
        match self {
            Self::Folder(folder) => Self::Folder(folder.join(name)),
            Self::Bucket(bucket) => Self::Bucket(bucket.below(name)),
        }
    }

    /// Whether it contains the ledger that each backup leaves there. A folder is empty while its
    /// disk or share is not mounted.
    pub fn is_present(&self) -> bool {
        let ledger = |folder: &Path| folder.join(LEDGER).is_file();
        self.folder().is_none_or(ledger)
    }

    /// The parent place.
    pub(super) fn above(&self) -> Option<Self> {
        match self {
            Self::Folder(folder) => folder.parent().map(Self::from),
            Self::Bucket(bucket) => bucket.above().map(Self::Bucket),
        }
    }

    /// Reads a small file.
    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self {
            Self::Folder(folder) => fs::read(folder.join(name)),
            Self::Bucket(bucket) => Ok(bucket.get(name)?.into()),
        }
    }

    /// Reads a small text.
    pub(super) fn read_text(&self, name: &str) -> io::Result<String> {
        let text = String::from_utf8(self.read(name)?);
        text.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }

    /// Opens a file to be read.
    pub(super) fn reader(&self, name: &str) -> io::Result<Box<dyn Read>> {
        match self {
            Self::Folder(folder) => Ok(Box::new(File::open(folder.join(name))?)),
            Self::Bucket(bucket) => Ok(Box::new(bucket.open_object(name)?)),
        }
    }

    /// Begins a new file of about `size` bytes.
    pub(super) fn writer(&self, name: &str, size: u64) -> Result<Writer> {
        match self {
            Self::Folder(folder) => Writer::file(&folder.join(name)),
            Self::Bucket(bucket) => Ok(Writer::Upload(bucket.upload(name, size))),
        }
    }

    /// Writes a small file, durably.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let describe = || format!("cannot write {}", self.below(name));
        let mut writer = self.writer(name, bytes.len() as u64)?;
        writer.write_all(bytes).with_context(describe)?;
        writer.finish().with_context(describe)
    }

    /// Whether there is a file of this name.
    pub(super) fn has(&self, name: &str) -> io::Result<bool> {
        match self {
            Self::Folder(folder) => Ok(folder.join(name).is_file()),
            Self::Bucket(bucket) => Ok(bucket.has(name)?),
        }
    }

    /// The names of the folders in it.
    pub(super) fn folders(&self) -> io::Result<Vec<String>> {
        let mut names = match self {
            Self::Folder(folder) => {
                let entries = fs::read_dir(folder)?.map(|entry| {
                    let name = entry?.file_name();
                    Ok(name.to_str().map(ToOwned::to_owned))
                });
                let names: io::Result<Vec<Option<String>>> = entries.collect();
                names?.into_iter().flatten().collect()
            }
            Self::Bucket(bucket) => bucket.folders()?,
        };
        names.sort();
        Ok(names)
    }

    /// Makes its file `name` a file of `to` as well, without reading it. Returns false if that is
    /// not possible: it is missing, or the file system has no links.
    pub(super) fn link(&self, name: &str, to: &Self) -> bool {
        match (self, to) {
            (Self::Folder(from), Self::Folder(to)) => {
                let target = to.join(name);
                let folder = target.parent().map(create_private_folder);
                folder.is_none_or(|created| created.is_ok())
                    && fs::hard_link(from.join(name), target).is_ok()
            }
            (Self::Bucket(from), Self::Bucket(to)) => to.copy_from(from, name).is_ok(),
            _ => false,
        }
    }

    pub(super) fn remove_file(&self, name: &str) -> Result<()> {
        match self {
            Self::Folder(folder) => fs::remove_file(folder.join(name)).map_err(anyhow::Error::from),
            Self::Bucket(bucket) => bucket.delete(name).map_err(anyhow::Error::from),
        }
        .with_context(|| format!("cannot delete {}", self.below(name)))
    }

    /// Deletes it with all its files. Without its manifest, it is no longer a backup.
    pub(super) fn remove(&self) -> Result<()> {
        match self {
            Self::Folder(folder) => fs::remove_dir_all(folder).map_err(anyhow::Error::from),
            Self::Bucket(bucket) => remove_from(bucket).map_err(anyhow::Error::from),
        }
        .with_context(|| format!("cannot delete {self}"))
    }
}

fn remove_from(bucket: &Bucket) -> s3::Result<()> {
    bucket.delete(MANIFEST)?;
    for object in bucket.list()? {
        bucket.delete(&object.name)?;
    }
    Ok(())
}

/// A new file that is being written.
pub(super) enum Writer {
    File(File),
    Upload(Upload),
}

impl Writer {
    /// A new file that only its owner can read.
    pub(super) fn file(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            create_private_folder(folder)?;
        }
        let mut options = File::options();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.write(true).create_new(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self::File(file))
    }

    /// Makes the written bytes durable.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.sync_all(),
            Self::Upload(upload) => Ok(upload.finish()?),
        }
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Upload(upload) => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Upload(upload) => upload.flush(),
        }
    }
}

/// Creates a folder, and those above it, for its owner only. An existing one keeps its permissions.
pub(super) fn create_private_folder(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .recursive(true)
        .create(folder)
        .with_context(|| format!("cannot create {}", folder.display()))
}
