//! `[data]`: the data folder.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// Folder of the database, the keys, `mail/` and `media/`.
    pub dir: PathBuf,
    /// Minimum free space on its disk, in MiB; `guardpost check` reports less as a fault.
    pub min_free_mb: u64,
    /// Disk space that only requests use, in MiB: they are stored when the disk is full. At least
    /// a tenth of the database.
    pub request_reserve_mb: u64,
    /// Whether Litestream replicates the database and checkpoints the WAL, which the server then
    /// does not.
    pub replicated: bool,
    /// Whether the server is a drill, regardless of the database: `serve --drill`, not a setting.
    #[serde(skip)]
    pub drill: bool,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("data"),
            min_free_mb: 100,
            request_reserve_mb: 64,
            replicated: false,
            drill: false,
        }
    }
}
