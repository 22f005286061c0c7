//! How backups are opened: with which key, and whether an unsealed one is accepted.

use anyhow::Result;

use super::key::BackupKey;
use crate::Place;

/// How backups are opened. With a key, an unsealed backup is refused: any program that can write
/// into the place could have put it there.
#[derive(Clone, Copy, Default)]
pub struct Opening<'a> {
    /// The key that seals the backups.
    pub key: Option<&'a BackupKey>,
    /// Accepts unsealed backups nevertheless.
    pub allow_unsealed: bool,
}

impl<'a> From<Option<&'a BackupKey>> for Opening<'a> {
    fn from(key: Option<&'a BackupKey>) -> Self {
        Self {
            key,
            allow_unsealed: false,
        }
    }
}

/// The error for an unsealed backup where a key is set.
#[derive(Debug, thiserror::Error)]
#[error(
    "the backup {0} is not sealed, although a key is set: it may have been put there by others. \
     If you made it yourself without a key, add --allow-unsealed"
)]
pub struct Unsealed(String);

impl Opening<'_> {
    /// Whether the unsealed backup in `place` is accepted.
    pub(crate) fn check_unsealed(self, place: &Place) -> Result<()> {
        match self.key {
            Some(_) if !self.allow_unsealed => Err(Unsealed(place.to_string()).into()),
            _ => Ok(()),
        }
    }
}
