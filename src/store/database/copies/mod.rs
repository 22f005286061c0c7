//! Copies of the database: before a migration, of a running server, for a restore, and as text.

pub(crate) mod migration_copy;
pub mod snapshot;
pub(crate) mod transfer;
