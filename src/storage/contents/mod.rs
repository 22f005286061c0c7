//! Contents by their SHA-256, written once, in the data folder (`files/<two digits>/<digest>`) or
//! in a bucket; and unfinished ones in `files/tmp` (`temporary`). All functions block.

pub(super) mod folder;
pub mod place;
pub(super) mod remote;
pub(super) mod temporary;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use crate::contents::place::{Folder, Opened, Place};
use crate::contents::remote::Remote;
use s3::ownership::Role;
use s3::{Bucket, Found, Patience};

pub struct Contents {
    place: Box<dyn Place>,
    /// The folder of temporary files.
    tmp: PathBuf,
    /// Contents that must currently not be deleted, or not be stored.
    in_use: Mutex<HashMap<String, Use>>,
    removed: Condvar,
    /// The temporary files in use by this process.
    active: Mutex<HashSet<PathBuf>>,
}

/// The state of a content in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// This many uploads are about to store a row for it: it must not be deleted.
    Held(usize),
    /// It is being deleted: it must not be stored.
    Removing,
}

impl Contents {
    /// The contents in `files` in the data folder `data`, which is created with the first file, or
    /// in the bucket of `files.to`, if `role` allows to write there. Fails if the settings of the
    /// bucket are incomplete.
    pub fn open(
        files: &config::Files,
        s3: &config::S3,
        data: &Path,
        role: &Role,
    ) -> anyhow::Result<Self> {
        let folder = data.join("files");
        let tmp = folder.join("tmp");
        let place: Box<dyn Place> = match files.to.as_str() {
            "" => Box::new(Folder(folder)),
            address => {
                let bucket = Bucket::open(s3, address, Patience::Request)?;
                Box::new(Remote::new(bucket, Folder(folder), role.clone()))
            }
        };
        Ok(Self {
            place,
            tmp,
            in_use: Mutex::default(),
            removed: Condvar::new(),
            active: Mutex::default(),
        })
    }

    /// The same, only to be read.
    pub fn open_to_read(
        files: &config::Files,
        s3: &config::S3,
        data: &Path,
    ) -> anyhow::Result<Self> {
        Self::open(files, s3, data, &Role::Drill(None))
    }

    /// Opens a part of a content for a download.
    pub fn open_part(&self, sha256: &str, part: Range<u64>) -> io::Result<Opened> {
        self.place.open(sha256, part)
    }

    /// A content as a file on this machine.
    pub fn file(&self, sha256: &str) -> io::Result<File> {
        self.place.file(sha256, &self.tmp)
    }

    pub fn has(&self, sha256: &str) -> io::Result<bool> {
        self.place.has(sha256)
    }

    /// Keeps a content from being deleted until the guard is dropped; waits while it is being
    /// deleted. Take it before `publish`, and keep it until the row is committed.
    pub fn hold(self: &Arc<Self>, sha256: &str) -> Hold {
        let mut in_use = self.in_use.lock();
        while in_use.get(sha256) == Some(&Use::Removing) {
            self.removed.wait(&mut in_use);
        }
        if let Use::Held(count) = in_use.entry(sha256.to_owned()).or_insert(Use::Held(0)) {
            *count += 1;
        }
        Hold {
            contents: self.clone(),
            sha256: sha256.to_owned(),
        }
    }

    /// Begins to delete a content, unless an upload holds it or it is already being deleted.
    pub fn begin_removal(self: &Arc<Self>, sha256: &str) -> Option<Removal> {
        let mut in_use = self.in_use.lock();
        if in_use.contains_key(sha256) {
            return None;
        }
        in_use.insert(sha256.to_owned(), Use::Removing);
        Some(Removal {
            contents: self.clone(),
            sha256: sha256.to_owned(),
        })
    }

    /// Makes this server the owner of the place, unless it belongs to another one. A drill claims
    /// nothing. Fails if it belongs to another server, or cannot be reached.
    pub fn claim(&self) -> io::Result<()> {
        self.place.claim()
    }

    pub fn list(&self) -> io::Result<Vec<Found>> {
        self.place.list()
    }
}

/// Keeps a content from being deleted.
pub struct Hold {
    contents: Arc<Contents>,
    sha256: String,
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut in_use = self.contents.in_use.lock();
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
    /// Deletes the content. Fails if it cannot be deleted.
    pub fn remove(self) -> io::Result<()> {
        self.contents.place.remove(&self.sha256)
    }
}

impl Drop for Removal {
    fn drop(&mut self) {
        self.contents.in_use.lock().remove(&self.sha256);
        self.contents.removed.notify_all();
    }
}
