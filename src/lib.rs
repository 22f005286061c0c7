//! Guardpost: the website and quote desk of a security guard company in one binary.
//!
//! A request flows from `http` through `domain` to `store`, which commits it together with a
//! notice; `outbox` then delivers that. `docs/architecture.md` has the overview.

pub mod alarms;
pub mod app;
pub mod auth;
pub mod backup;
pub mod certificates;
mod child_process;
pub mod cli;
pub mod config;
pub mod domain;
pub mod erasure;
pub mod export;
#[cfg(test)]
mod fuzzing;
pub mod http;
pub mod inbound_mail;
pub mod maintenance;
pub mod outbox;
pub mod outgoing;
pub mod ownership;
pub mod publishing;
pub mod s3;
pub mod site;
pub mod storage;
pub mod store;
pub mod supervisor;
pub mod webhooks;
