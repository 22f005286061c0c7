//! Reads a request body once, with limits on size, time and memory, before anything parses it.
//! Cross-site requests are rejected before their body is read.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::body_budget::{Exhausted, Lease};
use super::client_address::Client;
use super::problem::Problem;
use super::same_site::same_site;
use crate::http::AppState;
use crate::http::api::content;

/// Maximum body size of the product's own API, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// Longer than the limit.
    TooLong,
    /// The client did not finish it in time.
    TimedOut,
    /// Invalid framing, such as a chunk without a length.
    Invalid,
    /// The memory budget is exhausted.
    OverBudget(Exhausted),
}

/// Seconds to wait before retrying a request that found no memory for its body.
pub const RETRY_AFTER_SECONDS: u32 = 5;

impl From<Exhausted> for BodyError {
    fn from(exhausted: Exhausted) -> Self {
        Self::OverBudget(exhausted)
    }
}

/// Reads the whole body, at most `limit` bytes, within `timeout`. The bytes are charged to `lease`,
/// which the caller keeps until the request is done.
///
/// # Errors
/// If the body is too long, too slow or broken, or the memory budget is exhausted.
pub async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    timeout: Duration,
    lease: &mut Lease,
) -> Result<Vec<u8>, BodyError> {
    let content_length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if content_length.is_some_and(|length| length > limit) {
        return Err(BodyError::TooLong);
    }
    let mut bytes = Vec::new();
    let mut body = body.into();
    let expected = content_length.unwrap_or(limit);
    let body_read = collect(&mut body, expected, limit, lease, &mut bytes);
    tokio::time::timeout(timeout, body_read)
        .await
        .unwrap_or(Err(BodyError::TimedOut))?;
    Ok(bytes)
}

/// Reads like `read`, but leaves in `bytes` what arrived before an error. The rest of a body that
/// is too long is discarded, up to `MAX_DISCARDED_BYTES`: a browser shows the response only once it
/// has sent its request.
///
/// # Errors
/// As `read`.
pub async fn read_partial(
    body: Body,
    limit: usize,
    timeout: Duration,
    lease: &mut Lease,
    bytes: &mut Vec<u8>,
) -> Result<(), BodyError> {
    let mut body = body.into();
    let body_read = collect(&mut body, limit, limit, lease, bytes);
    let result = tokio::time::timeout(timeout, body_read)
        .await
        .unwrap_or(Err(BodyError::TimedOut));
    if result == Err(BodyError::TooLong) {
        let _ = tokio::time::timeout(timeout, discard(&mut body)).await;
    }
    result
}

/// Maximum number of bytes that are read only to be discarded.
const MAX_DISCARDED_BYTES: usize = 1024 * 1024;

async fn discard(body: &mut BoxBody<Bytes, io::Error>) {
    let mut discarded = 0;
    while discarded < MAX_DISCARDED_BYTES {
        let Some(Ok(frame)) = body.frame().await else {
            return;
        };
        discarded += frame.data_ref().map_or(0, Bytes::len);
    }
}

/// Appends the body to `bytes`, at most `limit` bytes; `expected` is its probable length.
async fn collect(
    body: &mut BoxBody<Bytes, io::Error>,
    expected: usize,
    limit: usize,
    lease: &mut Lease,
    bytes: &mut Vec<u8>,
) -> Result<(), BodyError> {
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| BodyError::Invalid)?.into_data() else {
            continue;
        };
        let fitting = data.len().min(limit - bytes.len());
        let length = bytes.len() + fitting;
        if length > bytes.capacity() {
            // Doubling keeps copies few; capping at the announced length keeps memory small.
            let capacity = length.max(expected.min(2 * bytes.capacity()));
            lease.grow(capacity - bytes.capacity())?;
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&data[..fitting]);
        if fitting < data.len() {
            return Err(BodyError::TooLong);
        }
    }
    Ok(())
}

impl From<BodyError> for Problem {
    fn from(fault: BodyError) -> Self {
        match fault {
            BodyError::TooLong => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "The body is longer than 64 KiB.",
            ),
            BodyError::TimedOut => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "The body did not arrive in time.",
            ),
            BodyError::Invalid => Self::new(StatusCode::BAD_REQUEST, "The body cannot be read."),
            BodyError::OverBudget(Exhausted::Client) => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests from your network are being sent at once.",
            )
            .with_retry_after(RETRY_AFTER_SECONDS),
            BodyError::OverBudget(Exhausted::Server) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "We are busy for a moment. Please try again in a few seconds.",
            )
            .with_retry_after(RETRY_AFTER_SECONDS),
        }
    }
}

/// Middleware of the JSON API: same site, JSON, at most `LIMIT` bytes, in time.
///
/// # Errors
/// 400, 403, 408, 413, 415, 429 and 503 as problem documents.
pub async fn json_middleware<E: Endpoint>(
    next: &E,
    mut request: Request,
    app: &AppState,
    timeout: Duration,
    origin: &str,
) -> Result<Response> {
    // Held until the response is made.
    let mut lease = None;
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        if !same_site(request.headers(), origin) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This request comes from another site.",
            )
            .into());
        }
        let body = request.take_body();
        let client = Client::of(&request)?.address;
        let lease = lease.insert(app.bodies.lease(client));
        let limit = content::body_limit(request.uri().path()).unwrap_or(MAX_BODY_BYTES);
        let bytes = read(request.headers(), body, limit, timeout, lease)
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

/// Whether `Content-Type` is this media type, ignoring its parameters.
pub fn has_media_type(kind: &str, headers: &HeaderMap) -> bool {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(kind)
}
