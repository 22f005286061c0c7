//! The backups in a place.

use anyhow::{Context, Result, bail};

use crate::parts::manifest::Manifest;
use crate::sealing::opening::{Opening, Unsealed};
use crate::{MANIFEST, Place};
use domain::clock::Time;

/// The prefix of the name of a backup's folder, before the time.
const PREFIX: &str = "guardpost-";

#[derive(Clone, Debug)]
pub struct Entry {
    pub place: Place,
    pub manifest: Manifest,
}

impl Entry {
    /// When it was started.
    pub fn created_at(&self) -> Option<Time> {
        Time::parse(&self.manifest.created_at)
    }
}

/// The name of the folder of a backup started at `at`, as in `guardpost-20261122T050240123Z`.
pub(crate) fn folder_name(at: Time) -> String {
    let digits: String = at
        .to_string()
        .chars()
        .filter(|c| !"-:.".contains(*c))
        .collect();
    format!("{PREFIX}{digits}")
}

/// Whether a folder of this name may be a backup.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The backups in `place` by name. Unfinished ones are left out.
pub(crate) fn places(place: &Place) -> Result<Vec<Place>> {
    let names = place
        .folders()
        .with_context(|| format!("cannot read the backups in {place}"))?;
    let mut found = Vec::new();
    for name in names {
        let backup = place.below(&name);
        if is_name(&name) && backup.has(MANIFEST)? {
            found.push(backup);
        }
    }
    Ok(found)
}

/// The backups in `place`, oldest first, each with its manifest, which is not verified; those whose
/// manifest cannot be read come last, with the reason. Fails if the place cannot be read.
pub fn list(place: &Place) -> Result<Vec<(Place, Result<Entry>)>> {
    let entry = |place: Place| {
        let manifest = place
            .read(MANIFEST)
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok(serde_json::from_slice(&text)?));
        let entry = manifest.map(|manifest| Entry {
            place: place.clone(),
            manifest,
        });
        (place, entry)
    };
    let mut found: Vec<_> = places(place)?.into_iter().map(entry).collect();
    found.sort_by(|(_, a), (_, b)| match (a, b) {
        (Ok(a), Ok(b)) => a.manifest.order().cmp(&b.manifest.order()),
        (a, b) => a.is_err().cmp(&b.is_err()),
    });
    Ok(found)
}

/// The newest backup of a place.
#[derive(Debug)]
pub struct Newest {
    pub place: Place,
    /// Backups that were skipped because they are not sealed, although a key is set.
    pub unsealed: Vec<Place>,
}

/// The newest backup in `from` by the sequence in its manifest, or `from` itself if it is a backup.
/// Fails if there is none, or if one with a later name cannot be read: it may be the newest.
pub fn newest<'a>(from: &Place, opening: impl Into<Opening<'a>>) -> Result<Newest> {
    let (opening, mut unsealed) = (opening.into(), Vec::new());
    if from.has(MANIFEST)? {
        let place = from.clone();
        return Ok(Newest { place, unsealed });
    }
    let mut newest: Option<Entry> = None;
    let mut unreadable = None;
    for place in places(from)? {
        match Manifest::read(&place, opening) {
            Ok(manifest) => {
                let is_newer = |other: &Entry| other.manifest.order() <= manifest.order();
                if newest.as_ref().is_none_or(is_newer) {
                    newest = Some(Entry { place, manifest });
                }
            }
            Err(error) if error.is::<Unsealed>() => unsealed.push(place),
            Err(error) => unreadable = Some((place, error)),
        }
    }
    match (newest, unreadable) {
        (Some(newest), Some((place, error))) if place.to_string() > newest.place.to_string() => {
            Err(error.context(format!(
                "{place} may be the newest backup and cannot be read; to take {}, name it, or move \
                 the other away",
                newest.place
            )))
        }
        (Some(Entry { place, .. }), _) => Ok(Newest { place, unsealed }),
        (None, Some((place, error))) => Err(error.context(place.to_string())),
        (None, None) if unsealed.is_empty() => bail!("there is no backup in {from}"),
        (None, None) => bail!(
            "there is no sealed backup in {from}, although a key is set: the {} there may have \
             been put there by others. If you made them yourself without a key, add \
             --allow-unsealed",
            unsealed.len()
        ),
    }
}

/// The sequence of the next backup in `place`: above `last`, that of the last one that is
/// remembered, and above that of each backup there whose manifest is verified.
pub(crate) fn next_sequence(place: &Place, opening: Opening<'_>, last: u64) -> Result<u64> {
    let sequences = places(place)?.into_iter().filter_map(|backup| {
        let manifest = Manifest::read(&backup, opening).ok()?;
        Some(manifest.sequence)
    });
    Ok(sequences.fold(last, u64::max).saturating_add(1))
}
