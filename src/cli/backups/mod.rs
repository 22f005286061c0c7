//! Commands that make, list, verify and restore backups.

pub(super) mod backup;
pub(super) mod backup_key;
pub(super) mod list_backups;
pub(super) mod restore;
pub(super) mod verify_backup;
