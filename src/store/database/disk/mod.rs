//! The files of the database: that they are in place and private, and the space they need.

pub(crate) mod database_files;
pub(crate) mod disk_forecast;
pub mod file_permissions;
pub mod leftovers;
pub mod request_reserve;
pub mod server_lock;
