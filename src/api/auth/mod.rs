//! The HTTP endpoints of the authentication service under `/auth/v1`, one file per group. They
//! parse the request, call one function of `auth` and build the response.

mod admin;
pub mod caller;
mod dto;
mod emails;
pub mod error_response;
mod factors;
mod generate_link;
mod jwks;
mod link_page;
pub mod middleware;
mod parameters;
mod providers;
mod redirects;
mod sessions;
mod token;
mod user;
mod verify;

use poem_openapi::OpenApi;

use auth::Urls;

/// The base path of all endpoints.
pub const BASE: &str = "/auth/v1";

/// The URLs of the service on a site with this origin (no trailing slash).
pub fn urls(origin: &str) -> Urls {
    Urls {
        origin: origin.to_owned(),
        issuer: format!("{origin}{BASE}"),
        verify: format!("{origin}{BASE}/verify"),
        callback: format!("{origin}{BASE}/callback"),
        dashboard: format!("{origin}/admin"),
    }
}

/// All endpoints of the service.
pub fn endpoints() -> impl OpenApi {
    (
        (
            token::Tokens,
            emails::Emails,
            verify::Verification,
            link_page::LinkPages,
        ),
        (
            user::Users,
            sessions::Sessions,
            factors::Factors,
            jwks::Keys,
        ),
        (admin::Admins, generate_link::Links, providers::Providers),
    )
}
