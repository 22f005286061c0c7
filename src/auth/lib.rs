//! The rules of the authentication service, one file per operation or concept. SQL is in `store`,
//! routes are in `api::auth`; nothing here depends on HTTP.
//!
//! A rejection commits what was written before it (a counted attempt, a consumed code, the end of a
//! stolen session). Rules therefore check first and write last, and write before a rejection only
//! what must survive it. Only a store error rolls back.

pub mod accounts;
pub mod admin;
pub mod audit;
pub mod emails;
pub mod error;
mod error_codes;
pub mod factors;
mod ip_limiter;
pub mod keys;
pub mod providers;
mod service;
pub mod sessions;
pub mod sign_in;
pub mod throttle;

pub use error::{AuthError, Error, Kind, Result};
pub use ip_limiter::ClientInfo;
pub use service::{Auth, Transaction, Urls};
pub use sessions::logout::Scope;
pub use sessions::session::Grant;
pub use sessions::signed_in_user::{SignedInUser, TokenHolder};
