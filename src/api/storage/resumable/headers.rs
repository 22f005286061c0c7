//! Headers of the protocol.

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use crate::storage::conditions;
use crate::storage::responses::set;
use domain::clock::Time;

/// The media type of a body with bytes of the file.
pub(super) const BYTES: &str = "application/offset+octet-stream";

pub(super) fn no_content() -> Response {
    Response::builder().status(StatusCode::NO_CONTENT).finish()
}

pub(super) fn add_offset(response: &mut Response, offset: u64) {
    let headers = response.headers_mut();
    headers.insert("upload-offset", HeaderValue::from(offset));
}

pub(super) fn add_expiry(response: &mut Response, expires_at: Time) {
    let date = conditions::http_date(expires_at);
    let name = header::HeaderName::from_static("upload-expires");
    set(response.headers_mut(), name, &date.unwrap_or_default());
}
