//! Security headers of every response, errors included (OWASP Secure Headers). Pages contain them
//! in their prebuilt headers; `server` adds them to all other responses.

use poem::http::header::InvalidHeaderValue;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::site::inline_stylesheet::InlineStylesheets;

const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), display-capture=(), \
                                  geolocation=(), gyroscope=(), magnetometer=(), \
    microphone=(), payment=(), usb=()";

/// The headers of a site that is served over `https` or not, and whose documents contain
/// `stylesheets`. Fails if the policy is not a valid header value, which a base64 hash cannot
/// cause.
pub fn build(
    https: bool,
    stylesheets: &InlineStylesheets,
) -> Result<HeaderMap, InvalidHeaderValue> {
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (
            HeaderName::from_static("permissions-policy"),
            PERMISSIONS_POLICY,
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    let mut headers: HeaderMap = fixed
        .into_iter()
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .collect();
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        policy(stylesheets).try_into()?,
    );
    if https {
        // RFC 6797: one year. Without includeSubDomains, since other hosts of the operator may not
        // serve HTTPS.
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    Ok(headers)
}

/// Content Security Policy: only our own files, and the inline stylesheets by their hashes. No
/// scripts from strings (Trusted Types). Images may be data URLs, as the QR code of the second
/// factor is. Frames show previews in the editor.
fn policy(stylesheets: &InlineStylesheets) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' data:; \
         font-src 'self'; \
        connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
        frame-src 'self'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'",
        stylesheets.hashes()
    )
}

/// Adds the security headers to a response that lacks them, and `no-store` if it has no
/// `Cache-Control`.
pub fn apply_default_headers(headers: &mut HeaderMap, build: &HeaderMap) {
    headers.reserve(build.len() + 1);
    for (name, value) in build {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
