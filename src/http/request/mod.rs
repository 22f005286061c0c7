//! The parts of a request that handlers need: its body, client and caller, and the error response.

pub mod address_key;
pub(super) mod bearer;
pub(super) mod body;
pub mod body_budget;
pub mod client_address;
mod client_extractor;
pub(super) mod error_responses;
pub(super) mod make_file;
pub mod permissions;
pub(super) mod posted_fields;
pub mod previews;
pub mod problem;
pub mod require_admin;
pub(super) mod same_site;
pub(super) mod strict_json;
pub(super) mod success_responses;
