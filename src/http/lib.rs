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

/// The OpenAPI document as it is committed and served.
pub fn description() -> String {
    api::openapi_document::build(&api().spec())
}
