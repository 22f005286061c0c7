//! Errors shared by several calls.

use http::request::problem::Problem;

/// What is said of a request that is not there.
pub(super) const UNKNOWN: &str = "There is no request with this id or reference.";

/// The error of a call about one request.
pub(crate) fn unknown_request(error: store::Error) -> Problem {
    Problem::of(error, || Problem::missing(UNKNOWN))
}
