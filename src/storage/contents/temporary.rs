//! Temporary files: contents that are arriving, and those of resumable uploads.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Contents;
use crate::contents::folder::{create_folder, private_file, read_folder};
use domain::ids;
use s3::Found;

/// The ending of the name of a resumable upload's file.
const RESUMABLE: &str = "upload";

/// A temporary file. A new one is deleted when it is dropped.
pub struct Temporary {
    contents: Arc<Contents>,
    path: PathBuf,
    file: Arc<File>,
    keep: bool,
}

impl Temporary {
    fn create(contents: &Arc<Contents>, path: PathBuf) -> io::Result<Self> {
        contents.active.lock().insert(path.clone());
        let file = private_file(&path).inspect_err(|_| {
            contents.active.lock().remove(&path);
        })?;
        Ok(Self {
            contents: contents.clone(),
            path,
            file: Arc::new(file),
            keep: false,
        })
    }

    /// An existing temporary file, which stays when this is dropped.
    pub fn open(contents: &Arc<Contents>, path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        contents.active.lock().insert(path.clone());
        Ok(Self {
            contents: contents.clone(),
            path,
            file: Arc::new(file),
            keep: true,
        })
    }

    /// The open file.
    pub fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// Keeps the file at its path.
    pub fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.keep {
            // The file no longer exists if it was published in a folder.
            let _ = std::fs::remove_file(&self.path);
        }
        self.contents.active.lock().remove(&self.path);
    }
}

impl Contents {
    /// A new temporary file.
    pub fn temporary(self: &Arc<Self>) -> io::Result<Temporary> {
        create_folder(&self.tmp)?;
        let name = hex::encode(ids::random_bytes::<16>());
        Temporary::create(self, self.temporary_path(&name))
    }

    /// The path of a temporary file.
    pub fn temporary_path(&self, name: &str) -> PathBuf {
        self.tmp.join(name)
    }

    /// The path of a resumable upload's file.
    pub fn resumable_path(&self, id: &str) -> PathBuf {
        self.temporary_path(&format!("{id}.{RESUMABLE}"))
    }

    /// Creates the file of a resumable upload.
    pub fn create_resumable(self: &Arc<Self>, id: &str) -> io::Result<Temporary> {
        create_folder(&self.tmp)?;
        Temporary::create(self, self.resumable_path(id))
    }

    /// Makes a complete temporary file the content `sha256`, durably. Fails if it cannot be
    /// written; nothing is published then.
    pub fn publish(&self, temporary: &Temporary, sha256: &str) -> io::Result<()> {
        let (path, file) = (temporary.path.as_path(), temporary.file.as_ref());
        self.place.publish(path, file, sha256)
    }

    /// Whether a temporary file is in use by this process.
    pub fn is_active(&self, path: &Path) -> bool {
        self.active.lock().contains(path)
    }

    /// Free bytes for this user on the disk of temporary files. Fails if the file system cannot be
    /// read.
    pub fn free_bytes(&self) -> io::Result<u64> {
        let mut path = self.tmp.as_path();
        loop {
            match rustix::fs::statvfs(path) {
                Ok(space) => return Ok(space.f_bavail.saturating_mul(space.f_frsize)),
                Err(rustix::io::Errno::NOENT) => match path.parent() {
                    Some(parent) if parent != Path::new("") => path = parent,
                    _ => path = Path::new("."),
                },
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub fn list_temporary(&self) -> io::Result<Vec<Found>> {
        read_folder(&self.tmp)
    }
}

/// The id of the resumable upload to which a temporary file belongs.
pub fn resumable_id(file_name: &str) -> Option<&str> {
    let (id, extension) = file_name.split_once('.')?;
    (extension == RESUMABLE).then_some(id)
}
