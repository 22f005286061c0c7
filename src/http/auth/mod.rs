//! The doors of the authentication service under `/auth/v1`, one file a group of endpoints. They read the request, call one verb of `auth` and answer.

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

use self::error_response::Refused;
use crate::auth::email_tokens::EmailRedirect;
use crate::auth::pkce::Challenge;
use crate::auth::{AuthError, Kind};
use crate::domain::account::{EmailAddress, Metadata};

/// The base of every endpoint here.
pub const BASE: &str = "/auth/v1";

#[derive(Tags)]
enum Tag {
    /// Signing in and out, and what a user may do with its own account.
    Authentication,
    /// What admins do to accounts.
    Accounts,
}

/// Every endpoint of the service.
pub fn doors() -> impl OpenApi {
    (
        (
            token::Tokens,
            signup::SignUps,
            emails::Mails,
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

/// `null`, missing and `""` mean the same.
fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// A mail address.
fn address(text: &str) -> Result<EmailAddress, Refused> {
    text.parse().map_err(|_| {
        AuthError::validation("Unable to validate email address: invalid format").into()
    })
}

/// Where a mail leads, and the challenge of the browser that waits for it.
fn lead(
    redirect_to: Option<String>,
    challenge: Option<String>,
    method: Option<String>,
) -> Result<EmailRedirect, Refused> {
    Ok(EmailRedirect {
        redirect_to: given(redirect_to),
        challenge: Challenge::parse(challenge.as_deref(), method.as_deref())?,
    })
}

/// A UUID in a path.
fn uuid(text: &str, name: &str) -> Result<String, Refused> {
    match uuid::Uuid::parse_str(text) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Err(AuthError::validation(format!("{name} must be an UUID"))
            .with_kind(Kind::Missing)
            .into()),
    }
}
