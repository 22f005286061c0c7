//! Makes a data folder of a backup. The folder is complete when the hidden one in it is gone, in
//! which the restore works: until then no command opens it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::ledger::{self, Line};
use super::parts::file_names::LEDGER;
use super::parts::manifest::{Manifest, Part};
use super::parts::written_emails::remove_emails_of;
use super::parts::{self, Mode};
use super::place::{Writer, create_private_folder};
use super::sealing::opening::Opening;
use super::source::{check_key_file, require_space};
use super::{DATABASE, Fingerprint, Place, Stopped, Watch, inspect_copy, report, verify};
use domain::clock::Time;
use store::database::copies::snapshot;
use store::database::disk::file_permissions::quoted;
use store::database::disk::leftovers::{RESTORING, explain_incomplete, use_while_open};
use store::installation::inspection::Inspection;
use store::installation::restore_preparation;
use store::installation::restore_preparation::Prepared;

/// The backup to restore, and the folder to restore it to.
pub struct Restore<'a> {
    pub from: &'a Place,
    /// The key of a sealed backup.
    pub opening: Opening<'a>,
    /// The new data folder: empty or missing.
    pub to: &'a Path,
    /// Further ledgers of erased people.
    pub ledgers: &'a [PathBuf],
    /// Damaged parts to leave out.
    pub without: &'a [String],
    /// Checks the key files.
    pub fingerprint: Fingerprint,
    /// The current time.
    pub now: Time,
}

/// A restored data folder.
#[derive(Debug)]
pub struct Restored {
    pub backup: Place,
    pub manifest: Manifest,
    /// The changes in its database.
    pub prepared: Prepared,
    /// Files in `mail/` that were removed, since they name erased people.
    pub erased_emails: usize,
    /// Stored files that were removed, as only erased requests had them.
    pub erased_files: usize,
    /// Whether there was a ledger that may be newer than the backup: beside it, in a later one, or
    /// given.
    pub found_ledger: bool,
    /// Erasures that could not be applied, since they were recorded with other keys.
    pub unknown_erasures: usize,
}

/// Restores a backup to a new data folder. Every part is verified before any file gets its name.
/// Fails if the folder is in use or not empty, if the backup is damaged or of a newer program
/// (naming the parts), or if a file cannot be written. Nothing stays of the folder then.
pub fn restore(order: &Restore<'_>, watch: Watch<'_>) -> Result<Restored> {
    let manifest = Manifest::read(order.from, order.opening)?;
    require_empty(order.to)?;
    require_parts(&manifest, order.without)?;
    let missing = missing_folders(order.to);
    let partial = order.to.join(RESTORING);
    let mut in_use = None;
    let result = create_private_folder(&partial)
        .and_then(|()| {
            let opened = in_use.insert(File::open(&partial)?);
            Ok(use_while_open(opened)?)
        })
        .and_then(|()| require_space(&partial, manifest.bytes(), "the restored folder"))
        .and_then(|()| fill(order, &manifest, &partial, watch))
        .and_then(|()| prepare(order, manifest, &partial, watch))
        .and_then(|restored| {
            parts::sync_folders(&partial)?;
            put_in_place(&partial, order.to)?;
            Ok(restored)
        });
    if result.is_err() {
        let _ = fs::remove_dir_all(&partial);
        for folder in missing {
            let _ = fs::remove_dir(folder);
        }
    }
    result
}

/// `to` and its missing parent folders, the innermost first.
fn missing_folders(to: &Path) -> Vec<PathBuf> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing = to.ancestors().take_while(is_missing);
    missing.map(Path::to_owned).collect()
}

/// Fails unless the parts to be left out exist and are optional.
fn require_parts(manifest: &Manifest, without: &[String]) -> Result<()> {
    for name in without {
        if !manifest.parts.iter().any(|part| part.name == *name) {
            bail!("the backup has no part `{name}` that could be left out");
        }
        if !parts::is_optional(name) {
            bail!("`{name}` cannot be left out: take an older backup");
        }
    }
    Ok(())
}

fn require_empty(to: &Path) -> Result<()> {
    let mut entries = match fs::read_dir(to) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", to.display())),
    };
    if let Some(why) = explain_incomplete(to) {
        bail!(why);
    }
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
fn fill(order: &Restore<'_>, manifest: &Manifest, partial: &Path, watch: Watch<'_>) -> Result<()> {
    copy_parts(order, manifest, partial, watch)?;
    let database = partial.join(DATABASE);
    let Inspection { faults, keys, .. } = inspect_copy(&database, "checking the database", watch)?;
    if let Some(fault) = faults.first() {
        bail!("`{DATABASE}` of the backup is not fit to be restored: {fault}");
    }
    if snapshot::counts(&database)? != manifest.counts {
        bail!("`{DATABASE}` of the backup has other rows than its manifest says");
    }
    for (file, known) in keys {
        check_key_file(partial, file, &known, order.fingerprint).with_context(|| {
            format!("`{}` of the backup is not fit to be restored", file.name())
        })?;
    }
    Ok(())
}

/// Copies the parts; the error names all damaged ones.
fn copy_parts(
    order: &Restore<'_>,
    manifest: &Manifest,
    partial: &Path,
    watch: Watch<'_>,
) -> Result<()> {
    let (total, mut done, mut stopped) = (manifest.bytes(), 0, false);
    let mut damaged = Vec::new();
    for part in &manifest.parts {
        if order.without.contains(&part.name) {
            continue;
        }
        let copied = copy_part(order, manifest, part, partial, &mut |bytes| {
            done += bytes;
            let reported = report(watch, "restoring the parts", done, total);
            stopped = reported.is_err();
            reported
        });
        match copied {
            Ok(()) => {}
            Err(error) if stopped || !parts::is_optional(&part.name) => return Err(error),
            Err(error) => damaged.push((&part.name, error)),
        }
    }
    let Some((_, first)) = damaged.first() else {
        return Ok(());
    };
    let flags: Vec<String> = damaged
        .iter()
        .map(|(name, _)| format!("--without {}", quoted(Path::new(name))))
        .collect();
    bail!(
        "{first:#}. To restore everything else, take an older backup or add {}",
        flags.join(" ")
    )
}

fn copy_part(
    order: &Restore<'_>,
    manifest: &Manifest,
    part: &Part,
    partial: &Path,
    each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
) -> Result<()> {
    let sealing_key = order.opening.key.filter(|_| manifest.key.is_some());
    let file = manifest.file_name(&part.name);
    let file = order.from.reader(&file).with_context(|| {
        let place = order.from.below(&file);
        format!("`{}` of the backup is missing: {place}", part.name)
    })?;
    let mode = sealing_key.map_or(Mode::Plain, Mode::Open);
    let to = Writer::file(&partial.join(&part.name))?;
    let copied = parts::copy(&part.name, file, to, mode, each)
        .with_context(|| verify::damaged(&part.name))?;
    if copied != *part {
        bail!(verify::damaged(&part.name));
    }
    Ok(())
}

/// Prepares the database and the written emails.
fn prepare(
    order: &Restore<'_>,
    manifest: Manifest,
    partial: &Path,
    watch: Watch<'_>,
) -> Result<Restored> {
    report(watch, "preparing the database", 0, 1)?;
    let mut known = ledger::known(order.from)?;
    for path in order.ledgers {
        known.add(Some(ledger::read_named(path)?));
    }
    let ours: BTreeSet<Line> = ledger::read(&partial.join(LEDGER))?;
    let mut lines = known.lines;
    lines.extend(ours.iter().cloned());
    let key = (!lines.is_empty())
        .then(|| ledger::LedgerKey::read(partial))
        .transpose()?;
    let erased_until = |email: &str| key.as_ref()?.erased_until(&lines, email);
    let prepared = {
        let made_at = manifest.created_at.as_str();
        restore_preparation::prepare(&partial.join(DATABASE), order.now, made_at, &erased_until)?
    };
    let erased_files = remove_contents(partial, &prepared.unused_contents)?;
    let erased_emails = match key.is_some() {
        true => remove_emails_of(partial, &prepared.email_ids, &erased_until)?,
        false => 0,
    };
    ledger::append(&partial.join(LEDGER), lines.difference(&ours))?;
    Ok(Restored {
        backup: order.from.clone(),
        manifest,
        prepared,
        erased_emails,
        erased_files,
        found_ledger: known.found,
        unknown_erasures: key.map_or(0, |key| key.foreign(&lines)),
    })
}

/// Deletes those of the contents that are in the folder; returns how many.
fn remove_contents(folder: &Path, contents: &[String]) -> Result<usize> {
    let mut removed = 0;
    for sha256 in contents {
        let shard = sha256.get(..2).unwrap_or_default();
        let path = folder.join("files").join(shard).join(sha256);
        match fs::remove_file(&path) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                return Err(error).with_context(|| format!("cannot delete {}", path.display()));
            }
        }
    }
    Ok(removed)
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
