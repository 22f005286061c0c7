//! Errors of the framework and of the store as problems, and the response with a problem: as JSON,
//! or as a page.

use poem::http::{StatusCode, header};
use poem::{IntoResponse, Response};

use super::{Problem, invalid};
use crate::request::strict_json::JsonError;
use domain::ids;

/// The detail of every internal error.
const INTERNAL_ERROR: &str =
    "Something went wrong on our side. Please try again or call us directly.";

impl Problem {
    /// Maps an error of the framework to a response. An error that already is a response stays as
    /// it is.
    pub fn error_response(error: poem::Error) -> Response {
        if error.is_from_response() {
            return error.into_response();
        }
        if let Some(JsonError::Member { name, detail }) = error.downcast_ref() {
            return invalid(name, detail).into_response();
        }
        let status = error.status();
        if status.is_server_error() {
            let request_id = new_request_id();
            tracing::error!(%error, request_id, "a request failed");
            return Self::new(status, INTERNAL_ERROR)
                .with_request_id(request_id)
                .into_response();
        }
        let detail = match status {
            StatusCode::NOT_FOUND => "There is nothing at this address.".to_owned(),
            StatusCode::METHOD_NOT_ALLOWED => "This address does not take this method.".to_owned(),
            _ => match error.downcast_ref::<JsonError>() {
                Some(unreadable) => format!("The body cannot be read: {unreadable}."),
                None => error.to_string(),
            },
        };
        Self::new(status, detail).into_response()
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Missing => Self::missing("There is nothing under this id."),
            store::Error::Conflict(detail) => Self::conflict(detail),
            store::Error::Busy => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "We are busy for a moment. Please try again in a few seconds.",
            )
            .with_retry_after(2),
            error => {
                let request_id = new_request_id();
                error.log_request(Some(&request_id));
                let problem = if error.is_disk_error() {
                    let detail = "We cannot store anything just now. Please call us instead, or \
                                  try again later.";
                    Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).with_retry_after(60)
                } else {
                    Self::new(StatusCode::INTERNAL_SERVER_ERROR, INTERNAL_ERROR)
                };
                problem.with_request_id(request_id)
            }
        }
    }
}

/// A random id that links a response to its log line.
fn new_request_id() -> String {
    hex::encode(ids::random_bytes::<6>())
}

impl Problem {
    /// The problem's status and headers with a page as the body.
    pub fn into_page(self, html: String) -> Response {
        let mut response = self.into_response();
        response.set_body(html);
        let response = response.with_content_type("text/html; charset=utf-8");
        response.into_response()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Response::builder()
            .status(self.status())
            .content_type("application/problem+json")
            .header(header::CACHE_CONTROL, "no-store");
        if let Some(seconds) = self.retry_after {
            response = response.header(header::RETRY_AFTER, seconds.get());
        }
        response.body(serde_json::to_vec(&self).unwrap_or_default())
    }
}

impl From<Problem> for poem::Error {
    fn from(problem: Problem) -> Self {
        Self::from_response(problem.into_response())
    }
}
