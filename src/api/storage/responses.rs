//! Builds responses.

use poem::Response;
use poem::http::{HeaderMap, HeaderValue, header};
use serde_json::Value;

/// A JSON response.
pub(super) fn json(body: &Value) -> Response {
    Response::builder()
        .content_type("application/json; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .body(body.to_string())
}

/// Sets a header if the value is valid.
pub(super) fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
