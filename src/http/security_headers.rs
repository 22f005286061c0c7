//! The headers on every answer, errors included (OWASP Secure Headers). Pages carry them in their prebuilt blocks; `listen` puts them on the rest.

use poem::http::header::InvalidHeaderValue;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::site::inline_stylesheet::InlineStylesheet;

const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), \
    microphone=(), payment=(), usb=()";

/// The headers of every answer of a site that is reached by `https` or not, and whose documents hold `sheet`.
///
/// # Errors
/// Where the policy is no header's text, which no hash can make it.
pub fn security(
    https: bool,
    sheet: Option<&InlineStylesheet>,
) -> Result<HeaderMap, InvalidHeaderValue> {
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
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
    headers.insert(header::CONTENT_SECURITY_POLICY, policy(sheet).try_into()?);
    if https {
        // RFC 6797: a year. Without includeSubDomains, which is not ours to decide for the operator's other hosts.
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    Ok(headers)
}

/// Nothing is allowed but our own files, and of styles in a document the one `sheet` that we put there; scripts are never made from strings (Trusted Types);
/// pictures may also stand in the document itself, as the second factor's QR code does.
fn policy(sheet: Option<&InlineStylesheet>) -> String {
    let sheet = sheet.map(|sheet| format!(" {}", sheet.hash()));
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' data:; font-src 'self'; \
        connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'",
        sheet.unwrap_or_default()
    )
}

/// Puts the headers of every answer on one that was made elsewhere; where nothing is said about keeping it, it is not kept.
pub fn complete(headers: &mut HeaderMap, security: &HeaderMap) {
    for (name, value) in security {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
