//! How the authentication service says no: the kind of a refusal becomes a status here and nowhere else. The body is written in `speech.rs`.

use std::sync::Arc;

use poem::http::StatusCode;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object};

use crate::auth::{AuthError, Error, Kind};
use crate::store;

/// An error body. Older clients (no `X-Supabase-Api-Version`, or one before 2024-01-01) get `{"code": status, "error_code", "msg"}` instead.
#[derive(Object)]
struct AuthErrorBody {
    /// The contract's code, as in `invalid_credentials`.
    code: String,
    /// A sentence for people.
    message: String,
    /// Why a password is weak.
    #[oai(skip_serializing_if_is_none)]
    weak_password: Option<Weakness>,
}

/// Why a password is weak.
#[derive(Object)]
#[oai(rename = "WeakPasswordReasons")]
struct Weakness {
    /// `length`, `characters`, `pwned`.
    reasons: Vec<String>,
}

/// What a verb of the service was refused with.
#[derive(Debug)]
pub struct Refused(pub(super) AuthError, pub(super) StatusCode);

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(store::Error::Busy) => AuthError::new(
                Kind::Busy,
                "unexpected_failure",
                "We are busy for a moment. Please try again.",
            )
            .into(),
            Error::Store(error) if error.is_disk_error() => {
                tracing::error!(%error, "the database takes no writes, or cannot be read");
                let text = "We cannot store anything just now. Please try again later.";
                AuthError::new(Kind::Busy, "unexpected_failure", text).into()
            }
            error => {
                tracing::error!(%error, "the authentication service failed");
                let refusal = AuthError::new(
                    Kind::Invalid,
                    "unexpected_failure",
                    "Unexpected failure, please check server logs for more information",
                );
                Self(refusal, StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }
}

impl From<AuthError> for Refused {
    fn from(refusal: AuthError) -> Self {
        let status = match refusal.kind {
            Kind::Invalid => StatusCode::BAD_REQUEST,
            Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Kind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self(refusal, status)
    }
}

impl From<Refused> for poem::Error {
    fn from(Refused(refusal, status): Refused) -> Self {
        let mut error = Self::from_status(status);
        error.set_data(Arc::new(refusal));
        error
    }
}

impl ApiResponse for Refused {
    fn meta() -> MetaResponses {
        // Every call may answer most of them: a list under each would say less than this sentence.
        let why = [
            (
                "4XX",
                "Refused; `code` says why. 400 cannot be right, 401 not signed in or not far enough, 403 may not, 404 no such thing, 413 longer than 1 MiB, \
                 415 not application/json, 422 cannot be done, 429 too often (Retry-After says when).",
            ),
            (
                "5XX",
                "The fault is ours, or we are busy (503; Retry-After says when). A refused credential is never a 5XX.",
            ),
        ];
        let responses = why
            .into_iter()
            .map(|(range, description)| MetaResponse {
                description,
                status: None,
                status_range: Some(range.to_owned()),
                content: vec![MetaMediaType {
                    content_type: "application/json",
                    schema: AuthErrorBody::schema_ref(),
                }],
                headers: Vec::new(),
            })
            .collect();
        MetaResponses { responses }
    }

    fn register(registry: &mut Registry) {
        AuthErrorBody::register(registry);
    }
}

/// What an endpoint of the service answers.
pub type AuthResult<T> = Result<Json<T>, Refused>;
