//! The calls: the JSON API, one folder per group of calls, the authentication service and the
//! storage service. `router` has the routes of everything that is not a page.

mod allowed_methods;
pub mod auth;
mod bearer;
pub mod content;
mod desk;
mod figures;
mod filter_params;
mod health;
pub mod inbox;
mod json_middleware;
mod live;
pub mod offers;
mod on_call;
mod openapi_document;
mod quotes_api;
pub mod router;
mod storage;
mod system_api;
mod tags;
mod visitors_api;
mod webhooks;

use poem_openapi::{OpenApi, OpenApiService};

/// All calls of the JSON API, with their OpenAPI description.
fn service() -> OpenApiService<impl OpenApi, ()> {
    let calls = (
        visitors_api::VisitorApi,
        quotes_api::QuotesApi,
        inbox::endpoints(),
        content::endpoints(),
        (
            live::LiveApi,
            on_call::endpoints(),
            webhooks::WebhooksApi,
            offers::endpoints(),
        ),
        (system_api::SystemApi, figures::endpoints()),
        health::Operations,
        auth::endpoints(),
    );
    OpenApiService::new(calls, "Guardpost", env!("CARGO_PKG_VERSION"))
        .description("The quote desk of a security guard company.")
}

/// The OpenAPI document. An optimized program has the committed one, which a test compares with the
/// one that is written here, and not the megabyte of code that writes it.
pub fn description() -> String {
    if cfg!(debug_assertions) {
        return openapi_document::build(&service().spec());
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
