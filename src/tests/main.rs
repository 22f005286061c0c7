//! Tests through public interfaces: the real router on a real socket, a temporary database, a
//! manual clock and a mailbox.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
mod accounts;
mod acme;
mod admin_api;
mod auth;
mod backup;
mod check;
mod commands;
mod config;
mod content;
mod damage;
mod data_folder;
mod database;
mod delivery;
mod docs;
mod drill;
mod held_requests;
mod inbound_mail;
mod inbox;
mod live;
mod mail;
mod offers;
mod on_call;
mod pages;
mod permissions;
mod plain_forms;
mod project;
mod quote_list;
mod quotes;
mod replies;
mod requests;
mod seo;
mod server;
mod settings;
mod storage;
pub mod support;
