//! Where contents are kept by their SHA-256: in a folder, or in a bucket. All functions block.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::contents::folder::{create_folder, is_hex, read_folder, sync_folder};
use s3::{Bucket, Found, Reading};

/// The bytes of a content, or a part of them, opened for a download.
pub enum Opened {
    /// A whole file, from which the part is read.
    File(File),
    /// The pieces of the part.
    Stream(Reading),
}

/// A place of contents, each written once: whole, or not at all.
pub(crate) trait Place: Send + Sync {
    /// Stores the complete file `file` at `path` as the content `sha256`, durably. The file may be
    /// moved away from `path`.
    fn publish(&self, path: &Path, file: &File, sha256: &str) -> io::Result<()>;

    /// Opens a part of a content for a download.
    fn open(&self, sha256: &str, part: Range<u64>) -> io::Result<Opened>;

    /// A content as a file on this machine; `tmp` is a folder for temporary files.
    fn file(&self, sha256: &str, tmp: &Path) -> io::Result<File>;

    /// Whether there is a content.
    fn has(&self, sha256: &str) -> io::Result<bool>;

    /// Deletes a content. A missing content is not an error.
    fn remove(&self, sha256: &str) -> io::Result<()>;

    /// The contents, each named by its SHA-256.
    fn list(&self) -> io::Result<Vec<Found>>;

    /// Makes this server the owner of the place, unless it belongs to another one.
    fn claim(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The name of a content in its place: `ab/abcd…`.
fn name(sha256: &str) -> String {
    format!("{}/{sha256}", sha256.get(..2).unwrap_or("00"))
}

/// A folder: contents are files in a subfolder for each first byte.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    fn path(&self, sha256: &str) -> PathBuf {
        self.0.join(name(sha256))
    }
}

impl Place for Folder {
    fn publish(&self, path: &Path, file: &File, sha256: &str) -> io::Result<()> {
        file.sync_all()?;
        let target = self.path(sha256);
        let shard = target.parent().unwrap_or(&self.0);
        if create_folder(shard)? {
            sync_folder(&self.0)?;
        }
        fs::rename(path, &target)?;
        sync_folder(shard)
    }

    fn open(&self, sha256: &str, _part: Range<u64>) -> io::Result<Opened> {
        File::open(self.path(sha256)).map(Opened::File)
    }

    fn file(&self, sha256: &str, _tmp: &Path) -> io::Result<File> {
        File::open(self.path(sha256))
    }

    fn has(&self, sha256: &str) -> io::Result<bool> {
        self.path(sha256).try_exists()
    }

    fn remove(&self, sha256: &str) -> io::Result<()> {
        match fs::remove_file(self.path(sha256)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn list(&self) -> io::Result<Vec<Found>> {
        let mut found = Vec::new();
        for shard in read_folder(&self.0)? {
            if is_hex(&shard.name, 2) {
                let files = read_folder(&self.0.join(&shard.name))?;
                let contents = files.into_iter().filter(|file| is_hex(&file.name, 64));
                found.extend(contents);
            }
        }
        Ok(found)
    }
}

impl Place for Bucket {
    fn publish(&self, _path: &Path, file: &File, sha256: &str) -> io::Result<()> {
        let mut file = file;
        file.rewind()?;
        let mut upload = self.upload(&name(sha256), file.metadata()?.len());
        io::copy(&mut file, &mut upload)?;
        Ok(upload.finish()?)
    }

    fn open(&self, sha256: &str, part: Range<u64>) -> io::Result<Opened> {
        Ok(self.read(&name(sha256), part).map(Opened::Stream)?)
    }

    fn file(&self, sha256: &str, tmp: &Path) -> io::Result<File> {
        let mut download = self.open_object(&name(sha256))?;
        create_folder(tmp)?;
        // Without a name: the file disappears with the process.
        let mut file = tempfile::tempfile_in(tmp)?;
        io::copy(&mut download, &mut file)?;
        file.rewind()?;
        Ok(file)
    }

    fn has(&self, sha256: &str) -> io::Result<bool> {
        Ok(Self::has(self, &name(sha256))?)
    }

    fn remove(&self, sha256: &str) -> io::Result<()> {
        Ok(self.delete(&name(sha256))?)
    }

    fn list(&self) -> io::Result<Vec<Found>> {
        let objects = Self::list(self)?.into_iter();
        let contents = objects.filter_map(|object| {
            let (shard, sha256) = object.name.split_once('/')?;
            let is_content = is_hex(sha256, 64) && sha256.starts_with(shard) && shard.len() == 2;
            let name = sha256.to_owned();
            is_content.then_some(Found { name, ..object })
        });
        Ok(contents.collect())
    }
}
