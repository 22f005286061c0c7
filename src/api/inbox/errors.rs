//! Errors shared by several calls.

use poem::http::StatusCode;

use http::request::problem::Problem;

/// The error of a call about one request.
pub(super) fn unknown_request(error: store::Error) -> Problem {
    match error {
        store::Error::Missing => Problem::new(
            StatusCode::NOT_FOUND,
            "There is no request with this id or reference.",
        ),
        other => other.into(),
    }
}
