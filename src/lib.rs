//! Guardpost: the website and quote desk of a security guard company in one binary.
//!
//! A request flows from `http` through `domain` to `store`, which commits it together with a
//! notice; `outbox` then delivers that. `docs/architecture.md` has the overview.

pub mod app;
pub mod cli;
pub mod maintenance;
