//! The SQLite database itself: connections, the writer thread, commits, health, schema,
//! copies and key files.

pub mod connection;
pub mod copies;
pub(crate) mod count_cache;
pub mod disk;
pub(super) mod group_commit;
pub mod health;
mod indexing;
pub mod key_files;
pub mod maintenance;
pub(crate) mod newest_time;
pub(super) mod readers;
pub(super) mod row;
pub mod schema;
pub(super) mod store;
pub(super) mod transactions;
pub(super) mod write_connection;
pub(super) mod write_job;
pub(super) mod writer;
