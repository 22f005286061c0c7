//! The parts of a request that handlers need: its body, client and caller, and the error response.

pub mod address_key;
pub mod body;
pub mod body_budget;
pub mod client_address;
mod client_extractor;
pub mod error_responses;
pub mod make_file;
pub mod permissions;
pub mod posted_fields;
pub mod previews;
pub mod problem;
pub mod same_site;
pub mod strict_json;
pub mod success_responses;
