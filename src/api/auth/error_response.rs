//! Error responses of the authentication service: maps the kind of an error to its status.
//! `middleware` writes the body.

use std::sync::Arc;

use poem::http::StatusCode;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object};

use auth::{AuthError, Error, Kind};

/// An error body. Clients without `X-Supabase-Api-Version`, or with one before 2024-01-01, get
/// `{"code": status, "error_code", "msg"}` instead.
#[derive(Object)]
struct AuthErrorBody {
    /// The contract's error code, such as `invalid_credentials`.
    code: String,
    /// A message for people.
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

/// An error of the service with its status.
#[derive(Debug)]
pub struct ErrorResponse(pub(super) AuthError, pub(super) StatusCode);

impl From<Error> for ErrorResponse {
    fn from(error: Error) -> Self {
        match error {
            Error::Rejected(error) => error.into(),
            Error::Store(store::Error::Busy) => AuthError::BUSY.into(),
            Error::Store(error) => {
                error.log_request(None);
                if !error.is_disk_error() {
                    return Self::internal();
                }
                let text = "We cannot store anything just now. Please try again later.";
                AuthError::new(Kind::Busy, "unexpected_failure", text).into()
            }
            error @ Error::Internal(_) => {
                tracing::error!(%error, "the authentication service failed");
                Self::internal()
            }
        }
    }
}

impl ErrorResponse {
    fn internal() -> Self {
        let error = AuthError::INTERNAL;
        Self(error, StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<AuthError> for ErrorResponse {
    fn from(error: AuthError) -> Self {
        let status = match error.kind {
            Kind::Invalid => StatusCode::BAD_REQUEST,
            Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::Missing => StatusCode::NOT_FOUND,
            Kind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Kind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self(error, status)
    }
}

impl From<ErrorResponse> for poem::Error {
    fn from(ErrorResponse(error, status): ErrorResponse) -> Self {
        let mut response = Self::from_status(status);
        response.set_data(Arc::new(error));
        response
    }
}

impl ApiResponse for ErrorResponse {
    fn meta() -> MetaResponses {
        // Every call may return most of these, so one description covers all.
        let descriptions = [
            (
                "4XX",
                "The request was rejected; `code` names the reason. 400: it is invalid. 401: no \
                 valid session, or a second factor is needed. 403: not permitted. 404: not found. \
                 413: the body is longer than 1 MiB. 415: it is not application/json. 422: it \
                 cannot be processed. 429: too many requests, see Retry-After.",
            ),
            (
                "5XX",
                "An error of the server, or it is busy (503, see Retry-After). A rejected \
                 credential is never a 5XX.",
            ),
        ];
        let responses = descriptions
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

/// The result of most endpoints of the service.
pub type AuthResult<T> = Result<Json<T>, ErrorResponse>;
