//! Bodies are read here, once, under a limit, before anything parses them; what comes from another site is refused before it is read.

use std::time::Duration;

use poem::error::ReadBodyError;
use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::{Body, Endpoint, IntoResponse, Request, Response, Result};

use super::problem::Problem;

/// The longest body the product's own API takes, in bytes.
pub const LIMIT: usize = 64 * 1024;

/// What was wrong with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Longer than the limit.
    TooLong,
    /// The client did not finish it in time, or broke off.
    TooSlow,
}

/// Takes the whole body, at most `limit` bytes of it, within `patience`.
///
/// # Errors
/// When it is longer or slower.
pub async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    patience: Duration,
) -> Result<Vec<u8>, Fault> {
    let announced = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(Fault::TooLong);
    }
    match tokio::time::timeout(patience, body.into_bytes_limit(limit)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(ReadBodyError::PayloadTooLarge)) => Err(Fault::TooLong),
        Ok(Err(_)) | Err(_) => Err(Fault::TooSlow),
    }
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
        }
    }
}

/// In front of the JSON API: same site, JSON, at most `LIMIT` bytes, in time.
///
/// # Errors
/// 403, 408, 413 and 415 as problem documents.
pub async fn json_only<E: Endpoint>(
    next: &E,
    mut request: Request,
    patience: Duration,
    origin: &str,
) -> Result<Response> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        if !same_site(request.headers(), origin) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This request comes from another site.",
            )
            .into());
        }
        let body = request.take_body();
        let bytes = read(request.headers(), body, LIMIT, patience)
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

/// Whether a browser would say that the request was made by a page of ours (OWASP CSRF cheat sheet: Fetch Metadata, then Origin). A caller that says
/// nothing is no browser following another site's page.
pub fn same_site(headers: &HeaderMap, origin: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match text("origin") {
        None => true,
        Some(from) => {
            from == origin
                || from
                    .split_once("://")
                    .is_some_and(|(_, host)| Some(host) == text("host"))
        }
    }
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
}
