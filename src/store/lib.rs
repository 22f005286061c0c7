//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub mod accounts;
pub mod content;
pub mod conversation;
pub mod database;
pub mod error;
pub mod export;
pub mod figures;
pub mod inbox;
pub mod installation;
pub mod lists;
pub mod live;
pub mod mailbox;
pub mod offers;
pub mod on_call;
pub mod outbox;
pub mod person;
mod query;
pub mod request;
pub mod search;
pub mod status_page;
pub mod storage;
pub mod webhooks;

pub use rusqlite::Connection;

pub use database::store::Store;
pub use error::{Error, Result};
pub(crate) use error::{conflict, existing};
