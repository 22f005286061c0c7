//! The files of the data folder that belong to a backup, and copying one of them with its sum.

pub(super) mod file_names;
pub(super) mod manifest;
pub(super) mod written_emails;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::parts::file_names::LEDGER;
use super::parts::manifest::Part;
use super::place::{Place, Writer};
use super::sealing::key::BackupKey;
use super::{DATABASE, Stopped, sealing};
use store::database::key_files::KeyFile;

/// The folders that are copied whole, without hidden files: pictures, stored files, edited content,
/// emails written as files, and the account and certificate of `server.tls_acme`.
const FOLDERS: [&str; 5] = ["media", "files", "content", "mail", "acme"];
/// Bytes copied at a time.
const BUFFER: usize = 1 << 16;

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

/// A writer that counts and hashes its bytes.
struct Hashing<W> {
    to: W,
    sum: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
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
    let mut each = |bytes: u64| each(bytes).map_err(io::Error::other);
    let (sum, bytes) = match mode {
        Mode::Open(key) => {
            let mut reading = HashingReader::new(&mut from);
            let mut plain = io::BufWriter::new(&mut to);
            sealing::open(key, name, &mut reading, &mut plain, &mut each)?;
            plain.flush().with_context(describe)?;
            drop(plain);
            (reading.sum, reading.bytes)
        }
        Mode::Seal(key) => {
            let mut writing = Hashing::new(&mut to);
            sealing::seal(key, name, &mut from, &mut writing, &mut each).with_context(describe)?;
            (writing.sum, writing.bytes)
        }
        Mode::Plain => {
            let mut writing = Hashing::new(&mut to);
            let mut buffer = vec![0; BUFFER];
            loop {
                let read = from.read(&mut buffer)?;
                if read == 0 {
                    break;
                }
                writing.write_all(&buffer[..read]).with_context(describe)?;
                each(read as u64)?;
            }
            (writing.sum, writing.bytes)
        }
    };
    to.finish().with_context(describe)?;
    Ok(Part {
        name: name.to_owned(),
        bytes,
        sha256: hex::encode(sum.finalize()),
    })
}

impl<W> Hashing<W> {
    fn new(to: W) -> Self {
        Self {
            to,
            sum: Sha256::new(),
            bytes: 0,
        }
    }
}

/// A reader that counts and hashes its bytes.
struct HashingReader<'a> {
    from: &'a mut dyn Read,
    sum: Sha256,
    bytes: u64,
}

impl<'a> HashingReader<'a> {
    fn new(from: &'a mut dyn Read) -> Self {
        Self {
            from,
            sum: Sha256::new(),
            bytes: 0,
        }
    }
}

impl Read for HashingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.sum.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// `part` with the sum of its file `file` in `place`. Reads at most one byte more than its size in
/// the manifest.
pub(super) fn sum(
    part: &Part,
    place: &Place,
    file: &str,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<Part> {
    let describe = || format!("{} cannot be read", place.below(file));
    let mut file = bounded(place.reader(file).with_context(describe)?, part);
    let mut reading = HashingReader::new(&mut file);
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = reading.read(&mut buffer).with_context(describe)?;
        if read == 0 {
            break;
        }
        each(read as u64)?;
    }
    Ok(Part {
        name: part.name.clone(),
        bytes: reading.bytes,
        sha256: hex::encode(reading.sum.finalize()),
    })
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
    let mut sealed = bounded(place.reader(file)?, part);
    let mut reading = HashingReader::new(&mut sealed);
    let mut opened = Hashing::new(io::sink());
    let mut each = |bytes: u64| each(bytes).map_err(io::Error::other);
    sealing::open(key, &part.name, &mut reading, &mut opened, &mut each)?;
    let found = Part {
        name: part.name.clone(),
        bytes: reading.bytes,
        sha256: hex::encode(reading.sum.finalize()),
    };
    Ok((found, hex::encode(opened.sum.finalize())))
}

/// The beginning of the file of `part`: one byte more than its size in the manifest, to detect a
/// longer one.
pub(super) fn bounded(file: impl Read, part: &Part) -> impl Read {
    file.take(part.bytes.saturating_add(1))
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
