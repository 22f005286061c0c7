//! Head tags for search engines and link previews: title, description, canonical link, Open Graph
//! and JSON-LD (schema.org). No ratings: self-serving reviews violate search engines' guidelines
//! and consumer law.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};

use super::bundle::{Bundle, Document};
use super::content::{Content, PageEntry, State};
use super::current::SiteState;
use super::placeholders::{EscapeContext, Placeholders, escape_html, script_json};

/// Generates URLs and metadata of the pages.
#[derive(Debug)]
pub struct Seo {
    site: Arc<SiteState>,
    origin: String,
    images: Vec<String>,
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

    /// The head tags of a document, escape_html, with placeholders replaced.
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
        let mut head = String::with_capacity(4096);
        let mut tag = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(head, "    {text}");
        };
        tag(format_args!("<title>{}</title>", escape_html(&title)));
        tag(format_args!(
            r#"<meta name="description" content="{}" />"#,
            escape_html(&description)
        ));
        if !page.sitemap || !document.query.is_empty() || document.status != 200 {
            tag(format_args!(r#"<meta name="robots" content="noindex" />"#));
        }
        if document.status != 200 {
            return head.trim().to_owned();
        }
        let url = escape_html(&self.url(&document.path)).into_owned();
        tag(format_args!(r#"<link rel="canonical" href="{url}" />"#));
        for (property, value) in [
            ("og:type", "website"),
            ("og:locale", "en_US"),
            ("og:site_name", placeholders.get("name")),
            ("og:title", &title),
            ("og:description", &description),
        ] {
            tag(format_args!(
                r#"<meta property="{property}" content="{}" />"#,
                escape_html(value)
            ));
        }
        tag(format_args!(
            r#"<meta property="og:url" content="{url}" />"#
        ));
        let image = image(page);
        if self.images.contains(&image) {
            let at = escape_html(&self.url(&image)).into_owned();
            tag(format_args!(
                r#"<meta property="og:image" content="{at}" />"#
            ));
            tag(format_args!(
                r#"<meta property="og:image:width" content="1200" />"#
            ));
            tag(format_args!(
                r#"<meta property="og:image:height" content="630" />"#
            ));
            tag(format_args!(
                r#"<meta name="twitter:card" content="summary_large_image" />"#
            ));
        }
        if page.sitemap && document.query.is_empty() {
            let graph = json!({
                "@context": "https://schema.org",
                "@graph": self.graph(page, document, state, &title, &description, placeholders),
            });
            tag(format_args!(
                r#"<script type="application/ld+json">{}</script>"#,
                script_json(&graph)
            ));
        }
        head.trim().to_owned()
    }

    /// The company's valid licenses: all of them, or that of `state`.
    fn certifications(&self, state: Option<&State>, placeholders: &Placeholders) -> Vec<Value> {
        let wanted = |other: &&State| state.is_none_or(|state| state.code == other.code);
        let states = self.site.content.states.iter().filter(wanted);
        let certification = |state: &State| {
            let fact = |group: &str| placeholders.get(&format!("{group}.{}", state.code));
            let number = fact("licenses");
            if number.is_empty() {
                return None;
            }
            let authority = &state.licensing.authority;
            let mut issued_by = json!({ "@type": "GovernmentOrganization", "name": authority });
            if let Some(lookup) = &state.licensing.lookup {
                issued_by["url"] = lookup.as_str().into();
            }
            Some(json!({
                "@type": "Certification",
                "name": format!("{} security company license", state.name),
                "certificationIdentification": number, "issuedBy": issued_by,
                "validIn": { "@type": "State", "name": state.name },
            }))
        };
        states.filter_map(certification).collect()
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

    /// When the text of the page at `path` last changed, by the program or by the office.
    fn updated(&self, page: &PageEntry, path: &str) -> jiff::civil::Date {
        self.site
            .day(path)
            .map_or(page.updated, |day| day.max(page.updated))
    }

    /// The site content.
    pub fn content(&self) -> &Content {
        &self.site.content
    }

    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    fn graph(
        &self,
        page: &PageEntry,
        document: &Document,
        state: Option<&State>,
        title: &str,
        description: &str,
        placeholders: &Placeholders,
    ) -> Vec<Value> {
        let url = self.url(&document.path);
        let mut graph = vec![
            self.organization(page, state, placeholders),
            self.web_page(page, &document.path, title, description),
        ];
        if page.key == "home" {
            graph.push(json!({
                "@type": "WebSite", "@id": self.url("/#website"), "url": self.url("/"),
                "name": placeholders.get("name"),
                "publisher": { "@id": self.url("/#company") },
            }));
            graph.push(self.questions(placeholders));
            return graph;
        }
        let service = self.site.content.service(&page.key);
        let (name, kind, area) = match (service, state) {
            (Some(service), _) => (service.kicker.clone(), service.kicker.as_str(), country()),
            (None, Some(state)) => (
                format!("Security guards in {}", state.name),
                "Security guards",
                json!({ "@type": "State", "name": state.name }),
            ),
            (None, None) => {
                let name = page.menu.as_deref().unwrap_or(title);
                graph.push(self.breadcrumbs(name, &url));
                return graph;
            }
        };
        graph.push(self.breadcrumbs(state.map_or(name.as_str(), |state| &state.name), &url));
        graph.push(json!({
            "@type": "Service", "@id": format!("{url}#service"), "url": url, "name": name,
            "serviceType": kind, "description": description,
            "provider": { "@id": self.url("/#company") }, "areaServed": area,
        }));
        graph
    }

    fn organization(
        &self,
        page: &PageEntry,
        state: Option<&State>,
        placeholders: &Placeholders,
    ) -> Value {
        // Only the home page lists the states; elsewhere the country means the same in fewer bytes.
        let area = if page.key == "home" {
            let state = |state: &State| json!({ "@type": "State", "name": state.name });
            self.site.content.states.iter().map(state).collect()
        } else {
            country()
        };
        let mut company = json!({
            "@type": "LocalBusiness", "@id": self.url("/#company"), "url": self.url("/"),
            "name": placeholders.get("name"), "legalName": placeholders.get("legal_name"),
            "telephone": placeholders.get("phone_href").trim_start_matches("tel:"),
            "email": placeholders.get("email"),
            "address": {
                "@type": "PostalAddress", "streetAddress": placeholders.get("street"),
                "addressLocality": placeholders.get("city"),
                "addressRegion": placeholders.get("region"),
                "postalCode": placeholders.get("postal_code"), "addressCountry": "US",
            },
            "areaServed": area,
            "contactPoint": {
                "@type": "ContactPoint", "contactType": "customer service",
                "telephone": placeholders.get("phone_href").trim_start_matches("tel:"),
                "availableLanguage": "en", "areaServed": "US",
            },
        });
        if state.is_some() || page.key == "licensing" {
            let certifications = self.certifications(state, placeholders);
            if !certifications.is_empty() {
                company["hasCertification"] = certifications.into();
            }
        }
        let image = image(page);
        if self.images.contains(&image) {
            company["image"] = self.url(&image).into();
        }
        company
    }

    fn web_page(&self, page: &PageEntry, path: &str, title: &str, description: &str) -> Value {
        let url = self.url(path);
        let kind = match page.key.as_str() {
            "about" => "AboutPage",
            "contact" => "ContactPage",
            _ => "WebPage",
        };
        json!({
            "@type": kind, "@id": format!("{url}#page"), "url": url, "name": title,
            "description": description, "inLanguage": "en-US",
            "dateModified": self.updated(page, path).to_string(),
            "isPartOf": { "@id": self.url("/#website") },
            "about": { "@id": self.url("/#company") },
        })
    }

    fn questions(&self, placeholders: &Placeholders) -> Value {
        let questions = self.site.content.questions.iter().map(|entry| {
            let answer = placeholders.fill(&entry.answer, EscapeContext::Text);
            json!({
                "@type": "Question", "name": placeholders.fill(&entry.question, EscapeContext::Text),
                "acceptedAnswer": { "@type": "Answer", "text": answer },
            })
        });
        json!({ "@type": "FAQPage", "@id": self.url("/#questions"),
            "mainEntity": questions.collect::<Value>() })
    }

    fn breadcrumbs(&self, name: &str, url: &str) -> Value {
        json!({
            "@type": "BreadcrumbList",
            "itemListElement": [
                { "@type": "ListItem", "position": 1, "name": "Home", "item": self.url("/") },
                { "@type": "ListItem", "position": 2, "name": name, "item": url },
            ],
        })
    }
}

fn image(page: &PageEntry) -> String {
    format!("/og/{}.png", page.og)
}

fn country() -> Value {
    json!({ "@type": "Country", "name": "United States" })
}

/// Replaces the placeholders in a text of the route manifest.
fn fill_text(text: &str, state: Option<&State>, placeholders: &Placeholders) -> String {
    let named = text.replace("{{state.name}}", state.map_or("", |state| &state.name));
    placeholders.fill(&named, EscapeContext::Text)
}
