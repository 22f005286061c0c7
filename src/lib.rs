//! Guardpost: the website and quote desk of a security guard company in one binary.
//!
//! A request flows from `http` through `domain` to `store`, which commits it together with a
//! notification; `outbox` then delivers that. `docs/architecture.md` has the overview.

pub mod app;
pub mod auth;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod outbox;
pub mod site;
pub mod store;
pub mod supervisor;
