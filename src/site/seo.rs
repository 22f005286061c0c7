//! Head tags for search engines and link previews: title, description, canonical link and Open
//! Graph. The structured data is in `structured_data`.

use std::sync::Arc;

use serde_json::json;

use super::bundle::{Bundle, Document};
use super::content::{Content, PageEntry, StateFacts};
use super::current::SiteState;
use super::placeholders::{EscapeContext, Placeholders, escape_html, script_json};

/// The separator of two tags: one per line, indented like the rest of the head.
const NEXT_TAG: &str = "\n    ";

/// Generates URLs and metadata of the pages.
#[derive(Debug)]
pub struct Seo {
    pub(super) site: Arc<SiteState>,
    origin: String,
    /// The available images of link previews.
    pub(super) images: Vec<String>,
}

impl Seo {
    /// For the site at `origin` (no trailing slash).
    pub fn new(site: Arc<SiteState>, origin: &str, bundle: &Bundle) -> Self {
        let images = site
            .content
            .pages
            .iter()
            .map(image)
            .filter(|path| bundle.has(path))
            .collect();
        Self {
            site,
            origin: origin.to_owned(),
            images,
        }
    }

    /// The head tags of a document, escaped, with placeholders replaced.
    pub fn head(&self, document: &Document, placeholders: &Placeholders) -> String {
        let Some(page) = self.site.content.page(&document.key) else {
            return String::new();
        };
        let state = document
            .params
            .get("slug")
            .and_then(|slug| self.site.content.state(slug));
        let title = fill_text(&page.title, state, placeholders);
        let description = fill_text(&page.description, state, placeholders);
        let mut tags = vec![
            format!("<title>{}</title>", escape_html(&title)),
            meta("name", "description", &description),
        ];
        if !page.sitemap || !document.query.is_empty() || document.status != 200 {
            tags.push(meta("name", "robots", "noindex"));
        }
        if document.status != 200 {
            return tags.join(NEXT_TAG);
        }
        let url = self.url(&document.path);
        let canonical = escape_html(&url);
        tags.push(format!(r#"<link rel="canonical" href="{canonical}" />"#));
        let site_name = placeholders.get("name");
        tags.extend(self.preview_tags(page, &url, site_name, &title, &description));
        if page.sitemap && document.query.is_empty() {
            let graph = json!({
                "@context": "https://schema.org",
                "@graph": self.graph(page, document, state, &title, &description, placeholders),
            });
            tags.push(format!(
                r#"<script type="application/ld+json">{}</script>"#,
                script_json(&graph)
            ));
        }
        tags.join(NEXT_TAG)
    }

    /// The tags for link previews (Open Graph), with the page's image if the site has it.
    fn preview_tags(
        &self,
        page: &PageEntry,
        url: &str,
        site_name: &str,
        title: &str,
        description: &str,
    ) -> Vec<String> {
        let mut tags: Vec<String> = [
            ("og:type", "website"),
            ("og:locale", "en_US"),
            ("og:site_name", site_name),
            ("og:title", title),
            ("og:description", description),
            ("og:url", url),
        ]
        .map(|(property, value)| meta("property", property, value))
        .into();
        let image = image(page);
        if self.images.contains(&image) {
            tags.extend([
                meta("property", "og:image", &self.url(&image)),
                meta("property", "og:image:width", "1200"),
                meta("property", "og:image:height", "630"),
                meta("name", "twitter:card", "summary_large_image"),
            ]);
        }
        tags
    }

    /// Every URL in the sitemap, with the day its text last changed.
    pub fn sitemap_entries(&self) -> Vec<(String, jiff::civil::Date)> {
        let mut entries = Vec::new();
        for page in self.site.content.pages.iter().filter(|page| page.sitemap) {
            let Some(path) = &page.path else { continue };
            if path.contains("{slug}") {
                entries.extend(self.site.content.states.iter().map(|state| {
                    let path = path.replace("{slug}", &state.slug);
                    (self.url(&path), self.updated(page, &path))
                }));
            } else {
                entries.push((self.url(path), self.updated(page, path)));
            }
        }
        entries
    }

    /// When the text of the page at `path` last changed, by a release or by the office.
    pub(super) fn updated(&self, page: &PageEntry, path: &str) -> jiff::civil::Date {
        self.site
            .day(path)
            .map_or(page.updated, |day| day.max(page.updated))
    }

    pub fn content(&self) -> &Content {
        &self.site.content
    }

    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }
}

/// A page's image for link previews.
pub(super) fn image(page: &PageEntry) -> String {
    format!("/og/{}.png", page.og)
}

/// A `<meta>` tag that is named by `attribute`.
fn meta(attribute: &str, name: &str, value: &str) -> String {
    let content = escape_html(value);
    format!(r#"<meta {attribute}="{name}" content="{content}" />"#)
}

/// Replaces the placeholders in a text of the route manifest.
fn fill_text(text: &str, state: Option<&StateFacts>, placeholders: &Placeholders) -> String {
    let named = text.replace("{{state.name}}", state.map_or("", |state| &state.name));
    placeholders.fill(&named, EscapeContext::Text)
}
