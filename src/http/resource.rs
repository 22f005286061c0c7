//! One page or file, and its bytes and header blocks in each content coding, made when they are first wanted. Which one a request gets is decided by `pages`.

use std::sync::OnceLock;

use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest, Sha256};

use super::encoding::Coding;
use crate::site::bundle::{Document, File};
use crate::site::documents;
use crate::site::inline_stylesheet::InlineStylesheet;
use crate::site::photos::Photo;
use crate::site::placeholders::{EscapeContext, Placeholders};
use crate::site::seo::Seo;

/// Plain text.
pub const PLAIN: &str = "text/plain; charset=utf-8";
/// Which request header the bytes depend on.
pub const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");
/// Browsers ask again each time and are mostly answered 304: a page changes with the program or the settings.
const REVALIDATE: &str = "no-cache";
/// Names with a hash of their content never change it (RFC 8246).
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Icons and pictures under plain names.
const A_DAY: &str = "public, max-age=86400";

/// What pages are made with.
pub struct RenderContext {
    /// The head's tags.
    pub seo: Seo,
    /// The company's facts.
    pub facts: Placeholders,
    /// The stylesheet that stands in the documents.
    pub sheet: Option<InlineStylesheet>,
    /// The headers of every answer.
    pub security: HeaderMap,
}

/// One page or file.
pub struct Resource {
    /// What it is answered with.
    pub status: StatusCode,
    content_type: &'static str,
    cache: &'static str,
    source: Source,
    coded: [OnceLock<Box<EncodedBody>>; 3],
}

enum Source {
    Document(Document),
    File(File),
    Made(Bytes),
}

/// A page in one coding.
pub struct EncodedBody {
    /// The bytes.
    pub body: Bytes,
    /// The whole header block.
    pub headers: HeaderMap,
    /// The header block of a 304.
    pub unchanged: HeaderMap,
    tag: HeaderValue,
}

impl Resource {
    /// A prerendered document.
    pub fn document(document: Document) -> Self {
        Self {
            status: StatusCode::from_u16(document.status).unwrap_or(StatusCode::OK),
            ..Self::new(
                "text/html; charset=utf-8",
                REVALIDATE,
                Source::Document(document),
            )
        }
    }

    /// A text that was made here.
    pub fn text(content_type: &'static str, text: String) -> Self {
        Self::new(content_type, REVALIDATE, Source::Made(text.into()))
    }

    /// A photo of the operator's.
    pub fn photo(photo: Photo) -> Self {
        let (_, extension) = photo.path.rsplit_once('.').unwrap_or_default();
        let source = Source::Made(photo.bytes.into());
        Self::new(content_type(extension), FOREVER, source)
    }

    /// What stands for every page where the program was built without the frontend.
    pub fn unbuilt() -> Self {
        let text = "The frontend is not built: run the build in frontend/ and compile again.\n";
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Self::text(PLAIN, text.to_owned())
        }
    }

    /// A manifest or text that names facts is filled; everything else stays as it was built.
    pub fn file(file: File, facts: &Placeholders) -> Self {
        let (_, extension) = file.path.rsplit_once('.').unwrap_or_default();
        let content_type = content_type(extension);
        let place = match extension {
            "webmanifest" | "json" => Some(EscapeContext::Json),
            "txt" => Some(EscapeContext::Text),
            _ => None,
        };
        if let Some(place) = place
            && let Ok(text) = std::str::from_utf8(file.bytes())
        {
            return Self::text(content_type, facts.fill(text, place));
        }
        let cache = if file.path.starts_with("/assets/") {
            FOREVER
        } else {
            A_DAY
        };
        Self::new(content_type, cache, Source::File(file))
    }

    fn new(content_type: &'static str, cache: &'static str, source: Source) -> Self {
        Self {
            status: StatusCode::OK,
            content_type,
            cache,
            source,
            coded: Default::default(),
        }
    }

    /// Whether it is a page of the site, not a file.
    pub fn is_document(&self) -> bool {
        matches!(self.source, Source::Document(_))
    }

    /// Whether compressing it is worth anything.
    pub fn is_compressible(&self) -> bool {
        let kind = self.content_type;
        kind.starts_with("text/")
            || ["javascript", "json", "xml"]
                .iter()
                .any(|word| kind.contains(word))
    }

    /// Whether a visitor should not wait for its bytes: a document is put together and compressed first. A file is there as it was built.
    pub fn is_slow_to_make(&self) -> bool {
        !matches!(self.source, Source::File(_))
    }

    /// The coding most visitors get.
    pub fn best(&self) -> Coding {
        if self.is_compressible() {
            Coding::Brotli
        } else {
            Coding::Identity
        }
    }

    /// The page in `coding`, made now if nobody has asked before.
    pub fn coded(&self, coding: Coding, with: &RenderContext) -> &EncodedBody {
        self.coded[coding as usize].get_or_init(|| {
            let body = self.bytes(coding, with);
            Box::new(self.with_headers(body, coding, &with.security))
        })
    }

    fn bytes(&self, coding: Coding, with: &RenderContext) -> Bytes {
        let built = match (&self.source, coding) {
            (Source::File(file), Coding::Brotli) => file.twin(".br"),
            (Source::File(file), Coding::Gzip) => file.twin(".gz"),
            _ => None,
        };
        match built {
            Some(built) => Bytes::from_static(built),
            None if coding == Coding::Identity => self.plain(with),
            None => match self.coded[Coding::Identity as usize].get() {
                Some(plain) => coding.encode(&plain.body),
                None => coding.encode(&self.plain(with)),
            },
        }
    }

    fn plain(&self, with: &RenderContext) -> Bytes {
        match &self.source {
            Source::File(file) => Bytes::from_static(file.bytes()),
            Source::Made(bytes) => bytes.clone(),
            Source::Document(document) => {
                let RenderContext {
                    seo, facts, sheet, ..
                } = with;
                documents::finish(document, seo, facts, sheet.as_ref()).into()
            }
        }
    }

    fn with_headers(&self, body: Bytes, coding: Coding, security: &HeaderMap) -> EncodedBody {
        let tag = entity_tag(&body);
        let mut unchanged = security.clone();
        unchanged.insert(header::ETAG, tag.clone());
        unchanged.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache));
        if self.is_compressible() {
            unchanged.insert(header::VARY, VARY);
        }
        let mut headers = unchanged.clone();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(self.content_type),
        );
        headers.insert(header::CONTENT_LENGTH, body.len().into());
        if let Some(token) = coding.token() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
        }
        EncodedBody {
            body,
            headers,
            unchanged,
            tag,
        }
    }
}

impl EncodedBody {
    /// Whether `If-None-Match` names these bytes (RFC 9110 section 13.1.2: a list, compared weakly, or `*`).
    pub fn is_known(&self, headers: &HeaderMap) -> bool {
        headers
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .any(|line| names(line.as_bytes(), self.tag.as_bytes()))
    }
}

fn names(line: &[u8], tag: &[u8]) -> bool {
    line.split(|byte| *byte == b',').any(|item| {
        let item = item.trim_ascii();
        item == b"*" || item.strip_prefix(b"W/").unwrap_or(item) == tag
    })
}

/// A strong tag: other bytes, in another coding too, have another one.
fn entity_tag(body: &[u8]) -> HeaderValue {
    let hash = hex::encode(&Sha256::digest(body)[..12]);
    HeaderValue::try_from(format!("\"{hash}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

fn content_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "txt" => PLAIN,
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
