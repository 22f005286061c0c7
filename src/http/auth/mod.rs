//! The HTTP endpoints of the authentication service under `/auth/v1`, one file per group. They
//! parse the request, call one function of `auth` and build the response.

mod admin;
mod browser;
pub mod caller;
mod dto;
mod emails;
pub mod error_response;
mod factors;
mod generate_link;
mod invitations;
mod jwks;
mod link_page;
pub mod middleware;
mod providers;
mod redirects;
mod sessions;
mod signup;
mod token;
mod user;
mod verify;

use poem_openapi::{OpenApi, Tags};

use self::error_response::ErrorResponse;
use crate::auth::sign_in::email_tokens::EmailRedirect;
use crate::auth::sign_in::pkce::CodeChallenge;
use crate::auth::{AuthError, Kind, Urls};
use crate::domain::account::Metadata;
use crate::domain::email_address::EmailAddress;

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

#[derive(Tags)]
enum Tag {
    /// Signing in and out, and changing one's own account.
    Authentication,
    /// Account administration by admins.
    Accounts,
}

/// All endpoints of the service.
pub fn endpoints() -> impl OpenApi {
    (
        (
            token::Tokens,
            signup::SignUps,
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
        (
            admin::Admins,
            invitations::Invitations,
            generate_link::Links,
            providers::Providers,
        ),
    )
}

/// Treats `null`, missing and `""` alike.
fn non_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// Parses an email address.
fn parse_email(text: &str) -> Result<EmailAddress, ErrorResponse> {
    text.parse().map_err(|_| {
        AuthError::validation("Unable to validate email address: invalid format").into()
    })
}

/// Where an email's link redirects, and the PKCE challenge of the browser that requested it.
fn email_redirect(
    redirect_to: Option<String>,
    challenge: Option<String>,
    method: Option<String>,
) -> Result<EmailRedirect, ErrorResponse> {
    Ok(EmailRedirect {
        redirect_to: non_empty(redirect_to),
        challenge: CodeChallenge::parse(challenge.as_deref(), method.as_deref())?,
    })
}

/// Parses a UUID of a path.
fn parse_uuid(text: &str, name: &str) -> Result<String, ErrorResponse> {
    match uuid::Uuid::parse_str(text) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Err(AuthError::validation(format!("{name} must be an UUID"))
            .with_kind(Kind::Missing)
            .into()),
    }
}
