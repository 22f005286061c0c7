//! The map of pages, and which of them answers a request.

use std::collections::HashMap;

use bytes::Bytes;
use http_body_util::Full;
use poem::http::{HeaderMap, Method, StatusCode, Uri};

use crate::forms::paths;
use crate::pages::encoding::Coding;
use crate::pages::resource::{RenderContext, Resource, TEXT_PLAIN};
use crate::pages::security_headers::SecurityHeaders;
use domain::clock::Clock;
use domain::offer;
use domain::on_call::rota_calendar::CALENDAR_PREFIX;
use domain::request::status_link;
use site::bundle::Document;
use site::documents::render_with_head;
use site::placeholders::EscapeContext;
use site::{crawler_files, offer_page, status_page};

/// A response whose body is in memory.
pub type PageResponse = hyper::Response<Full<Bytes>>;

/// Path prefixes of the API, the authentication service and the health checks; all other paths are
/// pages.
const API_PREFIXES: [&str; 5] = ["/api", "/auth", "/storage", "/healthz", "/readyz"];
pub(super) const SECURITY_TXT: &str = "/.well-known/security.txt";
/// Where password managers look for the page that changes a password (W3C, "A well-known URL for
/// changing passwords").
const CHANGE_PASSWORD: &str = "/.well-known/change-password";

/// The site's pages and files.
pub struct PageMap {
    pub(super) map: HashMap<String, PageEntry>,
    pub(super) not_found: Resource,
    /// The documents that are filled in for each visitor.
    pub(super) filled: Vec<Document>,
    pub(super) context: RenderContext,
    pub(super) clock: Clock,
}

pub(super) enum PageEntry {
    Page {
        plain: Box<Resource>,
        variants: Vec<(String, Resource)>,
    },
    Redirect(String),
}

impl PageMap {
    /// The response for a page or an unknown path; `None` if the request is for the API or is a
    /// form post.
    pub fn response(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Option<PageResponse> {
        let path = uri.path();
        match self.map.get(path) {
            Some(PageEntry::Page { plain, variants }) => {
                let is_form = paths::FORMS.contains(&path);
                if is_form && (*method == Method::POST || paths::has_reference(uri)) {
                    return None;
                }
                let page = uri.query().and_then(|query| variant(variants, query));
                Some(self.respond(page.unwrap_or(plain), method, path, headers))
            }
            Some(PageEntry::Redirect(to)) => Some(self.redirect(to, uri)),
            None if is_api_path(path)
                || path.starts_with(status_link::PREFIX)
                || path.starts_with(offer::link::PREFIX)
                || path.starts_with(CALENDAR_PREFIX) =>
            {
                None
            }
            None => Some(self.fallback(method, uri, headers)),
        }
    }

    /// The document at `path` as uncompressed HTML, for a form's response; `query` picks a variant
    /// as it does for visitors.
    pub fn html(&self, path: &str, query: &str) -> Option<Bytes> {
        let Some(PageEntry::Page { plain, variants }) = self.map.get(path) else {
            return None;
        };
        let page = variant(variants, query).unwrap_or(plain);
        Some(page.encoded(Coding::Identity, &self.context).body.clone())
    }

    /// The status page of requests as uncompressed HTML, to be filled in.
    pub fn status_page(&self) -> Option<String> {
        self.filled(status_page::KEY, status_page::HEAD)
    }

    /// The page of offers as uncompressed HTML, to be filled in.
    pub fn offer_page(&self) -> Option<String> {
        self.filled(offer_page::KEY, offer_page::HEAD)
    }

    fn filled(&self, key: &str, head: &str) -> Option<String> {
        let document = self.filled.iter().find(|document| document.key == key)?;
        let (context, html) = (&self.context, document.html());
        let (placeholders, files) = (&context.placeholders, &context.inline_files);
        Some(render_with_head(&html, head, placeholders, files))
    }

    /// How soon a visitor is called who asked for it, and the phone number, or how soon a request
    /// is answered; as `quote-form.tsx` renders them.
    pub fn answer_html(&self, call: bool) -> String {
        let text = if call {
            concat!(
                "<p>{{company.call_soon}}</p>",
                r#"<p class="actions"><a class="button button-signal" "#,
                r#"href="{{company.phone_href}}">"#,
                "{{company.phone}}</a></p>"
            )
        } else {
            "<p>We answer by phone or email within {{company.promise_answer}}.</p>"
        };
        self.context.placeholders.fill(text, EscapeContext::Html)
    }

    /// The not-found page as uncompressed HTML.
    pub fn not_found_html(&self) -> Bytes {
        self.not_found
            .encoded(Coding::Identity, &self.context)
            .body
            .clone()
    }

    /// Whether `path` is the canonical path of a page.
    pub fn is_page(&self, path: &str) -> bool {
        let found = self.map.get(path);
        matches!(found, Some(PageEntry::Page { plain, .. }) if plain.is_document())
    }

    /// The security headers of every response.
    pub fn security_headers(&self) -> &SecurityHeaders {
        &self.context.security
    }

    /// `security.txt`, whose content depends on the day; a redirect to the canonical path; or 404.
    fn fallback(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> PageResponse {
        let path = uri.path();
        if path == SECURITY_TXT {
            let (seo, placeholders) = (&self.context.seo, &self.context.placeholders);
            let text = crawler_files::security(seo, placeholders, self.clock.now());
            return self.respond(&Resource::text(TEXT_PLAIN, text), method, path, headers);
        }
        let canonical_path = canonical(path);
        match self.map.get(&canonical_path) {
            None if canonical_path == CHANGE_PASSWORD => self.see_other("/admin/account"),
            Some(PageEntry::Redirect(to)) => self.redirect(to, uri),
            Some(PageEntry::Page { .. }) if canonical_path != path => {
                self.redirect(&canonical_path, uri)
            }
            _ if *method == Method::GET || *method == Method::HEAD => {
                self.respond(&self.not_found, method, path, headers)
            }
            _ => self.text_response(StatusCode::NOT_FOUND, "There is nothing at this address.\n"),
        }
    }
}

/// The variant that one of the query's pairs selects; other pairs, such as a campaign's, are
/// ignored.
fn variant<'a>(variants: &'a [(String, Resource)], query: &str) -> Option<&'a Resource> {
    query.split('&').find_map(|pair| {
        let found = variants.iter().find(|(wanted, _)| wanted == pair);
        found.map(|(_, page)| page)
    })
}

pub(super) fn is_api_path(path: &str) -> bool {
    API_PREFIXES.iter().any(|prefix| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The canonical form of a path: lower case, no trailing slash.
pub(super) fn canonical(path: &str) -> String {
    let small = path.to_ascii_lowercase();
    match small.trim_end_matches('/') {
        "" => "/".to_owned(),
        canonical_path => canonical_path.to_owned(),
    }
}
