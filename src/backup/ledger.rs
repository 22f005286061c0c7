//! The ledger of erased people: a line with the keyed hash of an address per erasure, in the data
//! folder, in every backup made since, and beside the backups. A restore of an older backup reads
//! all of them and erases again. The key is derived from `address.key`, which every backup
//! contains.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::{Place, list};
use crate::domain::clock::Time;
use crate::store::key_files::KeyFile;

/// The ledger's name in the data folder, in a backup and beside the backups.
pub const LEDGER: &str = "erasures.jsonl";

/// One erasure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// When: requests made later are not concerned.
    pub at: String,
    /// The id of the key of `person`.
    pub key: String,
    /// The keyed hash of the address.
    pub person: String,
}

/// The key of the hashes.
#[derive(Clone)]
pub struct LedgerKey(Hmac<Sha256>);

impl LedgerKey {
    /// The key of the data folder `data`.
    ///
    /// # Errors
    /// If `address.key` cannot be read.
    pub fn read(data: &Path) -> Result<Self> {
        let path = data.join(KeyFile::Address.name());
        let text = fs::read_to_string(&path).with_context(|| {
            format!(
                "cannot read {}, with which erased addresses are hashed",
                path.display()
            )
        })?;
        let mac = Hmac::<Sha256>::new_from_slice(text.trim().as_bytes())?;
        Ok(Self(mac))
    }

    fn hash(&self, purpose: &str, text: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(format!("erasure ledger {purpose}\0{text}").as_bytes());
        hex::encode(&mac.finalize().into_bytes()[..20])
    }

    fn id(&self) -> String {
        self.hash("id", "")[..16].to_owned()
    }

    fn line(&self, email: &str, at: Time) -> Line {
        Line {
            at: at.to_string(),
            key: self.id(),
            person: self.person(email),
        }
    }

    /// The keyed hash of an address.
    pub fn person(&self, email: &str) -> String {
        self.hash("person", &normalized(email))
    }

    /// Until when the requests of this address are erased, by `lines`.
    pub fn erased_until(&self, lines: &BTreeSet<Line>, email: &str) -> Option<Time> {
        let (id, person) = (self.id(), self.person(email));
        let ours = lines
            .iter()
            .filter(|line| line.key == id && line.person == person);
        ours.filter_map(|line| Time::parse(&line.at)).max()
    }

    /// The number of erasures in `lines` that were hashed with another key.
    pub fn foreign(&self, lines: &BTreeSet<Line>) -> usize {
        let id = self.id();
        lines.iter().filter(|line| line.key != id).count()
    }
}

fn normalized(email: &str) -> String {
    email.trim().to_ascii_lowercase()
}

/// Writes a line for the erasure of `email` into the data folder and, if there is one, beside the
/// backups in `backups`. Call it before the erasure.
///
/// # Errors
/// If the data folder's ledger cannot be written, or the one beside the backups.
pub fn record(data: &Path, backups: Option<&Place>, email: &str, at: Time) -> Result<()> {
    let line = LedgerKey::read(data)?.line(email, at);
    append(&data.join(LEDGER), [&line])?;
    match backups {
        // Nothing was ever backed up there.
        Some(Place::Folder(folder)) if !folder.exists() => Ok(()),
        Some(backups) => copy_beside(data, backups),
        None => Ok(()),
    }
}

/// Adds the lines of the data folder's ledger to the one beside the backups.
pub(super) fn copy_beside(data: &Path, backups: &Place) -> Result<()> {
    let (ours, theirs) = (read(&data.join(LEDGER))?, read_in(backups)?);
    match backups {
        Place::Folder(folder) => append(&folder.join(LEDGER), ours.difference(&theirs)),
        Place::Bucket(_) if ours.is_subset(&theirs) => Ok(()),
        Place::Bucket(_) => backups.write(LEDGER, text(ours.union(&theirs))?.as_bytes()),
    }
}

/// Every line known in the data folder `data`, if given, and at the backup `backup`: in it, beside
/// it, and in later backups beside it. Sealed copies are skipped: the one beside them is newer.
///
/// # Errors
/// If a ledger is damaged.
pub(super) fn known(backup: &Place) -> Result<BTreeSet<Line>> {
    let mut lines = read_in(backup)?;
    if let Some(beside) = backup.above() {
        lines.extend(read_in(&beside)?);
        for other in list::places(&beside).unwrap_or_default() {
            lines.extend(read_in(&other)?);
        }
    }
    Ok(lines)
}

/// The lines of the ledger in `place`; none if there is no ledger.
fn read_in(place: &Place) -> Result<BTreeSet<Line>> {
    parse(place.read_text(LEDGER), &place.below(LEDGER))
}

/// The lines of a ledger; none if the file does not exist.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn read(path: &Path) -> Result<BTreeSet<Line>> {
    parse(fs::read_to_string(path), &Place::from(path))
}

fn parse(read: io::Result<String>, from: &Place) -> Result<BTreeSet<Line>> {
    let text = match read {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {from}")),
    };
    text.lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{from} is damaged: an erased person could come back"))
}

/// The lines as text.
fn text<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Result<String> {
    let mut text = String::new();
    for line in lines {
        text += &(serde_json::to_string(line)? + "\n");
    }
    Ok(text)
}

/// Appends lines and syncs the file.
///
/// # Errors
/// If it cannot be written.
pub(super) fn append<'a>(path: &Path, lines: impl IntoIterator<Item = &'a Line>) -> Result<()> {
    let text = text(lines)?;
    if text.is_empty() {
        return Ok(());
    }
    let describe = || format!("cannot write {}", path.display());
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options
        .append(true)
        .create(true)
        .open(path)
        .with_context(describe)?;
    file.write_all(text.as_bytes()).with_context(describe)?;
    file.sync_all().with_context(describe)?;
    if let Some(folder) = path.parent() {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .with_context(describe)?;
    }
    Ok(())
}
