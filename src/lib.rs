//! Guardpost: a guard company's web presence and quote desk in one binary.
//!
//! Modules stand in the order data flows: HTTP takes a request, the domain makes it meaningful, the store commits it
//! together with the notice it causes, and the outbox keeps the promise later. `docs/architecture.md` is the map.

pub mod auth;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod outbox;
pub mod site;
pub mod store;
pub mod supervisor;
