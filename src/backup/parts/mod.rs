//! The files of the data folder that belong to a backup, and copying one of them with its sum.

pub(super) mod file_names;
pub(super) mod manifest;
pub(super) mod written_emails;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::chunks::in_chunks;
use super::parts::file_names::LEDGER;
use super::parts::manifest::Part;
use super::place::{Place, Writer};
use super::sealing::key::BackupKey;
use super::{DATABASE, Stopped, sealing};
use store::database::key_files::KeyFile;

/// The folders that are copied whole, without hidden files: pictures, stored files, edited content,
/// emails written as files, and the account and certificate of `server.tls_acme`.
const FOLDERS: [&str; 5] = ["media", "files", "content", "mail", "acme"];

/// The names of the files beside the database, relative to `data`.
pub(super) fn beside_database(data: &Path) -> Result<Vec<String>> {
    let single = KeyFile::ALL.iter().map(|file| file.name()).chain([LEDGER]);
    let mut names: Vec<String> = single
        .filter(|name| data.join(name).exists())
        .map(str::to_owned)
        .collect();
    for folder in FOLDERS {
        collect(data, &PathBuf::from(folder), &mut names)
            .with_context(|| format!("cannot read {}", data.join(folder).display()))?;
    }
    names.sort();
    Ok(names)
}

fn collect(data: &Path, folder: &Path, names: &mut Vec<String>) -> io::Result<()> {
    let entries = match fs::read_dir(data.join(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let name = entry?.file_name();
        let path = folder.join(&name);
        let (Some(text), false) = (path.to_str(), name.to_string_lossy().starts_with('.')) else {
            continue;
        };
        match fs::metadata(data.join(&path)) {
            Ok(found) if found.is_dir() => collect(data, &path, names)?,
            Ok(found) if found.is_file() => names.push(text.to_owned()),
            Ok(_) => {}
            // Removed since it was listed.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A stream that counts and hashes its bytes.
struct Hashing<T> {
    stream: T,
    sum: Sha256,
    bytes: u64,
}

impl<T> Hashing<T> {
    fn new(stream: T) -> Self {
        Self {
            stream,
            sum: Sha256::new(),
            bytes: 0,
        }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// The part `name` with these bytes.
    fn part(self, name: &str) -> Part {
        Part {
            name: name.to_owned(),
            bytes: self.bytes,
            sha256: hex::encode(self.sum.finalize()),
        }
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.count(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.count(&buffer[..read]);
        Ok(read)
    }
}

/// Whether to copy unchanged, to seal, or to open with a key.
#[derive(Clone, Copy)]
pub(super) enum Mode<'a> {
    Plain,
    Seal(&'a BackupKey),
    Open(&'a BackupKey),
}

/// Copies the part `name` from `from` to the new file `to`, durably. Calls `each` with the number
/// of bytes of each chunk. Returns the part with the sum of the bytes in the backup: those written,
/// or with `Mode::Open` those read.
pub(super) fn copy(
    name: &str,
    mut from: impl Read,
    mut to: Writer,
    mode: Mode<'_>,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<Part> {
    let describe = || format!("cannot write `{name}`");
    let part = match mode {
        Mode::Open(key) => {
            let mut reading = Hashing::new(&mut from);
            let mut plain = io::BufWriter::new(&mut to);
            sealing::open(key, &mut reading, &mut plain, each)?;
            plain.flush().with_context(describe)?;
            drop(plain);
            reading.part(name)
        }
        Mode::Seal(key) => {
            let mut writing = Hashing::new(&mut to);
            let sealed = sealing::seal(key, &mut from, &mut writing, each);
            sealed.with_context(describe)?;
            writing.part(name)
        }
        Mode::Plain => {
            let mut writing = Hashing::new(&mut to);
            in_chunks(&mut from, &mut |chunk| {
                writing.write_all(chunk).with_context(describe)?;
                Ok(each(chunk.len() as u64)?)
            })?;
            writing.part(name)
        }
    };
    to.finish().with_context(describe)?;
    Ok(part)
}

/// `part` with the sum of its file `file` in `place`.
pub(super) fn sum(
    part: &Part,
    place: &Place,
    file: &str,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<Part> {
    let describe = || format!("{} cannot be read", place.below(file));
    let file = place.reader(file).with_context(describe)?;
    let mut reading = Hashing::new(file);
    let read = in_chunks(&mut reading, &mut |chunk| Ok(each(chunk.len() as u64)?));
    read.map_err(|error| match error.is::<Stopped>() {
        true => error,
        false => error.context(describe()),
    })?;
    Ok(reading.part(&part.name))
}

/// The same, and the SHA-256 of the bytes of the part when it is opened with its key.
pub(super) fn sum_opened(
    part: &Part,
    place: &Place,
    file: &str,
    key: Option<&BackupKey>,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<(Part, String)> {
    let Some(key) = key else {
        let found = sum(part, place, file, each)?;
        let opened = found.sha256.clone();
        return Ok((found, opened));
    };
    let mut reading = Hashing::new(place.reader(file)?);
    let mut opened = Hashing::new(io::sink());
    sealing::open(key, &mut reading, &mut opened, each)?;
    Ok((reading.part(&part.name), opened.part(&part.name).sha256))
}

/// Whether a restore can do without this part: not the database and its keys.
pub(super) fn is_optional(name: &str) -> bool {
    let keys = KeyFile::ALL.iter().map(|file| file.name());
    !keys.chain([DATABASE]).any(|needed| needed == name)
}

/// Syncs `folder` and every folder in it, so that their entries survive a power failure.
pub(super) fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}
