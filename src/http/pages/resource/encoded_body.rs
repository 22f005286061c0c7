//! A resource in one content coding, with the headers of its responses.

use std::sync::OnceLock;

use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use crate::pages::encoding::Coding;

/// The request header that the body depends on.
pub const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");

/// A resource in one content coding.
pub struct EncodedBody {
    /// The bytes.
    pub body: Bytes,
    /// All headers of a 200.
    pub headers: HeaderMap,
    /// All headers of a 304, once there was one.
    not_modified_headers: OnceLock<HeaderMap>,
    tag: HeaderValue,
}

/// What the headers of a resource say in every coding.
pub(super) struct ResourceHeaders {
    pub cache: &'static str,
    pub content_type: &'static str,
    pub is_compressible: bool,
}

impl EncodedBody {
    pub(super) fn new(
        body: Bytes,
        coding: Coding,
        resource: &ResourceHeaders,
        security: HeaderMap,
    ) -> Self {
        let tag = entity_tag(&body);
        let mut headers = security;
        let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
        set(header::CACHE_CONTROL, resource.cache);
        set(header::CONTENT_TYPE, resource.content_type);
        if let Some(token) = coding.token() {
            set(header::CONTENT_ENCODING, token);
        }
        if resource.is_compressible {
            headers.insert(header::VARY, VARY);
        }
        headers.insert(header::ETAG, tag.clone());
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        Self {
            body,
            headers,
            not_modified_headers: OnceLock::new(),
            tag,
        }
    }

    /// All headers of a 304: those that do not describe the body.
    pub fn not_modified_headers(&self) -> &HeaderMap {
        self.not_modified_headers.get_or_init(|| {
            let mut headers = self.headers.clone();
            for name in [
                header::CONTENT_TYPE,
                header::CONTENT_LENGTH,
                header::CONTENT_ENCODING,
            ] {
                headers.remove(name);
            }
            headers
        })
    }

    /// Whether `If-None-Match` contains this tag (RFC 9110, section 13.1.2: a list, compared
    /// weakly, or `*`).
    pub fn is_not_modified(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .any(|line| matches_tag(line.as_bytes(), self.tag.as_bytes()))
    }
}

fn matches_tag(line: &[u8], tag: &[u8]) -> bool {
    line.split(|byte| *byte == b',').any(|item| {
        let item = item.trim_ascii();
        item == b"*" || item.strip_prefix(b"W/").unwrap_or(item) == tag
    })
}

/// A strong tag: different bytes, also in another coding, have a different tag.
fn entity_tag(body: &[u8]) -> HeaderValue {
    let hash = hex::encode(&Sha256::digest(body)[..12]);
    HeaderValue::try_from(format!("\"{hash}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}
