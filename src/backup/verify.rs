//! Checks a backup for damage: every byte of a backup is covered by a sum, and the sums by each
//! other.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::parts::manifest::Manifest;
use super::sealing::opening::Opening;
use super::{Place, Watch, parts, report};

/// Checks every file of the backup in `place`; returns its manifest. Errors: names the damaged or
/// missing part, or why this program cannot read the backup.
pub fn verify<'a>(
    place: &Place,
    opening: impl Into<Opening<'a>>,
    watch: Watch<'_>,
) -> Result<Manifest> {
    let manifest = Manifest::read(place, opening)?;
    check_parts(place, &manifest, &BTreeSet::new(), watch)?;
    Ok(manifest)
}

/// Compares the files in `place` with the sums in `manifest`, except those of the parts `checked`.
pub(super) fn check_parts(
    place: &Place,
    manifest: &Manifest,
    checked: &BTreeSet<String>,
    watch: Watch<'_>,
) -> Result<()> {
    let (total, mut done) = (manifest.bytes(), 0);
    for part in &manifest.parts {
        if checked.contains(&part.name) {
            continue;
        }
        let file = manifest.file_name(&part.name);
        let found = parts::sum(part, place, &file, &mut |bytes| {
            done += bytes;
            report(watch, "verifying the backup", done, total)
        })?;
        if found != *part {
            bail!(damaged(&part.name));
        }
    }
    Ok(())
}

/// The error for a damaged part.
pub(super) fn damaged(name: &str) -> String {
    format!("`{name}` of the backup is damaged: its bytes differ from the manifest")
}
