//! The one error body of the product's own API: RFC 9457 problem documents. The only place where a status is chosen for an error.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use serde::Serialize;

use crate::domain::form::{FieldError, Outcome};
use crate::store;

/// A problem document.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: String,
    status: u16,
    detail: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_status: Option<String>,
    #[serde(skip)]
    retry_after: Option<u32>,
}

#[derive(Debug, Clone, Serialize)]
struct FieldMessage {
    field: String,
    message: String,
}

impl Problem {
    /// A problem with this status, the status's own title and a sentence that says what to do.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            fields: Vec::new(),
            current_status: None,
            retry_after: None,
        }
    }

    /// 422: what was sent breaks the form's rules.
    pub fn invalid(outcome: Outcome, errors: Vec<FieldError>) -> Self {
        let fields = errors
            .into_iter()
            .map(|e| FieldMessage {
                field: e.key,
                message: e.message,
            })
            .collect();
        Self {
            fields,
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, outcome.detail).titled(outcome.title)
        }
    }

    /// 429: too often; `seconds` until it is worth trying again.
    pub fn too_many(outcome: Outcome, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, outcome.detail)
            .titled(outcome.title)
            .retry_after(seconds)
    }

    /// 409: the quote is not where the caller thought; says where it is.
    pub fn stale(detail: impl Into<String>, current_status: impl Into<String>) -> Self {
        Self {
            current_status: Some(current_status.into()),
            ..Self::new(StatusCode::CONFLICT, detail)
        }
    }

    /// The same problem under another title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..self
        }
    }

    /// The same problem with a Retry-After.
    #[must_use]
    pub fn retry_after(self, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds.max(1)),
            ..self
        }
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Missing => {
                Self::new(StatusCode::NOT_FOUND, "There is nothing under this id.")
            }
            store::Error::Conflict(detail) => Self::new(StatusCode::CONFLICT, detail),
            store::Error::Busy => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "We are busy for a moment. Please try again in a few seconds.",
            )
            .retry_after(2),
            store::Error::Full => {
                tracing::error!("the disk is full");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "We cannot store anything just now. Please call us instead, or try again later.").retry_after(60)
            }
            store::Error::Failed | store::Error::Database(_) => {
                tracing::error!(%error, "the store failed");
                Self::new(
                    StatusCode::INTERNAL_SERVER_ERROR,
                    "Something went wrong on our side. Please try again or call us directly.",
                )
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = Response::builder()
            .status(status)
            .content_type("application/problem+json")
            .body(body);
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Problem> for poem::Error {
    fn from(problem: Problem) -> Self {
        Self::from_response(problem.into_response())
    }
}
