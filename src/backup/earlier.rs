//! The backup before a new one in the same place: its files that have not changed are not copied
//! again.

use std::collections::BTreeMap;

use anyhow::Result;

use super::parts::manifest::{Manifest, Part};
use super::place::list::newest;
use super::sealing::key::BackupKey;
use super::{Place, Stopped, parts};

/// The folder of stored files. The name of each is the SHA-256 of its bytes, so one of the same
/// name is the same file.
const UNCHANGING: &str = "files/";

/// The newest backup in a place.
pub(super) struct Earlier<'a> {
    place: Place,
    manifest: Manifest,
    key: Option<&'a BackupKey>,
    /// Its stored files by their names.
    parts: BTreeMap<String, Part>,
}

impl<'a> Earlier<'a> {
    /// The newest backup in `to` that is sealed with the same key, or unsealed without one.
    pub(super) fn find(to: &Place, key: Option<&'a BackupKey>) -> Option<Self> {
        let place = newest(to, key).ok()?.place;
        let manifest = Manifest::read(&place, key).ok()?;
        let unchanging = manifest.parts.iter();
        let unchanging = unchanging.filter(|part| part.name.starts_with(UNCHANGING));
        Some(Self {
            place,
            parts: unchanging
                .map(|part| (part.name.clone(), part.clone()))
                .collect(),
            manifest,
            key,
        })
    }

    /// Its part `name`, if that cannot have changed.
    pub(super) fn part(&self, name: &str) -> Option<&Part> {
        self.parts.get(name)
    }

    /// Takes the part `name` over into the new backup `to`, as a hard link or as a copy that the
    /// service of the bucket makes, and compares it with its sum and its name. `None`: it must be
    /// copied. Fails if it is stopped.
    pub(super) fn take(
        &self,
        name: &str,
        to: &Place,
        each: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Result<Option<Part>> {
        let Some(part) = self.part(name) else {
            return Ok(None);
        };
        let file = self.manifest.file_name(name);
        if !self.place.link(&file, to) {
            return Ok(None);
        }
        let is_named = |digest: &str| name.ends_with(digest);
        let mut is_stopped = false;
        let mut each = |bytes| each(bytes).inspect_err(|_| is_stopped = true);
        match parts::sum_opened(part, to, &file, self.key, &mut each) {
            Ok((found, digest)) if found == *part && is_named(&digest) => Ok(Some(found)),
            Err(error) if is_stopped => Err(error),
            // Damaged there: the file of the data folder may be whole.
            _ => {
                to.remove_file(&file)?;
                Ok(None)
            }
        }
    }
}
