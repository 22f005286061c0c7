//! Tests through public interfaces: the real router on a real socket, a temporary database, a
//! manual clock and a mailbox.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
mod access_log;
mod account_emails;
mod accounts;
mod acknowledgements;
mod acme;
mod admin_api;
mod architecture;
mod at_rest;
mod auth;
mod backup;
mod backup_bucket;
mod bodies;
mod caches;
mod check;
mod commands;
mod config;
mod connections;
mod contact;
mod content;
mod crash;
mod damage;
mod data_folder;
mod delivery;
mod disk;
mod docs;
mod drill;
mod emails;
mod escalations;
mod exports;
mod forms;
mod held_requests;
mod inbox;
mod key_files;
mod licenses;
mod limits;
mod live;
mod memory;
mod openapi;
mod outbox;
mod outbox_priority;
mod own_addresses;
mod pages;
mod person;
mod plain_forms;
mod processes;
mod quote_list;
mod quotes;
mod readme_backup;
mod reload;
mod replication;
mod replies;
mod root;
mod s3_signing;
mod seo;
mod server;
mod serving;
mod settings;
mod smtp_tls;
mod sockets;
mod spam_corpus;
mod storage;
mod supervision;
pub mod support;
mod system;
mod tls;
mod transfer;
mod upgrade;
mod writer;
