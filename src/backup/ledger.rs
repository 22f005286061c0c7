//! The ledger of erased people: one line with the keyed hash of an address per erasure, in the data
//! folder, in every later backup, and beside the backups. A restore of an older backup reads all of
//! them and erases again. The key is derived from `address.key`, which every backup contains.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::Place;
use super::parts::file_names::LEDGER;
use super::place::list;
use domain::clock::Time;
use s3::ownership::Role;
use store::database::key_files::KeyFile;

/// One erasure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// The time: later requests are kept.
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
    /// The key of the data folder `data`. Fails if `address.key` cannot be read.
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

    /// The time until which the requests of this address are erased, by `lines`.
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

/// Writes a line for the erasure of `email` into the ledger of the data folder. Call it before the
/// erasure, and `complete` for the places of backups.
pub fn record(data: &Path, email: &str, at: Time) -> Result<()> {
    append(
        &data.join(LEDGER),
        [&LedgerKey::read(data)?.line(email, at)],
    )
}

/// Completes the ledger in a place of backups that is this server's; returns false if the place is
/// not there now.
pub fn complete(data: &Path, place: &Place, role: &Role) -> Result<bool> {
    if !place.is_present() {
        return Ok(false);
    }
    role.claim(&place.marked()?)?;
    copy_beside(data, place)?;
    Ok(true)
}

/// Adds the lines of the data folder's ledger to the one beside the backups, which is created even
/// if it stays empty, so that a restore can check that it exists.
pub(super) fn copy_beside(data: &Path, backups: &Place) -> Result<()> {
    let (ours, beside) = (read(&data.join(LEDGER))?, read_in(backups)?);
    let is_missing = beside.is_none();
    let theirs = beside.unwrap_or_default();
    if ours.is_subset(&theirs) && !is_missing {
        return Ok(());
    }
    match backups {
        Place::Folder(folder) => {
            append_text(&folder.join(LEDGER), &text(ours.difference(&theirs))?)
        }
        Place::Bucket(_) => backups.write(LEDGER, text(ours.union(&theirs))?.as_bytes()),
    }
}

/// The erasures known at a backup.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The erasures.
    pub(super) lines: BTreeSet<Line>,
    /// Whether a ledger was found that may be newer than the backup.
    pub(super) found: bool,
}

impl Known {
    /// Adds a ledger; `None` if there is no such file.
    pub(super) fn add(&mut self, ledger: Option<BTreeSet<Line>>) {
        self.found |= ledger.is_some();
        self.lines.extend(ledger.into_iter().flatten());
    }
}

/// Every line known at the backup `backup`: in it, beside it, and in other backups beside it.
/// Sealed copies are skipped: the one beside them is newer. Fails if a ledger is damaged.
pub(super) fn known(backup: &Place) -> Result<Known> {
    let mut known = Known::default();
    known.lines.extend(read_in(backup)?.unwrap_or_default());
    if let Some(beside) = backup.above() {
        known.add(read_in(&beside)?);
        for other in list::places(&beside).unwrap_or_default() {
            known.lines.extend(read_in(&other)?.unwrap_or_default());
        }
    }
    Ok(known)
}

/// The lines of the ledger in `place`; `None` if there is no ledger.
fn read_in(place: &Place) -> Result<Option<BTreeSet<Line>>> {
    parse(place.read_text(LEDGER), &place.below(LEDGER))
}

/// The lines of a ledger; none if the file does not exist. Fails if it cannot be read, or holds
/// something else.
pub fn read(path: &Path) -> Result<BTreeSet<Line>> {
    Ok(parse(fs::read_to_string(path), &Place::from(path))?.unwrap_or_default())
}

/// The lines of a ledger named by the user. Errors: as `read`; if the file does not exist.
pub(super) fn read_named(path: &Path) -> Result<BTreeSet<Line>> {
    let lines = parse(fs::read_to_string(path), &Place::from(path))?;
    lines.with_context(|| format!("there is no ledger {}", path.display()))
}

fn parse(read: io::Result<String>, from: &Place) -> Result<Option<BTreeSet<Line>>> {
    let text = match read {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {from}")),
    };
    text.lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map(Some)
        .with_context(|| format!("{from} is damaged: an erased person could come back"))
}

fn text<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Result<String> {
    let mut text = String::new();
    for line in lines {
        text += &(serde_json::to_string(line)? + "\n");
    }
    Ok(text)
}

/// Appends lines and syncs the file.
pub(super) fn append<'a>(path: &Path, lines: impl IntoIterator<Item = &'a Line>) -> Result<()> {
    match text(lines)?.as_str() {
        "" => Ok(()),
        text => append_text(path, text),
    }
}

/// Appends to a ledger, which is created if it is missing.
fn append_text(path: &Path, text: &str) -> Result<()> {
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
