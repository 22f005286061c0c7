//! Makes a data folder of a backup. The folder is complete when the last file gets its name, and
//! the database gets its name first: the server does not start on a half restored one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::key::BackupKey;
use super::ledger::{self, LEDGER, Line};
use super::manifest::Manifest;
use super::parts::{self, Mode};
use super::place::{Writer, create_private_folder};
use super::source::check_key_file;
use super::{DATABASE, Fingerprint, Place, Watch, inspect_copy, report, verify};
use crate::domain::clock::Time;
use crate::store::inspection::Inspection;
use crate::store::restored::{self, Prepared};
use crate::store::snapshot;

/// The hidden folder in the target in which a restore works.
const PARTIAL: &str = ".restoring";

/// A restored backup.
#[derive(Debug)]
pub struct Restored {
    /// The backup.
    pub backup: Place,
    /// What it contains.
    pub manifest: Manifest,
    /// What was changed in its database.
    pub prepared: Prepared,
    /// Erasures that could not be applied, since they were recorded with other keys.
    pub unknown_erasures: usize,
}

/// Restores the backup `from` to the folder `to`, which must be empty or missing.
/// `ledgers` are further ledgers of erased people. Every part is verified before anything gets its
/// name.
///
/// # Errors
/// If `to` is in use or not empty, if the backup is damaged or of a newer program (naming the
/// part), or if a file cannot be written. Nothing stays in `to` then.
pub fn restore(
    from: &Place,
    key: Option<&BackupKey>,
    to: &Path,
    ledgers: &[PathBuf],
    (fingerprint, now): (Fingerprint, Time),
    watch: Watch<'_>,
) -> Result<Restored> {
    let manifest = Manifest::read(from, key)?;
    require_empty(to)?;
    create_private_folder(to)?;
    let partial = to.join(PARTIAL);
    create_private_folder(&partial)?;
    let result = fill(from, key, &manifest, &partial, fingerprint, watch)
        .and_then(|()| prepare(from, &partial, ledgers, now, watch))
        .and_then(|prepared| {
            parts::sync_folders(&partial)?;
            put_in_place(&partial, to)?;
            Ok(prepared)
        });
    if result.is_err() {
        let _ = fs::remove_dir_all(&partial);
    }
    let (prepared, unknown_erasures) = result?;
    Ok(Restored {
        backup: from.clone(),
        manifest,
        prepared,
        unknown_erasures,
    })
}

fn require_empty(to: &Path) -> Result<()> {
    let mut entries = match fs::read_dir(to) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", to.display())),
    };
    if to.join(DATABASE).exists() {
        bail!(
            "{} is a data folder in use: stop the server, move the folder away, and restore again",
            to.display()
        );
    }
    if entries.next().is_some() {
        bail!("{} is not empty: name a new folder with --to", to.display());
    }
    Ok(())
}

/// Copies every part into `partial` and checks it, and that the parts belong together.
fn fill(
    from: &Place,
    key: Option<&BackupKey>,
    manifest: &Manifest,
    partial: &Path,
    fingerprint: Fingerprint,
    watch: Watch<'_>,
) -> Result<()> {
    let (total, mut done) = (manifest.bytes(), 0);
    let sealing_key = key.filter(|_| manifest.key.is_some());
    for part in &manifest.parts {
        let file = manifest.file_name(&part.name);
        let file = from.reader(&file).with_context(|| {
            let place = from.below(&file);
            format!("`{}` of the backup is missing: {place}", part.name)
        })?;
        let mode = sealing_key.map_or(Mode::Plain, Mode::Open);
        let to = Writer::file(&partial.join(&part.name))?;
        let copied = parts::copy(&part.name, file, to, mode, &mut |bytes| {
            done += bytes;
            report(watch, "restoring the parts", done, total)
        })
        .with_context(|| verify::damaged(&part.name))?;
        if copied != *part {
            bail!(verify::damaged(&part.name));
        }
    }
    let database = partial.join(DATABASE);
    let Inspection { faults, keys, .. } = inspect_copy(&database, "checking the database", watch)?;
    if let Some(fault) = faults.first() {
        bail!("`{DATABASE}` of the backup is not fit to be restored: {fault}");
    }
    if snapshot::counts(&database)? != manifest.counts {
        bail!("`{DATABASE}` of the backup has other rows than its manifest says");
    }
    for (file, known) in keys {
        check_key_file(partial, file, &known, fingerprint).with_context(|| {
            format!("`{}` of the backup is not fit to be restored", file.name())
        })?;
    }
    Ok(())
}

/// Prepares the database; returns what was changed, and how many erasures could not be applied.
fn prepare(
    from: &Place,
    partial: &Path,
    ledgers: &[PathBuf],
    now: Time,
    watch: Watch<'_>,
) -> Result<(Prepared, usize)> {
    report(watch, "preparing the database", 0, 1)?;
    let mut lines = ledger::known(from)?;
    for path in ledgers {
        lines.extend(ledger::read(path)?);
    }
    lines.extend(ledger::read(&partial.join(LEDGER))?);
    let key = (!lines.is_empty())
        .then(|| ledger::LedgerKey::read(partial))
        .transpose()?;
    let erased_until = |email: &str| key.as_ref()?.erased_until(&lines, email);
    let prepared = restored::prepare(&partial.join(DATABASE), now, &erased_until)?;
    let ours: BTreeSet<Line> = ledger::read(&partial.join(LEDGER))?;
    ledger::append(&partial.join(LEDGER), lines.difference(&ours))?;
    let unknown = key.map_or(0, |key| key.foreign(&lines));
    Ok((prepared, unknown))
}

/// Moves everything from `partial` into `to`, the database first.
fn put_in_place(partial: &Path, to: &Path) -> Result<()> {
    let mut names = vec![DATABASE.into()];
    for entry in fs::read_dir(partial)? {
        let name = entry?.file_name();
        if name != DATABASE {
            names.push(name);
        }
    }
    for name in names {
        fs::rename(partial.join(&name), to.join(&name))
            .with_context(|| format!("cannot write {}", to.join(&name).display()))?;
    }
    fs::remove_dir(partial)?;
    Ok(File::open(to)?.sync_all()?)
}
