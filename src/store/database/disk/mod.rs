//! The files of the database: that they are in place and private, and the space they need.

pub(in crate::store) mod database_files;
pub(in crate::store) mod disk_forecast;
pub mod file_permissions;
pub mod request_reserve;
