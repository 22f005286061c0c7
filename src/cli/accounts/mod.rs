//! Commands that manage accounts.

pub(super) mod account_service;
pub(super) mod create_admin;
pub(super) mod invite_admin;
pub(super) mod list_users;
pub(super) mod reset_password;
pub(super) mod role;
pub(super) mod user;
