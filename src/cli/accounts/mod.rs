//! Commands that manage accounts.

pub(super) mod account_service;
pub(super) mod create_admin;
pub(super) mod delete_user;
pub(super) mod disable_factor;
pub(super) mod invite_admin;
pub(super) mod list_users;
pub(super) mod reset_password;
pub(super) mod revoke_sessions;
pub(super) mod role;
pub(super) mod suspend_user;
