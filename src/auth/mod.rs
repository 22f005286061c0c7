//! The rules of the authentication service, one file a verb or notion. No SQL, nothing about HTTP.

pub mod oidc;
pub mod web3;
