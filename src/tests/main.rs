//! Tests through the door: the real router on a real socket, a temporary database, a clock turned by hand, a mailbox that is read.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test that cannot go on should stop"
)]
mod access_log;
mod accounts;
mod app;
mod at_rest;
mod auth;
mod bodies;
mod caches;
mod commands;
mod config;
mod connections;
mod contact;
mod copies;
mod crash;
mod damage;
mod data_folder;
mod delivery;
mod desk;
mod disk;
mod exports;
mod forms;
mod key_files;
mod letters;
mod limits;
mod listen;
mod log;
mod mail;
mod memory;
mod openapi;
mod outbox;
mod pages;
mod people;
mod plain_forms;
mod processes;
mod queue;
mod quotes;
mod secure;
mod seo;
mod serving;
mod settings;
mod smtp;
mod smtp_tls;
mod supervision;
mod triage;
mod urgent;
mod visitors;
mod writer;
