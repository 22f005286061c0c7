//! Errors that several calls have.

use domain::request::Request;
use http::request::problem::Problem;

/// The error of a call about one offer.
pub(super) fn unknown(error: store::Error) -> Problem {
    Problem::of(error, || {
        Problem::missing("There is no offer with this number.")
    })
}

/// The request of an offer. Errors: 409 if it was deleted.
pub(super) fn request_of(offer: &store::offers::Offer) -> Result<&Request, Problem> {
    let detail = "The request of this offer was deleted.";
    let request = offer.request.as_ref();
    request.ok_or_else(|| Problem::conflict(detail))
}
