//! Reads the bodies of the JSON API before they are parsed.

use poem::http::{Method, StatusCode};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use http::request::body::{Bodies, MAX_BODY_BYTES, has_media_type, read};
use http::request::client_address::Client;
use http::request::problem::Problem;

/// Path prefix of the calls that save drafts.
const DRAFTS: &str = "/api/admin/site/drafts/";
/// Maximum body of a draft, in bytes: the states have 100 KB as shipped.
const MAX_DRAFT_BYTES: usize = 512 * 1024;
/// The path of the call that stores a picture.
const PICTURES: &str = "/api/admin/site/pictures";
/// Maximum body of a picture in base64, in bytes: the dashboard sends pictures in their displayed
/// size.
const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;

/// Middleware of the JSON API: same site, JSON, at most `LIMIT` bytes, in time. Errors are problem
/// documents with status 400, 403, 408, 413, 415, 429 or 503.
pub async fn json_middleware<E: Endpoint>(
    next: &E,
    mut request: Request,
    bodies: &Bodies,
) -> Result<Response> {
    // Held until the response is made.
    let mut lease = None;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        if !bodies.same_site(request.headers()) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This request comes from another site.",
            )
            .into());
        }
        let body = request.take_body();
        let client = Client::of(&request)?.address;
        let lease = lease.insert(bodies.lease(client));
        let limit = body_limit(request.uri().path()).unwrap_or(MAX_BODY_BYTES);
        let bytes = read(request.headers(), body, limit, bodies.timeout, lease)
            .await
            .map_err(Problem::from)?;
        if !bytes.is_empty() && !has_media_type("application/json", request.headers()) {
            let detail = "Send the body as application/json.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).into());
        }
        request.set_body(bytes);
    }
    next.call(request).await.map(IntoResponse::into_response)
}

/// The body limit of a request to `path` if it differs from the default.
fn body_limit(path: &str) -> Option<usize> {
    match path {
        PICTURES => Some(MAX_PICTURE_BYTES),
        path if path.starts_with(DRAFTS) => Some(MAX_DRAFT_BYTES),
        _ => None,
    }
}
