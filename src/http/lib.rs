//! The web server: connections, pages, forms, and what handlers take from a request. `state` is the
//! state of all handlers; the crate `api` has the calls and the routes.

pub mod calendar;
pub mod forms;
pub mod offer_page;
pub mod open_streams;
pub mod pages;
pub mod phone;
pub mod request;
pub mod server;
pub mod state;
pub mod supervisor;
pub mod uploads;

pub use state::{AppState, Part, Uses};
