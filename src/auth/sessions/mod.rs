//! Sessions and their tokens: access tokens, refresh tokens, sign-out, cleanup.

pub mod access_token;
pub mod cleanup;
pub mod logout;
pub mod reauthentication;
pub mod refresh;
pub(super) mod refresh_token;
pub mod session;
pub mod signed_in_user;
