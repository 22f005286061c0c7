//! `[backup]`: scheduled backups.

use std::path::{Path, absolute};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::{SCHEME, bucket_and_prefix};

/// Backups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Backup {
    /// The folder in which the server makes backups, best on another disk, or the bucket, as
    /// `s3://bucket/prefix`; empty: none.
    pub to: String,
    /// Hours between two backups.
    pub every_hours: u32,
    /// The file of the key that seals backups; empty: not sealed.
    pub key_file: String,
}

impl Default for Backup {
    fn default() -> Self {
        Self {
            to: String::new(),
            every_hours: 24,
            key_file: String::new(),
        }
    }
}

impl Backup {
    pub(super) fn check(&self, data: &Path) -> Result<()> {
        if self.every_hours == 0 {
            bail!("setting `backup.every_hours`: must be at least 1");
        }
        if self.to.starts_with(SCHEME) {
            bucket_and_prefix(&self.to).context("setting `backup.to`")?;
        } else if !self.to.is_empty() && absolute(&self.to)?.starts_with(absolute(data)?) {
            bail!(
                "setting `backup.to`: must not be in the data folder; name a folder on another disk"
            );
        }
        Ok(())
    }
}
