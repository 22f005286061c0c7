//! How the service refuses: a kind, the contract's code, and a sentence. The doors choose status and body from the kind.

use std::borrow::Cow;

use crate::store;

/// The kinds of refusal, by what the caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be right as it stands.
    Invalid,
    /// Nobody is signed in, or not far enough.
    Unauthenticated,
    /// Whoever is signed in may not.
    Forbidden,
    /// There is no such thing.
    Missing,
    /// Well said, but it cannot be done.
    Unprocessable,
    /// Too often; worth another try after the seconds.
    RateLimited(u32),
    /// Too much work is waiting.
    Busy,
}

/// One refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    /// What the caller can do about it.
    pub kind: Kind,
    /// The contract's code.
    pub code: &'static str,
    /// A sentence for people.
    pub message: Cow<'static, str>,
    /// Why a password is weak.
    pub reasons: Vec<&'static str>,
}

impl AuthError {
    /// A refusal without reasons.
    pub fn new(kind: Kind, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            code,
            message: message.into(),
            reasons: Vec::new(),
        }
    }

    /// What was sent cannot be right (`validation_failed`).
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Invalid, "validation_failed", message)
    }

    /// The one answer to every wrong sign-in.
    pub fn invalid_credentials() -> Self {
        Self::new(
            Kind::Invalid,
            "invalid_credentials",
            "Invalid login credentials",
        )
    }

    /// There is nothing to reach by phone.
    pub fn phone_disabled() -> Self {
        Self::new(
            Kind::Invalid,
            "phone_provider_disabled",
            "Phone sign-in is not offered",
        )
    }

    /// A request that is too often.
    pub fn rate_limited(seconds: u32) -> Self {
        Self::new(
            Kind::RateLimited(seconds.max(1)),
            "over_request_rate_limit",
            "Too many attempts. Please wait a moment and try again.",
        )
    }

    /// A mail asked for too often.
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

    /// No such user (admin endpoints).
    pub fn user_not_found() -> Self {
        Self::new(Kind::Missing, "user_not_found", "User not found")
    }

    /// The same refusal as another kind: the contract gives some codes different statuses in different places.
    #[must_use]
    pub fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }
}

/// Why a verb of the service did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rules say no.
    #[error("{}", .0.message)]
    Refused(AuthError),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Something that must work did not: keys, hashing, randomness.
    #[error("{0}")]
    Internal(String),
}

/// The result of a verb of the service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<AuthError> for Error {
    fn from(refusal: AuthError) -> Self {
        Self::Refused(refusal)
    }
}

impl From<pasetors::errors::Error> for Error {
    fn from(error: pasetors::errors::Error) -> Self {
        Self::Internal(format!("token: {error}"))
    }
}

/// Shorthand for a refusal as an `Err`.
pub fn reject<T>(refusal: AuthError) -> Result<T> {
    Err(Error::Refused(refusal))
}
