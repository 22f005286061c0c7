//! One page or file, with its body and headers in each content coding, made on first use.
//! `page_map` decides which resource a request gets.

mod encoded_body;

use std::borrow::Cow;
use std::sync::OnceLock;

use bytes::Bytes;
use poem::http::{HeaderMap, StatusCode, header};

use super::encoding::Coding;
use super::security_headers::{SecurityHeaders, policy};
pub use encoded_body::VARY;
use encoded_body::{EncodedBody, ResourceHeaders};
use site::bundle::{Document, File};
use site::documents;
use site::inline_files::InlineFiles;
use site::photos::Photo;
use site::placeholders::{EscapeContext, Placeholders};
use site::seo::Seo;

/// The media type of plain text.
pub const TEXT_PLAIN: &str = "text/plain; charset=utf-8";
/// Browsers revalidate each time and mostly get 304: a page changes with the program or the
/// settings.
const REVALIDATE: &str = "no-cache";
/// For names with a content hash, whose content never changes (RFC 8246).
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// For icons and pictures without a hash in their name.
const ONE_DAY: &str = "public, max-age=86400";

/// The values with which pages are rendered.
pub struct RenderContext {
    /// The tags of the head.
    pub seo: Seo,
    /// The company's details.
    pub placeholders: Placeholders,
    /// The files that are inlined into documents.
    pub inline_files: InlineFiles,
    /// The security headers of every response.
    pub security: SecurityHeaders,
}

/// One page or file.
pub struct Resource {
    /// The response status.
    pub status: StatusCode,
    content_type: &'static str,
    cache: &'static str,
    source: Source,
    encoded: [OnceLock<Box<EncodedBody>>; 3],
}

enum Source {
    Document(Document),
    File(File),
    Generated(Bytes),
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

    /// A generated text.
    pub fn text(content_type: &'static str, text: String) -> Self {
        Self::new(content_type, REVALIDATE, Source::Generated(text.into()))
    }

    /// A photo of the operator.
    pub fn photo(photo: Photo) -> Self {
        let (_, extension) = photo.path.rsplit_once('.').unwrap_or_default();
        let source = Source::Generated(photo.bytes);
        Self::new(content_type(extension), IMMUTABLE, source)
    }

    /// The response for every page if the program was built without the frontend.
    pub fn unbuilt() -> Self {
        let text = "The frontend is not built: run the build in frontend/ and compile again.\n";
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            ..Self::text(TEXT_PLAIN, text.to_owned())
        }
    }

    /// A file of the bundle. Manifests and texts get their placeholders filled; all others stay as
    /// built.
    pub fn file(file: File, placeholders: &Placeholders) -> Self {
        let (_, extension) = file.path.rsplit_once('.').unwrap_or_default();
        let content_type = content_type(extension);
        let context = match extension {
            "webmanifest" | "json" => Some(EscapeContext::Json),
            "txt" => Some(EscapeContext::Text),
            _ => None,
        };
        if let Some(context) = context
            && let Ok(text) = std::str::from_utf8(&file.bytes())
        {
            return Self::text(content_type, placeholders.fill(text, context));
        }
        let cache = if file.path.starts_with("/assets/") {
            IMMUTABLE
        } else {
            ONE_DAY
        };
        Self::new(content_type, cache, Source::File(file))
    }

    fn new(content_type: &'static str, cache: &'static str, source: Source) -> Self {
        Self {
            status: StatusCode::OK,
            content_type,
            cache,
            source,
            encoded: Default::default(),
        }
    }

    /// Whether it is a page of the site, not a file.
    pub fn is_document(&self) -> bool {
        matches!(self.source, Source::Document(_))
    }

    /// Whether compression is worthwhile.
    pub fn is_compressible(&self) -> bool {
        let kind = self.content_type;
        kind.starts_with("text/")
            || ["javascript", "json", "xml"]
                .iter()
                .any(|word| kind.contains(word))
    }

    /// The resource in `coding`, made on first use.
    pub fn encoded(&self, coding: Coding, context: &RenderContext) -> &EncodedBody {
        self.encoded[coding as usize].get_or_init(|| {
            let body = self.bytes(coding, context);
            let headers = ResourceHeaders {
                cache: self.cache,
                content_type: self.content_type,
                is_compressible: self.is_compressible(),
            };
            let security = self.security(context);
            Box::new(EncodedBody::new(body, coding, &headers, security))
        })
    }

    /// The security headers. The policy of a document allows its own inline files.
    fn security(&self, context: &RenderContext) -> HeaderMap {
        let security = &context.security;
        let mut headers = security.common.clone();
        if let Source::Document(document) = &self.source {
            let hashes = context.inline_files.hashes_in(document);
            let policy = policy(&hashes).unwrap_or_else(|_| security.document_policy.clone());
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        headers
    }

    fn bytes(&self, coding: Coding, context: &RenderContext) -> Bytes {
        let compressed = match (&self.source, coding) {
            (Source::File(file), Coding::Brotli) => file.compressed(),
            _ => None,
        };
        match compressed {
            Some(compressed) => Bytes::from_static(compressed),
            None if coding == Coding::Identity => self.uncompressed(context),
            None => match self.encoded[Coding::Identity as usize].get() {
                Some(uncompressed) => coding.encode(&uncompressed.body),
                None => coding.encode(&self.uncompressed(context)),
            },
        }
    }

    fn uncompressed(&self, context: &RenderContext) -> Bytes {
        match &self.source {
            Source::File(file) => match file.bytes() {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            },
            Source::Generated(bytes) => bytes.clone(),
            Source::Document(document) => {
                let (seo, placeholders) = (&context.seo, &context.placeholders);
                documents::render(document, seo, placeholders, &context.inline_files).into()
            }
        }
    }
}

/// The media type of a file with this extension.
pub fn content_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "txt" => TEXT_PLAIN,
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "xml" => "application/xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "pdf" => "application/pdf",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
