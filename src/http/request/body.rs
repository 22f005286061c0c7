//! Reads a request body once, with limits on size, time and memory, before anything parses it.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use poem::Body;
use poem::http::{HeaderMap, StatusCode, header};

use super::body_budget::{BodyBudget, Exhausted, Lease};
use super::problem::Problem;
use super::same_site::same_site;

/// Maximum body size of the product's own API, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// How bodies of requests are received.
pub struct Bodies {
    /// Their memory.
    pub budget: Arc<BodyBudget>,
    /// The time that each may take.
    pub timeout: Duration,
    /// The site's origin, from which forms are posted.
    pub origin: String,
}

impl Bodies {
    /// As the settings say.
    pub fn new(server: &config::Server, limits: &config::Limits) -> Self {
        Self {
            budget: BodyBudget::new(limits),
            timeout: Duration::from_secs(server.body_seconds.into()),
            origin: server.origin().into_owned(),
        }
    }

    /// Memory for the body of a request from `address`.
    pub fn lease(&self, address: IpAddr) -> Lease {
        self.budget.lease(address)
    }

    /// Whether a browser sent this request from a page of this site.
    pub fn same_site(&self, headers: &HeaderMap) -> bool {
        same_site(headers, &self.origin)
    }
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// Longer than this limit, in bytes.
    TooLong(usize),
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
        return Err(BodyError::TooLong(limit));
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

/// Reads like `read`, but keeps in `bytes` the part received before an error. The rest of a body
/// that is too long is discarded, up to `MAX_DISCARDED_BYTES`: a browser shows the response only
/// after it has sent its request.
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
    if matches!(result, Err(BodyError::TooLong(_))) {
        let _ = tokio::time::timeout(timeout, discard(&mut body)).await;
    }
    result
}

/// Maximum number of discarded bytes.
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
            return Err(BodyError::TooLong(limit));
        }
    }
    Ok(())
}

impl From<BodyError> for Problem {
    fn from(fault: BodyError) -> Self {
        match fault {
            BodyError::TooLong(limit) => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("The body is longer than {} KiB.", limit / 1024),
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

/// Whether `Content-Type` is this media type, ignoring its parameters.
pub fn has_media_type(kind: &str, headers: &HeaderMap) -> bool {
    let value = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(kind)
}
