//! The backups in a place.

use anyhow::{Context, Result, bail};

use super::manifest::Manifest;
use super::{MANIFEST, Place};
use crate::domain::clock::Time;

/// The beginning of the name of a backup's folder; its time follows.
const PREFIX: &str = "guardpost-";

/// One backup.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it is.
    pub place: Place,
    /// What it contains.
    pub manifest: Manifest,
}

impl Entry {
    /// When it was begun.
    pub fn created_at(&self) -> Option<Time> {
        Time::parse(&self.manifest.created_at)
    }
}

/// The name of the folder of a backup begun at `at`, as in `guardpost-20261122T050240123Z`.
pub(super) fn folder_name(at: Time) -> String {
    let digits: String = at
        .to_string()
        .chars()
        .filter(|c| !"-:.".contains(*c))
        .collect();
    format!("{PREFIX}{digits}")
}

/// Whether a folder of this name may be a backup.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The backups in `place`, oldest first. Unfinished ones are left out.
pub(super) fn places(place: &Place) -> Result<Vec<Place>> {
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

/// The backups in `place`, oldest first, each with its manifest, which is not verified, or why it
/// cannot be read.
///
/// # Errors
/// If the place cannot be read.
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
    Ok(places(place)?.into_iter().map(entry).collect())
}

/// The newest backup in `from`, or `from` itself if it is one.
///
/// # Errors
/// If there is none.
pub fn newest(from: &Place) -> Result<Place> {
    if from.has(MANIFEST)? {
        return Ok(from.clone());
    }
    match places(from)?.pop() {
        Some(newest) => Ok(newest),
        None => bail!("there is no backup in {from}"),
    }
}
