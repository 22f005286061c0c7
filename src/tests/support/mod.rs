//! Helpers of the tests: the application, people, the mailbox, servers and the log.

pub(super) mod app;
pub(super) mod cli_process;
pub(super) mod desk;
pub(super) mod imap;
pub(super) mod issuer;
pub(super) mod listener;
pub(super) mod log;
pub(super) mod mail;
pub(super) mod pebble;
pub(super) mod people;
pub(super) mod s3;
pub(super) mod smtp;
pub(super) mod tls;
pub(super) mod visitors;
