//! Tests through public interfaces: the real router on a real socket, a temporary database, a
//! manual
//! clock and a mailbox.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test that cannot go on should stop"
)]
mod access_log;
mod accounts;
mod admin_api;
mod app;
mod architecture;
mod at_rest;
mod auth;
mod bodies;
mod caches;
mod cli_process;
mod commands;
mod config;
mod connections;
mod contact;
mod copies;
mod crash;
mod damage;
mod data_folder;
mod delivery;
mod disk;
mod emails;
mod exports;
mod forms;
mod key_files;
mod limits;
mod log;
mod mail;
mod memory;
mod openapi;
mod outbox;
mod pages;
mod people;
mod plain_forms;
mod processes;
mod quote_list;
mod quotes;
mod secure;
mod seo;
mod server;
mod serving;
mod settings;
mod smtp;
mod smtp_tls;
mod supervision;
mod urgent;
mod visitors;
mod writer;
