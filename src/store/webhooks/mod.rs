//! Webhooks: endpoints, the events they receive, and deliveries with their log.

pub mod deliveries;
pub mod endpoints;
pub mod events;
