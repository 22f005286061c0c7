//! Bytes on disk: contents by their SHA-256 in `files/<two digits>/<digest>`, written once, and
//! unfinished ones in `files/tmp`. All functions block.

use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::domain::ids;

/// The ending of the name of a resumable upload's file.
const RESUMABLE: &str = "upload";

/// The folder of all contents.
pub struct Contents {
    folder: PathBuf,
    /// How many uploads are about to store a row for a content: it must not be deleted meanwhile.
    held: Mutex<HashMap<String, usize>>,
    /// The temporary files in use by this process.
    active: Mutex<HashSet<PathBuf>>,
}

/// A file in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Its name: a digest, or that of a temporary file.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// When it was last written.
    pub written_at: SystemTime,
    /// Its size in bytes.
    pub size: u64,
}

impl Contents {
    /// The contents in `folder`, which is created with the first file.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            held: Mutex::default(),
            active: Mutex::default(),
        }
    }

    /// The path of a content.
    pub fn path(&self, sha256: &str) -> PathBuf {
        self.shard(sha256).join(sha256)
    }

    fn shard(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256.get(..2).unwrap_or("00"))
    }

    fn tmp(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// Opens a content for reading.
    ///
    /// # Errors
    /// If it is missing or cannot be read.
    pub fn open(&self, sha256: &str) -> io::Result<File> {
        File::open(self.path(sha256))
    }

    /// A new temporary file.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn temporary(self: &Arc<Self>) -> io::Result<Temporary> {
        create_folder(&self.tmp())?;
        let name = hex::encode(ids::random_bytes::<16>());
        Temporary::create(self, self.tmp().join(name))
    }

    /// The path of a resumable upload's file.
    pub fn resumable_path(&self, id: &str) -> PathBuf {
        self.tmp().join(format!("{id}.{RESUMABLE}"))
    }

    /// Creates the file of a resumable upload.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_resumable(self: &Arc<Self>, id: &str) -> io::Result<Temporary> {
        create_folder(&self.tmp())?;
        Temporary::create(self, self.resumable_path(id))
    }

    /// Whether a temporary file is in use by this process.
    pub fn is_active(&self, path: &Path) -> bool {
        self.active().contains(path)
    }

    fn active(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Free bytes on the disk for this user.
    ///
    /// # Errors
    /// If the file system cannot be read.
    pub fn free_bytes(&self) -> io::Result<u64> {
        let mut path = self.folder.as_path();
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

    /// Keeps a content from being deleted until the guard is dropped. Take it before `publish`, and
    /// keep it until the row is committed.
    pub fn hold(self: &Arc<Self>, sha256: &str) -> Hold {
        *self.held().entry(sha256.to_owned()).or_default() += 1;
        Hold {
            contents: self.clone(),
            sha256: sha256.to_owned(),
        }
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a complete temporary file the content `sha256`, durably.
    ///
    /// # Errors
    /// If it cannot be written; nothing is published then.
    pub fn publish(&self, temporary: Temporary, sha256: &str) -> io::Result<()> {
        temporary.file.sync_all()?;
        let shard = self.shard(sha256);
        if create_folder(&shard)? {
            sync_folder(&self.folder)?;
        }
        temporary.rename(&shard.join(sha256))?;
        sync_folder(&shard)
    }

    /// Deletes a content if no upload holds it and `is_used` is false; returns whether it did.
    /// `is_used` must see every row that was committed before it is called.
    ///
    /// # Errors
    /// The error of `is_used`, or if the file cannot be deleted.
    pub fn remove_unless<E: From<io::Error>>(
        &self,
        sha256: &str,
        is_used: impl FnOnce() -> Result<bool, E>,
    ) -> Result<bool, E> {
        let held = self.held();
        if held.contains_key(sha256) || is_used()? {
            return Ok(false);
        }
        match fs::remove_file(self.path(sha256)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            result => Ok(result.is_ok()),
        }
    }

    /// Every content.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<FoundFile>> {
        let mut found = Vec::new();
        for shard in read_folder(&self.folder)? {
            if is_hex(&shard.name, 2) {
                let files = read_folder(&shard.path)?;
                found.extend(files.into_iter().filter(|file| is_hex(&file.name, 64)));
            }
        }
        Ok(found)
    }

    /// Every temporary file.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list_temporary(&self) -> io::Result<Vec<FoundFile>> {
        read_folder(&self.tmp())
    }
}

/// The id of the resumable upload to which a temporary file belongs.
pub fn resumable_id(file_name: &str) -> Option<&str> {
    let (id, extension) = file_name.split_once('.')?;
    (extension == RESUMABLE).then_some(id)
}

fn is_hex(name: &str, length: usize) -> bool {
    name.len() == length && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn read_folder(folder: &Path) -> io::Result<Vec<FoundFile>> {
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
        found.push(FoundFile {
            name: entry.file_name().to_string_lossy().into_owned(),
            path: entry.path(),
            written_at: metadata.modified()?,
            size: metadata.len(),
        });
    }
    Ok(found)
}

/// Creates a folder that only its owner can open; returns whether it is new.
fn create_folder(folder: &Path) -> io::Result<bool> {
    if folder.is_dir() {
        return Ok(false);
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    Ok(true)
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// A temporary file, deleted when it is dropped.
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
        Ok(Self::new(contents, path, file))
    }

    fn new(contents: &Arc<Contents>, path: PathBuf, file: File) -> Self {
        Self {
            contents: contents.clone(),
            path,
            file: Arc::new(file),
            keep: false,
        }
    }

    /// An existing file of the folder, which becomes temporary.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(contents: &Arc<Contents>, path: PathBuf) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(&path)?;
        contents.active().insert(path.clone());
        Ok(Self::new(contents, path, file))
    }

    /// The open file.
    pub fn file(&self) -> &Arc<File> {
        &self.file
    }

    /// Leaves the file where it is.
    pub fn keep(mut self) {
        self.keep = true;
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.keep = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.keep {
            let _ = fs::remove_file(&self.path);
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
        let mut held = self.contents.held();
        if let Some(count) = held.get_mut(&self.sha256) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.sha256);
            }
        }
    }
}
