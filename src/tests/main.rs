//! Tests through public interfaces: the real router on a real socket, a temporary database, a
//! manual clock and a mailbox.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
mod admin_api;
mod auth;
mod backup;
mod cli;
mod content;
mod data_folder;
mod database;
mod docs;
mod inbound_mail;
mod inbox;
mod mail;
mod offers;
mod on_call;
mod pages;
mod permissions;
mod plain_forms;
mod project;
mod quotes;
mod requests;
mod server;
mod settings;
mod storage;
pub mod support;
