//! Makes a backup beside the running server: written into a hidden folder, checked, then renamed;
//! or into a bucket, checked, with the manifest last. So an incomplete backup is never taken for
//! one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::ErrorKind;

use anyhow::{Context, Result, bail};

use super::earlier::Earlier;
use super::parts::manifest::{Manifest, Part};
use super::parts::{self, Mode};
use super::place::create_private_folder;
use super::place::list::{Entry, folder_name, next_sequence};
use super::place::prepare::prepare;
use super::source::{Source, check_snapshot, check_space, size};
use super::temporary_folder::TemporaryFolder;
use super::{DATABASE, Place, SETTINGS, Watch, ledger, report, require_place, verify};
use store::database::copies::snapshot;
use store::database::disk::leftovers::{PARTIAL_BACKUP, SNAPSHOT};

/// Makes a backup of `source` in `to`, which is created if missing. Fails if another backup is
/// running there, the data is damaged, a file cannot be read or written, or `watch` stopped it.
/// Nothing stays in `to` then.
pub fn create(source: &Source<'_>, to: &Place, watch: Watch<'_>) -> Result<Entry> {
    let database = source.data.join(DATABASE);
    if !database.exists() {
        bail!("there is no database at {}", database.display());
    }
    let known = require_place(source.data, to)?;
    let _lock = prepare(to, source.now)?;
    let names = parts::beside_database(source.data)?;
    let earlier = Earlier::find(to, source.key);
    let is_new = |name: &&String| earlier.as_ref().is_none_or(|it| it.part(name).is_none());
    check_space(source, to, names.iter().filter(is_new))?;
    let last = known.map_or(0, |known| known.sequence);
    let sequence = next_sequence(to, source.key.into(), last)?;
    let name = folder_name(source.now);
    let unfinished = match to {
        Place::Folder(_) => to.below(&format!("{PARTIAL_BACKUP}{name}")),
        Place::Bucket(_) => to.below(&name),
    };
    let filled = fill(
        source,
        sequence,
        &unfinished,
        &names,
        earlier.as_ref(),
        watch,
    );
    let result = filled.and_then(|manifest| {
        let place = to.below(&name);
        if let (Place::Folder(from), Place::Folder(path), Place::Folder(to)) =
            (&unfinished, &place, to)
        {
            parts::sync_folders(from)?;
            fs::rename(from, path).with_context(|| format!("cannot write {place}"))?;
            File::open(to)?.sync_all()?;
        }
        Ok(Entry { place, manifest })
    });
    if result.is_err() {
        let _ = unfinished.remove();
    }
    let entry = result?;
    ledger::copy_beside(source.data, to)?;
    Ok(entry)
}

/// Writes and checks all parts of the backup; the manifest comes last.
fn fill(
    source: &Source<'_>,
    sequence: u64,
    place: &Place,
    names: &[String],
    earlier: Option<&Earlier<'_>>,
    watch: Watch<'_>,
) -> Result<Manifest> {
    if let Place::Folder(folder) = place {
        create_private_folder(folder)?;
    }
    let Written { manifest, taken } = write(source, sequence, place, names, earlier, watch)?;
    verify::check_parts(place, &manifest, &taken, watch)?;
    manifest.write(place, source.key)?;
    Ok(manifest)
}

/// The parts of a backup, before their manifest is written.
struct Written {
    manifest: Manifest,
    /// The names of those that were taken from the earlier backup and are checked already.
    taken: BTreeSet<String>,
}

/// Writes all parts into `place`.
fn write(
    source: &Source<'_>,
    sequence: u64,
    place: &Place,
    names: &[String],
    earlier: Option<&Earlier<'_>>,
    watch: Watch<'_>,
) -> Result<Written> {
    let mut taken = BTreeSet::new();
    let mut manifest = Manifest::new(sequence, source.now.to_string(), source.key);
    manifest.by_hand = source.by_hand;
    // A snapshot to be sealed is never readable beside the sealed parts.
    let clear = match (source.key, place.folder()) {
        (None, Some(_)) => None,
        _ => Some(TemporaryFolder::new(SNAPSHOT, source.data)?),
    };
    let copy = match (&clear, place.folder()) {
        (Some(folder), _) => folder.path().join(DATABASE),
        (None, folder) => folder.unwrap_or(source.data).join(DATABASE),
    };
    snapshot::copy(&source.data.join(DATABASE), &copy, &mut |done, total| {
        watch(super::Progress {
            step: "copying the database",
            done,
            total,
        })
    })
    .context("cannot copy the database")?;
    check_snapshot(source, &copy, watch)?;
    manifest.schema = snapshot::schema_version(&copy)?;
    manifest.counts = snapshot::counts(&copy)?;

    let sizes = names.iter().map(|name| size(&source.data.join(name)));
    let total = sizes.sum::<u64>() + copy.metadata()?.len();
    let mut done = 0;
    let mut each = |bytes| {
        done += bytes;
        report(watch, "writing the parts", done, total)
    };
    let mode = source.key.map_or(Mode::Plain, Mode::Seal);
    let database = if clear.is_some() {
        let to = place.writer(&manifest.file_name(DATABASE), copy.metadata()?.len())?;
        parts::copy(DATABASE, File::open(&copy)?, to, mode, &mut each)?
    } else {
        File::open(&copy)?.sync_all()?;
        let whole = Part {
            name: DATABASE.to_owned(),
            bytes: copy.metadata()?.len(),
            sha256: String::new(),
        };
        parts::sum(&whole, place, DATABASE, &mut each)?
    };
    manifest.parts.push(database);
    let settings = source.settings.as_bytes();
    let to = place.writer(&manifest.file_name(SETTINGS), settings.len() as u64)?;
    let settings = parts::copy(SETTINGS, settings, to, mode, &mut each)?;
    manifest.parts.push(settings);
    for name in names {
        let from = source.data.join(name);
        let file = match File::open(&from) {
            Ok(file) => file,
            // Removed since it was listed, as an erasure does.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", from.display()));
            }
        };
        let unchanged = earlier
            .map(|it| it.take(name, place, &mut each))
            .transpose()?;
        if let Some(part) = unchanged.flatten() {
            taken.insert(name.clone());
            manifest.parts.push(part);
            continue;
        }
        let to = place.writer(&manifest.file_name(name), size(&from))?;
        let part = parts::copy(name, file, to, mode, &mut each)
            .with_context(|| format!("cannot copy {}", from.display()))?;
        manifest.parts.push(part);
    }
    Ok(Written { manifest, taken })
}
