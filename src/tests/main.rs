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
mod account_emails;
mod accounts;
mod acknowledgements;
mod acme;
mod admin_api;
mod app;
mod architecture;
mod at_rest;
mod auth;
mod backup;
mod backup_bucket;
mod bodies;
mod caches;
mod check;
mod cli_process;
mod commands;
mod config;
mod connections;
mod contact;
mod content;
mod copies;
mod crash;
mod damage;
mod data_folder;
mod delivery;
mod desk;
mod disk;
mod docs;
mod emails;
mod escalations;
mod exports;
mod forms;
mod held;
mod key_files;
mod licenses;
mod limits;
mod live;
mod log;
mod mail;
mod memory;
mod openapi;
mod outbox;
mod pages;
mod people;
mod person;
mod plain_forms;
mod processes;
mod quote_list;
mod quotes;
mod reload;
mod replication;
mod replies;
mod root;
mod s3;
mod secure;
mod seo;
mod server;
mod serving;
mod settings;
mod smtp;
mod smtp_tls;
mod sockets;
mod spam_corpus;
mod storage;
mod supervision;
mod system;
mod transfer;
mod upgrade;
mod urgent;
mod visitors;
mod writer;
