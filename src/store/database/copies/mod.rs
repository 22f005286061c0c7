//! Copies of the database: before a migration, of a running server, for a restore, and as text.

pub(in crate::store) mod migration_copy;
pub mod restore_preparation;
pub mod snapshot;
pub(in crate::store) mod transfer;
