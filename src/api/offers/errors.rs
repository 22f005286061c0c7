//! Errors that several calls have. Reads what the editor sends, and names each field that is wrong.

use serde::de::DeserializeOwned;
use serde_json::Value;

use domain::offer::faults::Fault;
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

/// The value of a member. Errors: 422 that names the field of a wrong type, as
/// `posts.0.officers`. `prefix` is left out of the names.
pub(super) fn parse<T: DeserializeOwned>(value: Value, prefix: &str) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string().replace('[', ".").replace(']', "");
        let field = path.strip_prefix(prefix).unwrap_or(&path);
        let message = match error.inner().to_string() {
            text if is_too_large(&text) => "The number is too large.".to_owned(),
            text => format!("This cannot be read: {text}."),
        };
        problem(vec![Fault {
            field: field.to_owned(),
            message,
        }])
    })
}

/// Whether serde's error is about a number that its type cannot hold.
fn is_too_large(text: &str) -> bool {
    text.starts_with("invalid value: integer") || text.starts_with("invalid type: floating point")
}

/// 422 that names each field.
pub(super) fn problem(faults: Vec<Fault>) -> Problem {
    let faults = faults.into_iter();
    Problem::corrections(faults.map(|fault| (fault.field, fault.message)))
}
