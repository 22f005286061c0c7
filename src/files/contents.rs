//! Contents by their SHA-256, written once, in the data folder (`files/<two digits>/<digest>`) or
//! in a bucket; and unfinished ones in `files/tmp`. All functions block.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::folder::{FoundFile, create_folder, private_file, read_folder};
use super::place::{Folder, FoundContent, Opened, Place};
use crate::config;
use crate::domain::ids;
use crate::s3::{Bucket, Patience};

/// The ending of the name of a resumable upload's file.
const RESUMABLE: &str = "upload";

/// All contents.
pub struct Contents {
    place: Box<dyn Place>,
    /// The folder of temporary files.
    tmp: PathBuf,
    /// Contents that must not be deleted, or not be stored, just now.
    in_use: Mutex<HashMap<String, Use>>,
    removed: Condvar,
    /// The temporary files in use by this process.
    active: Mutex<HashSet<PathBuf>>,
}

/// What is happening to a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// So many uploads are about to store a row for it: it must not be deleted meanwhile.
    Held(usize),
    /// It is being deleted: it must not be stored meanwhile.
    Removing,
}

impl Contents {
    /// The contents in `files` in the data folder `data`, which is created with the first file, or
    /// in the bucket of `files.to`.
    ///
    /// # Errors
    /// If the settings of the bucket are incomplete.
    pub fn open(files: &config::Files, s3: &config::S3, data: &Path) -> anyhow::Result<Self> {
        let folder = data.join("files");
        let tmp = folder.join("tmp");
        let place: Box<dyn Place> = match files.to.as_str() {
            "" => Box::new(Folder(folder)),
            address => Box::new(Bucket::open(s3, address, Patience::Request)?),
        };
        Ok(Self {
            place,
            tmp,
            in_use: Mutex::default(),
            removed: Condvar::new(),
            active: Mutex::default(),
        })
    }

    /// Opens a part of a content for a download.
    ///
    /// # Errors
    /// If it is missing or cannot be read.
    pub fn open_part(&self, sha256: &str, part: Range<u64>) -> io::Result<Opened> {
        self.place.open(sha256, part)
    }

    /// A content as a file on this machine.
    ///
    /// # Errors
    /// If it is missing or cannot be read.
    pub fn file(&self, sha256: &str) -> io::Result<File> {
        self.place.file(sha256, &self.tmp)
    }

    /// Whether there is a content.
    ///
    /// # Errors
    /// If its place cannot be read.
    pub fn has(&self, sha256: &str) -> io::Result<bool> {
        self.place.has(sha256)
    }

    /// A new temporary file.
    ///
    /// # Errors
    /// If it cannot be created.
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
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_resumable(self: &Arc<Self>, id: &str) -> io::Result<Temporary> {
        create_folder(&self.tmp)?;
        Temporary::create(self, self.resumable_path(id))
    }

    /// Whether a temporary file is in use by this process.
    pub fn is_active(&self, path: &Path) -> bool {
        self.active().contains(path)
    }

    fn active(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Free bytes for this user on the disk of temporary files.
    ///
    /// # Errors
    /// If the file system cannot be read.
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

    fn in_use(&self) -> MutexGuard<'_, HashMap<String, Use>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a content from being deleted until the guard is dropped; waits while it is being
    /// deleted. Take it before `publish`, and keep it until the row is committed.
    pub fn hold(self: &Arc<Self>, sha256: &str) -> Hold {
        let mut in_use = self.in_use();
        while in_use.get(sha256) == Some(&Use::Removing) {
            let waited = self.removed.wait(in_use);
            in_use = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if let Use::Held(count) = in_use.entry(sha256.to_owned()).or_insert(Use::Held(0)) {
            *count += 1;
        }
        Hold {
            contents: self.clone(),
            sha256: sha256.to_owned(),
        }
    }

    /// Makes a complete temporary file the content `sha256`, durably.
    ///
    /// # Errors
    /// If it cannot be written; nothing is published then.
    pub fn publish(&self, temporary: &Temporary, sha256: &str) -> io::Result<()> {
        let (path, file) = (temporary.path.as_path(), temporary.file.as_ref());
        self.place.publish(path, file, sha256)
    }

    /// Begins to delete a content, unless an upload holds it or it is already being deleted.
    pub fn begin_removal(self: &Arc<Self>, sha256: &str) -> Option<Removal> {
        let mut in_use = self.in_use();
        if in_use.contains_key(sha256) {
            return None;
        }
        in_use.insert(sha256.to_owned(), Use::Removing);
        Some(Removal {
            contents: self.clone(),
            sha256: sha256.to_owned(),
        })
    }

    /// Every content.
    ///
    /// # Errors
    /// If its place cannot be read.
    pub fn list(&self) -> io::Result<Vec<FoundContent>> {
        self.place.list()
    }

    /// Every temporary file.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list_temporary(&self) -> io::Result<Vec<FoundFile>> {
        read_folder(&self.tmp)
    }
}

/// The id of the resumable upload to which a temporary file belongs.
pub fn resumable_id(file_name: &str) -> Option<&str> {
    let (id, extension) = file_name.split_once('.')?;
    (extension == RESUMABLE).then_some(id)
}

/// A temporary file. A new one is deleted when it is dropped.
pub struct Temporary {
    contents: Arc<Contents>,
    path: PathBuf,
    file: Arc<File>,
    keep: bool,
}

impl Temporary {
    fn create(contents: &Arc<Contents>, path: PathBuf) -> io::Result<Self> {
        contents.active().insert(path.clone());
        let file = private_file(&path).inspect_err(|_| {
            contents.active().remove(&path);
        })?;
        Ok(Self {
            contents: contents.clone(),
            path,
            file: Arc::new(file),
            keep: false,
        })
    }

    /// An existing temporary file, which stays when this is dropped.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(contents: &Arc<Contents>, path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        contents.active().insert(path.clone());
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

    /// Leaves the file where it is.
    pub fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.keep {
            // It is gone already if it was published in a folder.
            let _ = std::fs::remove_file(&self.path);
        }
        self.contents.active().remove(&self.path);
    }
}

/// Keeps a content from being deleted.
pub struct Hold {
    contents: Arc<Contents>,
    sha256: String,
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut in_use = self.contents.in_use();
        match in_use.get_mut(&self.sha256) {
            Some(Use::Held(count)) if *count > 1 => *count -= 1,
            _ => {
                in_use.remove(&self.sha256);
            }
        }
    }
}

/// Keeps a content from being stored while it is deleted.
pub struct Removal {
    contents: Arc<Contents>,
    sha256: String,
}

impl Removal {
    /// Deletes the content.
    ///
    /// # Errors
    /// If it cannot be deleted.
    pub fn remove(self) -> io::Result<()> {
        self.contents.place.remove(&self.sha256)
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        self.contents.in_use().remove(&self.sha256);
        self.contents.removed.notify_all();
    }
}
