//! The doors of the authentication service under `/auth/v1`, one file a group of endpoints. They read the request, call one verb of `auth` and answer.

pub mod caller;
mod objects;
pub mod refusal;
mod sessions;
mod token;
mod user;

use poem_openapi::{OpenApi, Tags};

use self::refusal::Refused;
use crate::auth::{Kind, Refusal};
use crate::domain::account::EmailAddress;

/// The base of every endpoint here.
pub const BASE: &str = "/auth/v1";

#[derive(Tags)]
enum Tag {
    /// Signing in and out, and what a user may do with its own account.
    Authentication,
}

/// Every endpoint of the service.
pub fn doors() -> impl OpenApi {
    (token::Tokens, user::Users, sessions::Sessions)
}

/// `null`, missing and `""` mean the same.
fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// A mail address.
fn address(text: &str) -> Result<EmailAddress, Refused> {
    text.parse()
        .map_err(|_| Refusal::validation("Unable to validate email address: invalid format").into())
}

/// A UUID in a path.
fn uuid(text: &str, name: &str) -> Result<String, Refused> {
    match uuid::Uuid::parse_str(text) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Err(Refusal::validation(format!("{name} must be an UUID"))
            .as_kind(Kind::Missing)
            .into()),
    }
}
