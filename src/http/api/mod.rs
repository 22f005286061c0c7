//! The JSON API: one file per group of calls.

pub mod content;
pub(super) mod figures;
pub(super) mod health;
pub mod inbox;
pub(super) mod json_middleware;
pub mod live;
pub mod offers;
pub(super) mod on_call;
pub(super) mod openapi_document;
pub(super) mod tags;

pub(super) mod quotes_api;
pub mod system_api;
pub mod system_status;
pub(super) mod visitors_api;
pub(super) mod webhooks;
