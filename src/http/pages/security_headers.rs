//! Security headers of every response, errors included (OWASP Secure Headers). Pages contain them
//! in their prebuilt headers; `server` adds them to all other responses.

use poem::Response;
use poem::http::header::InvalidHeaderValue;
use poem::http::{HeaderMap, HeaderName, HeaderValue, header};

use site::inline_files::{Hashes, InlineFiles};

const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), display-capture=(), \
                                  geolocation=(), gyroscope=(), magnetometer=(), \
    microphone=(), payment=(), usb=()";

/// The security headers of a site.
#[derive(Clone, Debug)]
pub struct SecurityHeaders {
    /// Those of a response without inline files.
    pub common: HeaderMap,
    /// The policy of documents that are rendered for one request: it allows all inline files.
    pub document_policy: HeaderValue,
}

impl SecurityHeaders {
    /// Those of a site that is served over `https` or not, and whose documents contain
    /// `inline_files`. Fails if a policy is not a valid header value, which a base64 hash cannot
    /// cause.
    pub fn new(https: bool, inline_files: &InlineFiles) -> Result<Self, InvalidHeaderValue> {
        Ok(Self {
            common: common(https)?,
            document_policy: policy(&inline_files.hashes())?,
        })
    }

    /// Adds the security headers to a response that lacks them, and `no-store` if it has no
    /// `Cache-Control`.
    pub fn apply_to(&self, headers: &mut HeaderMap) {
        headers.reserve(self.common.len() + 1);
        let content_type = headers.get(header::CONTENT_TYPE);
        if content_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
            headers
                .entry(header::CONTENT_SECURITY_POLICY)
                .or_insert_with(|| self.document_policy.clone());
        }
        for (name, value) in &self.common {
            headers.entry(name).or_insert_with(|| value.clone());
        }
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
}

/// Marks a page behind a signed link: caches and search engines do not store it, and linked pages of
/// other sites do not learn its URL. With `no-referrer` browsers would send `Origin: null` with its
/// own forms, which is rejected.
pub(crate) fn keep_private(mut response: Response) -> Response {
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn common(https: bool) -> Result<HeaderMap, InvalidHeaderValue> {
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
    headers.insert(header::CONTENT_SECURITY_POLICY, policy(&Hashes::default())?);
    if https {
        // RFC 6797: one year. Without includeSubDomains, since other hosts of the operator may not
        // serve HTTPS.
        let year = HeaderValue::from_static("max-age=31536000");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    Ok(headers)
}

/// Content Security Policy: only our own files, and the inline ones with these hashes. No scripts
/// from strings (Trusted Types). Images may be data URLs, as the QR code of the second factor is.
/// Frames show previews in the editor.
pub fn policy(Hashes { scripts, styles }: &Hashes) -> Result<HeaderValue, InvalidHeaderValue> {
    let policy = format!(
        "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; \
         img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-src 'self'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'"
    );
    policy.try_into()
}
