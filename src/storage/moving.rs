//! Moves stored files from the data folder to a bucket, or back. Each content is read back at its
//! new place and compared with its name, which is its SHA-256, before it is deleted at the old one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::Files;
use super::sweep::Deletable;
use crate::contents::folder::create_folder;
use crate::contents::place::{Folder, Place};
use config::SCHEME;
use s3::ownership::{Marked, Role};
use s3::{Bucket, Found, Patience};
use store::storage::object_contents;

/// The name of the data folder as a place of files.
pub const DATA: &str = "data";

/// Bytes hashed at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// The result of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Contents that were copied, read back and compared.
    pub copied: usize,
    pub bytes: u64,
    /// Contents deleted at their old place, since they are complete at the new one.
    pub removed: usize,
    /// Unused contents, which were deleted at their old place.
    pub unused: usize,
    /// Contents whose bytes do not match their name: they stay where they are.
    pub damaged: Vec<String>,
}

/// The data of the database that a move needs.
pub struct Known {
    used: BTreeSet<String>,
    deletable: Deletable,
}

impl Files {
    /// The parameters of a move.
    pub async fn known_to_a_move(&self) -> super::Result<Known> {
        let deletable = self.deletable().await?;
        let used = self.store.read(object_contents::contents).await?;
        Ok(Known { used, deletable })
    }
}

/// A move between two places of contents.
pub struct Move {
    from: Box<dyn Place>,
    to: Box<dyn Place>,
    tmp: PathBuf,
}

impl Move {
    /// From one address to another, each `data` or `s3://bucket/prefix`. A bucket must be this
    /// database's by `role`. Fails if an address is none, or a bucket belongs to another server or
    /// cannot be reached.
    pub fn open(from: &str, to: &str, s3: &config::S3, data: &Path, role: &Role) -> Result<Self> {
        let folder = data.join("files");
        let open = |address: &str| -> Result<Box<dyn Place>> {
            if address == DATA {
                return Ok(Box::new(Folder(folder.clone())));
            }
            if !address.starts_with(SCHEME) {
                bail!("`{address}` is not a place of files; use `data` or s3://bucket/prefix");
            }
            let bucket = Bucket::open(s3, address, Patience::Job)?;
            role.claim(&Marked::Bucket(bucket.clone()))?;
            Ok(Box::new(bucket))
        };
        Ok(Self {
            from: open(from)?,
            to: open(to)?,
            tmp: folder.join("tmp"),
        })
    }

    /// Copies what the other place lacks; with `remove`, deletes what is whole there, and what
    /// nothing needs. May be interrupted at any time, and run again. `watch` gets the bytes done
    /// and in total, and can stop it between two contents. Fails if a place fails, or `watch` stops
    /// it.
    pub fn run(
        &self,
        known: &Known,
        remove: bool,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Moved> {
        create_folder(&self.tmp)?;
        let found = self.from.list().context("the files to move")?;
        let there = self.to.list().context("the place to move to")?;
        let there: BTreeMap<&str, u64> = there
            .iter()
            .map(|content| (content.name.as_str(), content.size))
            .collect();
        let (total, mut done) = (found.iter().map(|content| content.size).sum(), 0);
        let mut moved = Moved::default();
        for content in &found {
            if watch(done, total).is_break() {
                bail!("stopped; run the same command again to continue");
            }
            done += content.size;
            let is_there = there.get(content.name.as_str()) == Some(&content.size);
            self.take(content, is_there, known, remove, &mut moved)
                .with_context(|| format!("the content {}", content.name))?;
        }
        Ok(moved)
    }

    fn take(
        &self,
        content: &Found,
        is_there: bool,
        known: &Known,
        remove: bool,
        moved: &mut Moved,
    ) -> Result<()> {
        let sha256 = &content.name;
        if !known.used.contains(sha256) && known.deletable.contains(content) {
            if remove {
                self.from.remove(sha256)?;
                moved.unused += 1;
            }
            return Ok(());
        }
        let is_whole = is_there && (!remove || self.is_whole(&*self.to, sha256)?);
        if !is_whole {
            if !self.copy(sha256)? {
                moved.damaged.push(sha256.clone());
                return Ok(());
            }
            if !self.is_whole(&*self.to, sha256)? {
                bail!("it was stored, but other bytes were read back");
            }
            moved.copied += 1;
            moved.bytes += content.size;
        }
        if remove {
            self.from.remove(sha256)?;
            moved.removed += 1;
        }
        Ok(())
    }

    /// Copies a content; `false` if its bytes are not those of its name.
    fn copy(&self, sha256: &str) -> Result<bool> {
        let mut source = self.from.file(sha256, &self.tmp)?;
        let mut copy = NamedTempFile::new_in(&self.tmp)?;
        io::copy(&mut source, copy.as_file_mut())?;
        copy.rewind()?;
        if digest(copy.as_file_mut())? != sha256 {
            return Ok(false);
        }
        self.to.publish(copy.path(), copy.as_file(), sha256)?;
        Ok(true)
    }

    /// Whether the bytes of a content in `place` are those of its name.
    fn is_whole(&self, place: &dyn Place, sha256: &str) -> Result<bool> {
        Ok(digest(&mut place.file(sha256, &self.tmp)?)? == sha256)
    }
}

/// The SHA-256 of a file, in hexadecimal.
pub(super) fn digest(file: &mut File) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(digest.finalize())),
            length => digest.update(&buffer[..length]),
        }
    }
}
