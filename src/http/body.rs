//! Bodies are read here, once, under a limit, before anything parses them; what comes from another site is refused before it is read.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use poem::http::uri::Authority;
use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::App;
use super::body_budget::{Exhausted, Lease};
use super::client_address::{Client, network};
use super::problem::Problem;
use crate::config::is_loopback;

/// The longest body the product's own API takes, in bytes.
pub const LIMIT: usize = 64 * 1024;

/// What was wrong with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Longer than the limit.
    TooLong,
    /// The client did not finish it in time.
    TooSlow,
    /// Its framing is broken, as a chunk without a length.
    Broken,
    /// There is no memory left for it.
    NoRoom(Exhausted),
}

/// Seconds after which a request that found no memory for its body is worth another try.
pub const RETRY_AFTER: u32 = 5;

impl From<Exhausted> for Fault {
    fn from(exhausted: Exhausted) -> Self {
        Self::NoRoom(exhausted)
    }
}

/// Takes the whole body, at most `limit` bytes of it, within `patience`. What arrives is charged to
/// `lease`, which the caller keeps until the request is done.
///
/// # Errors
/// When it is longer, slower or broken, or finds no room.
pub async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    patience: Duration,
    lease: &mut Lease,
) -> Result<Vec<u8>, Fault> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(Fault::TooLong);
    }
    let whole = collect(body.into(), announced.unwrap_or(limit), limit, lease);
    tokio::time::timeout(patience, whole)
        .await
        .unwrap_or(Err(Fault::TooSlow))
}

async fn collect(
    mut body: BoxBody<Bytes, io::Error>,
    expected: usize,
    limit: usize,
    lease: &mut Lease,
) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Fault::Broken)?.into_data() else {
            continue;
        };
        let length = bytes.len() + data.len();
        if length > limit {
            return Err(Fault::TooLong);
        }
        if length > bytes.capacity() {
            // Doubling keeps the copies few; no more than announced keeps the memory small.
            let capacity = length.max(expected.min(2 * bytes.capacity()));
            lease.grow(capacity - bytes.capacity())?;
            bytes.reserve_exact(capacity - bytes.len());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::TooLong => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "The body is longer than 64 KiB.",
            ),
            Fault::TooSlow => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "The body did not arrive in time.",
            ),
            Fault::Broken => Self::new(StatusCode::BAD_REQUEST, "The body cannot be read."),
            Fault::NoRoom(Exhausted::Client) => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests from your network are being sent at once.",
            )
            .retry_after(RETRY_AFTER),
            Fault::NoRoom(Exhausted::Server) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "We are busy for a moment. Please try again in a few seconds.",
            )
            .retry_after(RETRY_AFTER),
        }
    }
}

/// In front of the JSON API: same site, JSON, at most `LIMIT` bytes, in time.
///
/// # Errors
/// 400, 403, 408, 413, 415, 429 and 503 as problem documents.
pub async fn json_only<E: Endpoint>(
    next: &E,
    mut request: Request,
    app: &App,
    patience: Duration,
    origin: &str,
) -> Result<Response> {
    // Lives until the request is answered.
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
        let client = network(Client::of(&request)?.address);
        let lease = lease.insert(app.bodies.lease(client));
        let bytes = read(request.headers(), body, LIMIT, patience, lease)
            .await
            .map_err(Problem::from)?;
        if !bytes.is_empty() && !is("application/json", request.headers()) {
            let detail = "Send the body as application/json.";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).into());
        }
        request.set_body(bytes);
    }
    next.call(request).await.map(IntoResponse::into_response)
}

/// Whether the body is said to be of this media type, whatever its parameters.
pub fn is(kind: &str, headers: &HeaderMap) -> bool {
    let said = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = said.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(kind)
}

/// Whether a browser would say that the request was made by a page of ours (OWASP CSRF cheat sheet:
/// Fetch Metadata and Origin). A caller that sends neither is no browser following another site's
/// page.
///
/// `Host` proves nothing for a name: DNS rebinding points any name at this server, and the browser
/// then calls its pages same-origin. Only where nobody can rebind it, as for `localhost` and IP
/// addresses, may the page be reached under another origin than the configured one.
pub fn same_site(headers: &HeaderMap, origin: &str) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let fetched_by_us = text("sec-fetch-site").is_none_or(|s| matches!(s, "same-origin" | "none"));
    fetched_by_us
        && text("origin").is_none_or(|from| from == origin || is_local(from, text("host"), origin))
}

/// Whether `from` is the very address asked for, and one that is not looked up by name: a loopback
/// address, or any IP address where the site has no name of its own.
fn is_local(from: &str, host: Option<&str>, origin: &str) -> bool {
    let authority = |url: &str| url.split_once("://")?.1.parse::<Authority>().ok();
    let Some(asked) = authority(from).filter(|asked| host == Some(asked.as_str())) else {
        return false;
    };
    let has_no_name = || authority(origin).is_some_and(|own| is_ip(own.host()));
    is_loopback(asked.host()) || (is_ip(asked.host()) && has_no_name())
}

fn is_ip(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::same_site;
    use poem::http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn only_our_own_pages_may_post() {
        let cases: &[(&[(&str, &str)], bool)] = &[
            (&[], true),
            (&[("sec-fetch-site", "same-origin")], true),
            (&[("sec-fetch-site", "none")], true),
            (
                &[
                    ("sec-fetch-site", "cross-site"),
                    ("origin", "https://guard.example"),
                ],
                false,
            ),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("origin", "https://guard.example")], true),
            (&[("origin", "https://guard.example.evil.example")], false),
            (&[("origin", "null")], false),
            (
                &[
                    ("origin", "http://localhost:8080"),
                    ("host", "localhost:8080"),
                ],
                true,
            ),
            (
                &[
                    ("origin", "http://evil.example"),
                    ("host", "localhost:8080"),
                ],
                false,
            ),
        ];
        for (pairs, expected) in cases {
            let headers: HeaderMap = pairs
                .iter()
                .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
                .collect();
            assert_eq!(
                same_site(&headers, "https://guard.example"),
                *expected,
                "{pairs:?}"
            );
        }
    }

    #[test]
    fn a_name_that_dns_could_rebind_is_ours_only_where_it_is_configured() {
        for (origin, own, ours) in [
            ("https://guard.example", "https://guard.example", true),
            ("http://evil.example", "https://guard.example", false),
            ("http://evil.example", "http://127.0.0.1:8080", false),
            ("http://localhost:8080", "http://127.0.0.1:8080", true),
            ("http://127.0.0.1:8080", "https://guard.example", true),
            ("http://[::1]:8080", "https://guard.example", true),
            ("http://192.0.2.7:8080", "http://127.0.0.1:8080", true),
            ("http://192.0.2.7:8080", "https://guard.example", false),
            (
                "http://127.0.0.1.evil.example",
                "http://127.0.0.1:8080",
                false,
            ),
            (
                "http://localhost.evil.example",
                "http://127.0.0.1:8080",
                false,
            ),
        ] {
            let host = origin.split_once("://").unwrap().1;
            for site in [None, Some("same-origin")] {
                let pairs = [
                    ("origin", Some(origin)),
                    ("host", Some(host)),
                    ("sec-fetch-site", site),
                ];
                let said = pairs
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value?)));
                let headers: HeaderMap = said
                    .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
                    .collect();
                assert_eq!(
                    same_site(&headers, own),
                    ours,
                    "{origin} at {own}, {site:?}"
                );
            }
        }
    }
}
