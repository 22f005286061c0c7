//! Every public page and file, from one map made at start: path to bytes with whole header blocks, for each content coding. `listen` asks here before
//! anything else. A page's bytes are made once, when they are first wanted; `warm` wants them all, in the background.

use std::collections::HashMap;
use std::iter::once;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use bytes::Bytes;
use http_body_util::Full;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

use super::encoding::{Coding, choose};
use super::resource::{PLAIN, RenderContext, Resource, VARY};
use super::{html_forms, security_headers};
use crate::config;
use crate::domain::clock::Clock;
use crate::site::bundle::{Bundle, Document};
use crate::site::content::Content;
use crate::site::inline_stylesheet::InlineStylesheet;
use crate::site::placeholders::Placeholders;
use crate::site::seo::Seo;
use crate::site::{crawler_files, photos};

/// An answer whose body is there.
pub type PageResponse = hyper::Response<Full<Bytes>>;

/// Paths under which the API, the authentication service and the checks of health live; all others are pages.
const DOORS: [&str; 4] = ["/api", "/auth", "/healthz", "/readyz"];
/// Pages whose forms post to the page's own path.
const FORMS: [&str; 2] = [html_forms::QUOTE, html_forms::CONTACT];
const SECURITY_TXT: &str = "/.well-known/security.txt";
/// How long a browser may go by a redirect without asking again.
const MOVED: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The site's pages and files.
pub struct PageMap {
    map: HashMap<String, Entry>,
    not_found: Resource,
    workshop: RenderContext,
    clock: Clock,
}

enum Entry {
    Page {
        plain: Box<Resource>,
        variants: Vec<(String, Resource)>,
    },
    Moved(String),
}

impl PageMap {
    /// The pages of this program for this company and server, with the operator's photos in the `media` folder; `sso` says whether the door of the
    /// dashboard has one for company accounts.
    ///
    /// # Errors
    /// When seeds and bundle do not fit together, or a redirect would take away a path that is
    /// served.
    pub fn open(
        company: &config::Company,
        server: &config::Server,
        sso: &[config::SsoDomain],
        media: &Path,
        clock: &Clock,
    ) -> Result<Self> {
        let bundle = Bundle::embedded()?;
        let origin = server.origin();
        let https = !server.tls_cert.is_empty() || origin.starts_with("https:");
        let photos = photos::in_folder(media);
        let paths = photos
            .iter()
            .map(|(scene, photo)| (scene.clone(), photo.path.clone()));
        let sheet = InlineStylesheet::of(&bundle);
        let workshop = RenderContext {
            seo: Seo::new(Content::bundled()?, &origin, &bundle),
            facts: Placeholders::new(
                company,
                &origin,
                clock.now(),
                paths.collect(),
                !sso.is_empty(),
            ),
            security: security_headers::security(https, sheet.as_ref())?,
            sheet,
        };
        let mut pages = Self {
            map: HashMap::new(),
            not_found: Resource::unbuilt(),
            workshop,
            clock: clock.clone(),
        };
        pages.add_texts();
        for file in bundle.files {
            let path = file.path.clone();
            pages.add(path, Resource::file(file, &pages.workshop.facts));
        }
        for photo in photos.into_values() {
            pages.add(photo.path.clone(), Resource::photo(photo));
        }
        pages.add_documents(bundle.documents)?;
        pages.add_redirects(server)?;
        Ok(pages)
    }

    /// The answer to a request for a page, or for anything that exists nowhere. `None` where the request is for the API or is a form's post.
    pub fn answer(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<PageResponse> {
        let path = uri.path();
        match self.map.get(path) {
            Some(Entry::Page { plain, variants }) => {
                if *method == Method::POST && FORMS.contains(&path) {
                    return None;
                }
                let page = uri.query().and_then(|query| variant(variants, query));
                Some(self.respond(page.unwrap_or(plain), method, path, headers))
            }
            Some(Entry::Moved(to)) => Some(self.moved(to, uri)),
            None if is_door(path) => None,
            None => Some(self.unmapped(method, uri, headers)),
        }
    }

    /// The document at `path` as plain HTML, for a form's answer; `query` chooses a variant as it does for visitors.
    pub fn html(&self, path: &str, query: &str) -> Option<Bytes> {
        let Some(Entry::Page { plain, variants }) = self.map.get(path) else {
            return None;
        };
        let page = variant(variants, query).unwrap_or(plain);
        Some(page.coded(Coding::Identity, &self.workshop).body.clone())
    }

    /// Whether `path` is the path of a page, spelled as its links are.
    pub fn is_page(&self, path: &str) -> bool {
        let found = self.map.get(path);
        matches!(found, Some(Entry::Page { plain, .. }) if plain.is_document())
    }

    /// The headers of every answer.
    pub fn security(&self) -> &HeaderMap {
        &self.workshop.security
    }

    /// Makes the bytes most visitors will want and would wait for, one page after the other, so that neither the start nor a visitor waits for the compression.
    /// No thread of its own: the memory that the start has left free is used again.
    pub async fn warm(self: Arc<Self>) {
        for page in self.all().filter(|page| page.is_slow_to_make()) {
            page.coded(page.best(), &self.workshop);
            tokio::task::yield_now().await;
        }
    }

    fn all(&self) -> impl Iterator<Item = &Resource> {
        let pages = self.map.values().filter_map(|entry| match entry {
            Entry::Page { plain, variants } => {
                Some(once(&**plain).chain(variants.iter().map(|(_, page)| page)))
            }
            Entry::Moved(_) => None,
        });
        pages.flatten().chain(once(&self.not_found))
    }

    fn add(&mut self, path: String, page: Resource) {
        let plain = Box::new(page);
        let variants = Vec::new();
        self.map.insert(path, Entry::Page { plain, variants });
    }

    /// Adds the operator's redirects. Call it last: a redirect for a path that is served is an
    /// error.
    fn add_redirects(&mut self, server: &config::Server) -> Result<()> {
        for (from, to) in &server.redirects {
            let path = canonical(from);
            let taken = match self.map.get(&path) {
                Some(Entry::Moved(_)) => Some("has another redirect already"),
                Some(Entry::Page { .. }) => Some("is a page of this site"),
                None if path == SECURITY_TXT => Some("is a page of this site"),
                None if is_door(&path) => Some("belongs to the API"),
                None => None,
            };
            if let Some(taken) = taken {
                bail!("setting `server.redirects`: `{from}` = `{to}`: {path} {taken}");
            }
            self.map.insert(path, Entry::Moved(to.clone()));
        }
        Ok(())
    }

    fn add_texts(&mut self) {
        let RenderContext { seo, facts, .. } = &self.workshop;
        let xml = "application/xml";
        let texts = [
            ("/sitemap.xml", xml, crawler_files::sitemap(seo)),
            ("/robots.txt", PLAIN, crawler_files::robots(seo)),
            ("/llms.txt", PLAIN, crawler_files::llms(seo, facts)),
        ];
        for (path, content_type, text) in texts {
            self.add(path.to_owned(), Resource::text(content_type, text));
        }
    }

    /// A page's own row comes before those of its variants.
    fn add_documents(&mut self, documents: Vec<Document>) -> Result<()> {
        for document in documents {
            let (path, query) = (document.path.clone(), document.query.clone());
            if document.status == 404 {
                self.not_found = Resource::document(document);
            } else if query.is_empty() {
                self.add(path, Resource::document(document));
            } else {
                let Some(Entry::Page { variants, .. }) = self.map.get_mut(&path) else {
                    return Err(anyhow!("pages.json: {path}?{query} comes before {path}"));
                };
                variants.push((query, Resource::document(document)));
            }
        }
        Ok(())
    }

    /// The one security.txt whose bytes depend on the day; a redirect to the right spelling of a path; or nothing.
    fn unmapped(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> PageResponse {
        let path = uri.path();
        if path == SECURITY_TXT {
            let RenderContext { seo, facts, .. } = &self.workshop;
            let text = crawler_files::security(seo, facts, self.clock.now());
            return self.respond(&Resource::text(PLAIN, text), method, path, headers);
        }
        let right = canonical(path);
        match self.map.get(&right) {
            Some(Entry::Moved(to)) => self.moved(to, uri),
            Some(Entry::Page { .. }) if right != path => self.moved(&right, uri),
            _ if *method == Method::GET || *method == Method::HEAD => {
                self.respond(&self.not_found, method, path, headers)
            }
            _ => self.short(StatusCode::NOT_FOUND, "There is nothing at this address.\n"),
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
        let Some(coding) = choose(headers, page.is_compressible()) else {
            let mut answer = self.short(
                StatusCode::NOT_ACCEPTABLE,
                "We can send br, gzip or identity.\n",
            );
            answer.headers_mut().insert(header::VARY, VARY);
            return answer;
        };
        let coded = page.coded(coding, &self.workshop);
        if page.status == StatusCode::OK && coded.is_known(headers) {
            let mut answer = PageResponse::default();
            *answer.status_mut() = StatusCode::NOT_MODIFIED;
            answer.headers_mut().clone_from(&coded.unchanged);
            return answer;
        }
        let body = if head {
            Bytes::new()
        } else {
            coded.body.clone()
        };
        let mut answer = PageResponse::new(Full::new(body));
        *answer.status_mut() = page.status;
        answer.headers_mut().clone_from(&coded.headers);
        answer
    }

    fn moved(&self, to: &str, uri: &Uri) -> PageResponse {
        let location = match uri.query() {
            Some(query) if !to.contains('?') => format!("{to}?{query}"),
            _ => to.to_owned(),
        };
        let mut answer = self.short(StatusCode::PERMANENT_REDIRECT, "");
        answer.headers_mut().insert(header::CACHE_CONTROL, MOVED);
        match HeaderValue::try_from(location) {
            Ok(location) => {
                answer.headers_mut().insert(header::LOCATION, location);
                answer
            }
            Err(_) => self.short(StatusCode::BAD_REQUEST, "This address cannot be read.\n"),
        }
    }

    fn not_allowed(&self, path: &str) -> PageResponse {
        let mut answer = self.short(
            StatusCode::METHOD_NOT_ALLOWED,
            "This page can only be read.\n",
        );
        let allowed = if FORMS.contains(&path) {
            "GET, HEAD, POST"
        } else {
            "GET, HEAD"
        };
        answer
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static(allowed));
        answer
    }

    /// A status with a line of text.
    pub fn short(&self, status: StatusCode, text: &'static str) -> PageResponse {
        let mut answer = PageResponse::new(Full::new(Bytes::from_static(text.as_bytes())));
        *answer.status_mut() = status;
        if !text.is_empty() {
            let plain = HeaderValue::from_static(PLAIN);
            answer.headers_mut().insert(header::CONTENT_TYPE, plain);
        }
        security_headers::complete(answer.headers_mut(), &self.workshop.security);
        answer
    }
}

/// The variant that one of the query's pairs asks for, whatever else a campaign's link carries.
fn variant<'a>(variants: &'a [(String, Resource)], query: &str) -> Option<&'a Resource> {
    query.split('&').find_map(|pair| {
        let found = variants.iter().find(|(wanted, _)| wanted == pair);
        found.map(|(_, page)| page)
    })
}

fn is_door(path: &str) -> bool {
    DOORS.iter().any(|door| {
        path.strip_prefix(door)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The spelling under which a path is kept: small letters, no slash at the end.
fn canonical(path: &str) -> String {
    let small = path.to_ascii_lowercase();
    match small.trim_end_matches('/') {
        "" => "/".to_owned(),
        right => right.to_owned(),
    }
}
