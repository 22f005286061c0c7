//! The backups in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::manifest::{MANIFEST, Manifest};
use crate::domain::clock::Time;

/// The beginning of the name of a backup's folder; its time follows.
const PREFIX: &str = "guardpost-";

/// One backup.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its folder.
    pub path: PathBuf,
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

/// The folders of the backups in `folder`, oldest first. Unfinished ones are left out.
pub(super) fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder of backups {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let is_backup = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_backup && entry.path().join(MANIFEST).is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The backups in `folder`, oldest first, each with its manifest, which is not verified, or why it
/// cannot be read.
///
/// # Errors
/// If the folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<(PathBuf, Result<Entry>)>> {
    let entry = |path: PathBuf| {
        let manifest = fs::read(path.join(MANIFEST))
            .map_err(anyhow::Error::from)
            .and_then(|text| Ok(serde_json::from_slice(&text)?));
        let entry = manifest.map(|manifest| Entry {
            path: path.clone(),
            manifest,
        });
        (path, entry)
    };
    Ok(folders(folder)?.into_iter().map(entry).collect())
}

/// The folder of the newest backup in `from`, or `from` itself if it is a backup.
///
/// # Errors
/// If there is none.
pub fn newest(from: &Path) -> Result<PathBuf> {
    if from.join(MANIFEST).is_file() {
        return Ok(from.to_owned());
    }
    match folders(from)?.pop() {
        Some(newest) => Ok(newest),
        None => bail!("there is no backup in {}", from.display()),
    }
}
