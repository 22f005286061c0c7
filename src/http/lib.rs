//! The web server. `server/router` has all routes and the middleware around them, `state` the state
//! of all handlers.

pub mod api;
pub mod auth;
mod calendar;
pub mod forms;
mod offer_page;
pub mod pages;
mod phone;
pub mod request;
pub mod server;
mod state;
pub mod storage;
pub mod supervisor;
mod uploads;

use poem_openapi::{OpenApi, OpenApiService};

pub use state::AppState;

/// All calls of the JSON API, with their OpenAPI description.
pub fn api() -> OpenApiService<impl OpenApi, ()> {
    let calls = (
        api::visitors_api::VisitorApi,
        api::quotes_api::QuotesApi,
        api::inbox::endpoints(),
        api::content::endpoints(),
        (
            api::live::LiveApi,
            api::on_call::endpoints(),
            api::webhooks::WebhooksApi,
            api::offers::endpoints(),
        ),
        (api::system_api::SystemApi, api::figures::endpoints()),
        api::health::Operations,
        auth::endpoints(),
    );
    OpenApiService::new(calls, "Guardpost", env!("CARGO_PKG_VERSION"))
        .description("The quote desk of a security guard company.")
}

/// The OpenAPI document. An optimized program has the committed one, which a test compares with the
/// one that is written here, and not the megabyte of code that writes it.
pub fn description() -> String {
    if cfg!(debug_assertions) {
        return api::openapi_document::build(&api().spec());
    }
    committed_description()
}

/// The OpenAPI document as it is committed.
pub fn committed_description() -> String {
    const COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.br"));
    let mut json = Vec::new();
    // What the build has compressed is complete, and UTF-8.
    let _ = brotli::BrotliDecompress(&mut &*COMPRESSED, &mut json);
    String::from_utf8(json).unwrap_or_default()
}
