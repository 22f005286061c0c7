//! Errors shared by several calls.

use poem::http::StatusCode;

use http::request::problem::Problem;

/// What is said of a request that is not there.
pub(super) const UNKNOWN: &str = "There is no request with this id or reference.";

/// The error of a call about one request.
pub(crate) fn unknown_request(error: store::Error) -> Problem {
    match error {
        store::Error::Missing => Problem::new(StatusCode::NOT_FOUND, UNKNOWN),
        other => other.into(),
    }
}
