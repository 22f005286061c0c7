//! The SQLite database itself: connections, the writer thread, commits, health, schema,
//! copies and key files.

pub(crate) mod clock_repair;
pub(super) mod connection;
pub(super) mod database_files;
pub(super) mod disk_forecast;
pub mod file_permissions;
pub(super) mod group_commit;
pub(super) mod health;
pub mod inspection;
pub(super) mod integrity;
pub mod job_requests;
pub mod key_files;
pub mod maintenance;
pub(super) mod metrics_queries;
pub(super) mod migration_copy;
pub(super) mod new_rows;
pub(super) mod open;
mod probes;
pub(super) mod readers;
pub mod request_reserve;
pub mod restore_preparation;
pub(super) mod row;
pub(super) mod schema;
pub mod snapshot;
pub(super) mod store;
pub(super) mod transactions;
pub(super) mod transfer;
pub(super) mod write_connection;
pub(super) mod write_job;
pub(super) mod writer;
