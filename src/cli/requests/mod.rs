//! Commands about requests and the people who sent them.

mod demo_year;
pub(super) mod export_filter;
pub(super) mod export_requests;
pub(super) mod offer;
pub(super) mod person;
mod samples;
pub(super) mod seed_demo;
