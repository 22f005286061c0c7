//! Parses parameters that several endpoints take.

use super::error_response::ErrorResponse;
use auth::sign_in::email_tokens::EmailRedirect;
use auth::sign_in::pkce::CodeChallenge;
use auth::{AuthError, Kind};
use domain::email::email_address::EmailAddress;

/// Treats `null`, missing and `""` alike.
pub(super) fn non_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// Parses an email address.
pub(super) fn parse_email(text: &str) -> Result<EmailAddress, ErrorResponse> {
    text.parse().map_err(|_| {
        AuthError::validation("Unable to validate email address: invalid format").into()
    })
}

/// The address of a request that may name a phone number as well, which is not supported. `both` is
/// the message for one that names both, `neither` the error for one that names none.
pub(super) fn only_email(
    email: Option<String>,
    phone: Option<String>,
    both: &'static str,
    neither: AuthError,
) -> Result<EmailAddress, ErrorResponse> {
    match (non_empty(email), non_empty(phone)) {
        (Some(_), Some(_)) => Err(AuthError::validation(both).into()),
        (None, Some(_)) => Err(AuthError::PHONE_PROVIDER_DISABLED.into()),
        (None, None) => Err(neither.into()),
        (Some(email), None) => parse_email(&email),
    }
}

/// The redirect of an email's link, and the PKCE challenge of the browser that requested it.
pub(super) fn email_redirect(
    redirect_to: Option<String>,
    (challenge, method): (Option<String>, Option<String>),
) -> Result<EmailRedirect, ErrorResponse> {
    Ok(EmailRedirect {
        redirect_to: non_empty(redirect_to),
        challenge: CodeChallenge::parse(challenge.as_deref(), method.as_deref())?,
    })
}

/// Parses a UUID of a path.
pub(super) fn parse_uuid(text: &str, name: &str) -> Result<String, ErrorResponse> {
    match uuid::Uuid::parse_str(text) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => Err(AuthError::validation(format!("{name} must be an UUID"))
            .with_kind(Kind::Missing)
            .into()),
    }
}
