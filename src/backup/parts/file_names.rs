//! Names of the files in a backup.

/// The database's name in the data folder and in a backup.
pub const DATABASE: &str = "guardpost.db";
/// The manifest's name in a backup: without it, a backup is not complete.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The settings' name in a backup and in a restored folder.
pub const SETTINGS: &str = "settings.toml";
/// The ledger's name in the data folder, in a backup and beside the backups.
pub(crate) const LEDGER: &str = "erasures.jsonl";
