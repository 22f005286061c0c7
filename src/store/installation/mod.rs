//! The database as a whole: how it is opened, which installation it belongs to, where its backups
//! are, and what is read or written of all nouns at once.

pub mod backup_places;
pub mod identity;
pub mod inspection;
mod metrics_queries;
mod open;
pub mod restore_preparation;

pub use metrics_queries::MetricsCounts;
