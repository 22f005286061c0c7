//! Builds the map of pages: the bundle's files and documents, the operator's photos, generated
//! texts, and the redirects of the settings.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};

use super::map::{PageEntry, PageMap, SECURITY_TXT, canonical, is_api_path};
use crate::pages::resource::{RenderContext, Resource, TEXT_PLAIN};
use crate::pages::security_headers::SecurityHeaders;
use domain::clock::Clock;
use site::bundle::{Bundle, Document};
use site::current::SiteState;
use site::inline_files::InlineFiles;
use site::placeholders::Placeholders;
use site::seo::Seo;
use site::{crawler_files, offer_page, photos, status_page};

/// What the pages take from the settings.
pub struct PageSettings {
    /// The `server` settings.
    pub server: config::Server,
    /// Emergencies are called within this many minutes.
    pub call_minutes: u32,
    /// Whether the dashboard's sign-in offers company accounts.
    pub has_sso: bool,
    /// The folder of the operator's photos.
    pub media: PathBuf,
    /// The clock.
    pub clock: Clock,
}

impl PageMap {
    /// The embedded pages with the shipped content for this company.
    ///
    /// # Errors
    /// Those of `of`.
    pub fn open(company: &config::Company, settings: &PageSettings) -> Result<Self> {
        Self::of(Arc::new(SiteState::shipped(company)?), settings)
    }

    /// The embedded pages with the content of `site` and the operator's photos.
    ///
    /// # Errors
    /// If seeds and bundle do not match, or a redirect hides a path that is served.
    pub fn of(site: Arc<SiteState>, settings: &PageSettings) -> Result<Self> {
        let PageSettings { server, clock, .. } = settings;
        let mut bundle = Bundle::embedded()?;
        let origin = server.origin();
        let https = server.speaks_tls() || origin.starts_with("https:");
        let mut photos = photos::load_photos(&settings.media);
        photos.extend(site.photos.clone());
        let inline_files = InlineFiles::from_bundle(&bundle);
        for document in &mut bundle.documents {
            if let Some(body) = site.rendered.get(&document.id()) {
                document.set_body(body);
            }
        }
        let context = RenderContext {
            seo: Seo::new(site.clone(), &origin, &bundle),
            placeholders: Placeholders::new(
                &site.company,
                settings.call_minutes,
                &origin,
                clock.now(),
                photos.clone(),
                settings.has_sso,
            )
            .with_edited_pages(site.has_edited_pages()),
            security: SecurityHeaders::new(https, &inline_files)?,
            inline_files,
        };
        let mut pages = Self {
            map: HashMap::new(),
            not_found: Resource::unbuilt(),
            filled: Vec::new(),
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

    fn add(&mut self, path: String, page: Resource) {
        let plain = Box::new(page);
        let variants = Vec::new();
        self.map.insert(path, PageEntry::Page { plain, variants });
    }

    fn add_generated_texts(&mut self) {
        let (seo, placeholders) = (&self.context.seo, &self.context.placeholders);
        let llms = crawler_files::llms(seo, placeholders);
        let xml = "application/xml";
        let texts = [
            ("/sitemap.xml", xml, crawler_files::sitemap(seo)),
            ("/robots.txt", TEXT_PLAIN, crawler_files::robots(seo)),
            ("/llms.txt", TEXT_PLAIN, llms),
        ];
        for (path, content_type, text) in texts {
            self.add(path.to_owned(), Resource::text(content_type, text));
        }
    }

    /// A page's own row precedes those of its variants.
    fn add_documents(&mut self, documents: Vec<Document>) -> Result<()> {
        for document in documents {
            let (path, query) = (document.path.clone(), document.query.clone());
            if [status_page::KEY, offer_page::KEY].contains(&document.key.as_str()) {
                self.filled.push(document);
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

    /// Whether the redirects from `start` form a circle.
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
}
