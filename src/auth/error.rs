//! Errors of the authentication service: a kind, the error code of the auth API, and a message. The
//! HTTP layer maps the kind to status and body.

use std::borrow::Cow;

/// The kind of an error, by what the client can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request is malformed or invalid.
    Invalid,
    /// No valid session, or its assurance level is too low.
    Unauthenticated,
    /// The user lacks the permission.
    Forbidden,
    /// Not found.
    Missing,
    /// The request is well formed but cannot be processed.
    Unprocessable,
    /// Too many requests; retry after this many seconds.
    RateLimited(u32),
    /// The server is overloaded.
    Busy,
}

/// An error to report to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    /// The kind, from which the status follows.
    pub kind: Kind,
    /// The error code of the auth API.
    pub code: &'static str,
    /// A human-readable message.
    pub message: Cow<'static, str>,
    /// The weaknesses of a rejected password, or `used` for a second factor's code.
    pub reasons: Vec<&'static str>,
}

impl AuthError {
    /// An error without weaknesses.
    pub fn new(kind: Kind, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            code,
            message: message.into(),
            reasons: Vec::new(),
        }
    }

    /// An invalid request (`validation_failed`).
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Invalid, "validation_failed", message)
    }

    /// Too many requests.
    pub fn rate_limited(seconds: u32) -> Self {
        Self::new(
            Kind::RateLimited(seconds.max(1)),
            "over_request_rate_limit",
            "Too many attempts. Please wait a moment and try again.",
        )
    }

    /// Too many requests for the same email.
    pub fn email_rate_limited(seconds: u32) -> Self {
        Self::new(
            Kind::RateLimited(seconds.max(1)),
            "over_email_send_rate_limit",
            format!(
                "For security purposes, you can only request this after {} seconds.",
                seconds.max(1)
            ),
        )
    }

    /// The same error with another kind: the auth API defines different statuses for some codes.
    #[must_use]
    pub fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

/// Error of an `Auth` method.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request was rejected.
    #[error("{}", .0.message)]
    Rejected(AuthError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// An internal failure: keys, hashing, randomness.
    #[error("{0}")]
    Internal(String),
}

/// Result of an `Auth` method.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl store::error::RuleError for Error {
    fn into_store_error(self) -> Result<store::Error, Self> {
        match self {
            Self::Store(error) => Ok(error),
            Self::Internal(reason) => {
                tracing::error!(reason, "the authentication service failed");
                Ok(store::Error::Failed)
            }
            rejection @ Self::Rejected(_) => Err(rejection),
        }
    }
}

impl From<AuthError> for Error {
    fn from(error: AuthError) -> Self {
        Self::Rejected(error)
    }
}

impl From<pasetors::errors::Error> for Error {
    fn from(error: pasetors::errors::Error) -> Self {
        Self::Internal(format!("token: {error}"))
    }
}

/// Returns `error` as an `Err`.
pub fn reject<T>(error: AuthError) -> Result<T> {
    Err(Error::Rejected(error))
}
