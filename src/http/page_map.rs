//! Every public page and file in one map that is built at start. An entry holds the body and all
//! headers for each content coding. `server` looks here first. The bytes of a page are made on
//! first use; `warm` makes them all in the background.

use std::collections::{HashMap, HashSet};
use std::iter::once;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use bytes::Bytes;
use http_body_util::Full;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

use super::encoding::{Coding, negotiate};
use super::resource::{RenderContext, Resource, TEXT_PLAIN, VARY};
use super::{html_forms, security_headers};
use crate::config;
use crate::domain::case_link;
use crate::domain::clock::Clock;
use crate::site::bundle::{Bundle, Document};
use crate::site::current::SiteState;
use crate::site::inline_stylesheet::InlineStylesheet;
use crate::site::placeholders::{EscapeContext, Placeholders};
use crate::site::seo::Seo;
use crate::site::{case_page, crawler_files, photos};

/// A response whose body is in memory.
pub type PageResponse = hyper::Response<Full<Bytes>>;

/// Path prefixes of the API, the authentication service and the health checks; all other paths are
/// pages.
const API_PREFIXES: [&str; 5] = ["/api", "/auth", "/storage", "/healthz", "/readyz"];
/// Pages whose forms post to their own path.
const FORM_PATHS: [&str; 2] = [html_forms::QUOTE, html_forms::CONTACT];
const SECURITY_TXT: &str = "/.well-known/security.txt";
/// How long a browser may cache a redirect.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The site's pages and files.
pub struct PageMap {
    map: HashMap<String, PageEntry>,
    not_found: Resource,
    /// The status page of requests before it is filled in; `None` if the frontend is not built.
    case_page: Option<Document>,
    context: RenderContext,
    clock: Clock,
}

enum PageEntry {
    Page {
        plain: Box<Resource>,
        variants: Vec<(String, Resource)>,
    },
    Redirect(String),
}

impl PageMap {
    /// The embedded pages for this company and server, which calls emergencies within
    /// `call_minutes`, with the operator's photos from the `media`
    /// folder; `sso` decides whether the dashboard's sign-in offers company accounts.
    ///
    /// # Errors
    /// If seeds and bundle do not match, or a redirect hides a path that is served.
    pub fn open(
        company: &config::Company,
        call_minutes: u32,
        server: &config::Server,
        sso: &[config::SsoDomain],
        media: &Path,
        clock: &Clock,
    ) -> Result<Self> {
        let site = Arc::new(SiteState::shipped(company)?);
        Self::of(site, call_minutes, server, sso, media, clock)
    }

    /// As `open`, with the content of `site`.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn of(
        site: Arc<SiteState>,
        call_minutes: u32,
        server: &config::Server,
        sso: &[config::SsoDomain],
        media: &Path,
        clock: &Clock,
    ) -> Result<Self> {
        let mut bundle = Bundle::embedded()?;
        let origin = server.origin();
        let https = server.speaks_tls() || origin.starts_with("https:");
        let mut photos = photos::load_photos(media);
        photos.extend(site.photos.clone());
        let stylesheet = InlineStylesheet::from_bundle(&bundle);
        for document in &mut bundle.documents {
            if let Some(body) = site.rendered.get(&document.id()) {
                document.set_body(body);
            }
        }
        let context = RenderContext {
            seo: Seo::new(site.clone(), &origin, &bundle),
            placeholders: Placeholders::new(
                &site.company,
                call_minutes,
                &origin,
                clock.now(),
                photos.clone(),
                !sso.is_empty(),
            )
            .with_edited_pages(site.has_edited_pages()),
            security: security_headers::build(https, stylesheet.as_ref())?,
            stylesheet,
        };
        let mut pages = Self {
            map: HashMap::new(),
            not_found: Resource::unbuilt(),
            case_page: None,
            context,
            clock: clock.clone(),
        };
        pages.add_generated_texts();
        for file in bundle.files {
            let path = file.path.clone();
            pages.add(path, Resource::file(file, &pages.context.placeholders));
        }
        for photo in photos.into_values() {
            pages.add(photo.path.clone(), Resource::photo(photo));
        }
        pages.add_documents(bundle.documents)?;
        pages.add_redirects(server)?;
        Ok(pages)
    }

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
                let is_form = FORM_PATHS.contains(&path);
                if is_form && (*method == Method::POST || html_forms::has_reference(uri)) {
                    return None;
                }
                let page = uri.query().and_then(|query| variant(variants, query));
                Some(self.respond(page.unwrap_or(plain), method, path, headers))
            }
            Some(PageEntry::Redirect(to)) => Some(self.redirect(to, uri)),
            None if is_api_path(path) || path.starts_with(case_link::PREFIX) => None,
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
    pub fn case_page(&self) -> Option<String> {
        let RenderContext {
            placeholders,
            stylesheet,
            ..
        } = &self.context;
        let document = self.case_page.as_ref()?;
        Some(case_page::render(
            document,
            placeholders,
            stylesheet.as_ref(),
        ))
    }

    /// How soon a visitor is called, and the phone number, as `quote-form.tsx` renders them.
    pub fn call_soon_html(&self) -> String {
        let text =
            r#"<p>{{company.call_soon}}<a href="{{company.phone_href}}">{{company.phone}}</a></p>"#;
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
    pub fn security_headers(&self) -> &HeaderMap {
        &self.context.security
    }

    /// Compresses the pages that most visitors ask for, one after the other, so that neither the
    /// start nor a visitor waits for it. Runs on the main thread, which reuses the memory that the
    /// start has freed.
    pub async fn warm(self: Arc<Self>) {
        for page in self.all().filter(|page| page.is_rendered()) {
            page.encoded(page.preferred_coding(), &self.context);
            tokio::task::yield_now().await;
        }
    }

    fn all(&self) -> impl Iterator<Item = &Resource> {
        let pages = self.map.values().filter_map(|entry| match entry {
            PageEntry::Page { plain, variants } => {
                Some(once(&**plain).chain(variants.iter().map(|(_, page)| page)))
            }
            PageEntry::Redirect(_) => None,
        });
        pages.flatten().chain(once(&self.not_found))
    }

    fn add(&mut self, path: String, page: Resource) {
        let plain = Box::new(page);
        let variants = Vec::new();
        self.map.insert(path, PageEntry::Page { plain, variants });
    }

    /// Adds the operator's redirects. Call it last: a redirect from a path that is served is an
    /// error.
    fn add_redirects(&mut self, server: &config::Server) -> Result<()> {
        for (from, to) in &server.redirects {
            let path = canonical(from);
            let conflict = match self.map.get(&path) {
                Some(PageEntry::Redirect(_)) => Some("has another redirect already"),
                Some(PageEntry::Page { .. }) => Some("is a page of this site"),
                None if path == SECURITY_TXT => Some("is a page of this site"),
                None if is_api_path(&path) => Some("belongs to the API"),
                None => None,
            };
            if let Some(conflict) = conflict {
                bail!("setting `server.redirects`: `{from}` = `{to}`: {path} {conflict}");
            }
            self.map.insert(path, PageEntry::Redirect(to.clone()));
        }
        for (from, to) in &server.redirects {
            if self.returns(&canonical(from), &server.origin()) {
                bail!(
                    "setting `server.redirects`: `{from}` = `{to}`: the redirects go in a circle"
                );
            }
        }
        Ok(())
    }

    /// Whether the redirects from `start` lead to a path that they have been at.
    fn returns(&self, start: &str, origin: &str) -> bool {
        let (mut path, mut seen) = (start.to_owned(), HashSet::new());
        while let Some(PageEntry::Redirect(to)) = self.map.get(&path) {
            if !seen.insert(path) {
                return true;
            }
            let to = to.strip_prefix(origin).unwrap_or(to);
            path = canonical(to.split(['?', '#']).next().unwrap_or_default());
        }
        false
    }

    fn add_generated_texts(&mut self) {
        let RenderContext {
            seo, placeholders, ..
        } = &self.context;
        let xml = "application/xml";
        let texts = [
            ("/sitemap.xml", xml, crawler_files::sitemap(seo)),
            ("/robots.txt", TEXT_PLAIN, crawler_files::robots(seo)),
            (
                "/llms.txt",
                TEXT_PLAIN,
                crawler_files::llms(seo, placeholders),
            ),
        ];
        for (path, content_type, text) in texts {
            self.add(path.to_owned(), Resource::text(content_type, text));
        }
    }

    /// A page's own row precedes those of its variants.
    fn add_documents(&mut self, documents: Vec<Document>) -> Result<()> {
        for document in documents {
            let (path, query) = (document.path.clone(), document.query.clone());
            if document.key == case_page::KEY {
                self.case_page = Some(document);
            } else if document.status == 404 {
                self.not_found = Resource::document(document);
            } else if query.is_empty() {
                self.add(path, Resource::document(document));
            } else {
                let Some(PageEntry::Page { variants, .. }) = self.map.get_mut(&path) else {
                    return Err(anyhow!("pages.json: {path}?{query} comes before {path}"));
                };
                variants.push((query, Resource::document(document)));
            }
        }
        Ok(())
    }

    /// `security.txt`, whose content depends on the day; a redirect to the canonical path; or 404.
    fn fallback(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> PageResponse {
        let path = uri.path();
        if path == SECURITY_TXT {
            let RenderContext {
                seo, placeholders, ..
            } = &self.context;
            let text = crawler_files::security(seo, placeholders, self.clock.now());
            return self.respond(&Resource::text(TEXT_PLAIN, text), method, path, headers);
        }
        let canonical_path = canonical(path);
        match self.map.get(&canonical_path) {
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

    fn respond(
        &self,
        page: &Resource,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> PageResponse {
        let head = *method == Method::HEAD;
        if !head && *method != Method::GET {
            return self.not_allowed(path);
        }
        let Some(coding) = negotiate(headers, page.is_compressible()) else {
            let mut response = self.text_response(
                StatusCode::NOT_ACCEPTABLE,
                "We can send br, gzip or identity.\n",
            );
            response.headers_mut().insert(header::VARY, VARY);
            return response;
        };
        let encoded = page.encoded(coding, &self.context);
        if page.status == StatusCode::OK && encoded.is_not_modified(headers) {
            let mut response = PageResponse::default();
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
                .headers_mut()
                .clone_from(encoded.not_modified_headers());
            return response;
        }
        let body = if head {
            Bytes::new()
        } else {
            encoded.body.clone()
        };
        let mut response = PageResponse::new(Full::new(body));
        *response.status_mut() = page.status;
        response.headers_mut().clone_from(&encoded.headers);
        response
    }

    fn redirect(&self, to: &str, uri: &Uri) -> PageResponse {
        let location = match uri.query() {
            Some(query) if !to.contains('?') => format!("{to}?{query}"),
            _ => to.to_owned(),
        };
        let mut response = self.text_response(StatusCode::PERMANENT_REDIRECT, "");
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, REDIRECT_CACHE);
        match HeaderValue::try_from(location) {
            Ok(location) => {
                response.headers_mut().insert(header::LOCATION, location);
                response
            }
            Err(_) => self.text_response(StatusCode::BAD_REQUEST, "This address cannot be read.\n"),
        }
    }

    fn not_allowed(&self, path: &str) -> PageResponse {
        let mut response = self.text_response(
            StatusCode::METHOD_NOT_ALLOWED,
            "This page can only be read.\n",
        );
        let allowed = if FORM_PATHS.contains(&path) {
            "GET, HEAD, POST"
        } else {
            "GET, HEAD"
        };
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static(allowed));
        response
    }

    /// A response with one line of text.
    pub fn text_response(&self, status: StatusCode, text: &'static str) -> PageResponse {
        let mut response = PageResponse::new(Full::new(Bytes::from_static(text.as_bytes())));
        *response.status_mut() = status;
        if !text.is_empty() {
            let plain = HeaderValue::from_static(TEXT_PLAIN);
            response.headers_mut().insert(header::CONTENT_TYPE, plain);
        }
        security_headers::apply_default_headers(response.headers_mut(), &self.context.security);
        response
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

fn is_api_path(path: &str) -> bool {
    API_PREFIXES.iter().any(|prefix| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The canonical form of a path: lower case, no trailing slash.
fn canonical(path: &str) -> String {
    let small = path.to_ascii_lowercase();
    match small.trim_end_matches('/') {
        "" => "/".to_owned(),
        canonical_path => canonical_path.to_owned(),
    }
}
