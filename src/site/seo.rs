//! What search engines and previews read in a document's head: title, description, canonical link, Open Graph and JSON-LD (schema.org).
//! No ratings: a company that rates itself breaks the rules of every search engine, and the law.

use std::fmt::Write;

use serde_json::{Value, json};

use super::bundle::{Bundle, Document};
use super::content::{Content, Page, State};
use super::placeholders::{EscapeContext, Placeholders, escaped, script_json};

/// Knows the site's addresses and what each page is about.
#[derive(Debug)]
pub struct Seo {
    content: Content,
    origin: String,
    pictures: Vec<String>,
}

impl Seo {
    /// For the site at `origin` (no trailing slash).
    pub fn new(content: Content, origin: &str, bundle: &Bundle) -> Self {
        let pictures = content
            .pages
            .iter()
            .map(picture)
            .filter(|path| bundle.has(path))
            .collect();
        Self {
            content,
            origin: origin.to_owned(),
            pictures,
        }
    }

    /// The tags of a document's head, escaped and filled.
    pub fn head(&self, document: &Document, facts: &Placeholders) -> String {
        let Some(page) = self.content.page(&document.key) else {
            return String::new();
        };
        let state = document
            .params
            .get("slug")
            .and_then(|slug| self.content.state(slug));
        let title = words(&page.title, state, facts);
        let description = words(&page.description, state, facts);
        let mut head = String::with_capacity(4096);
        let mut tag = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(head, "    {text}");
        };
        tag(format_args!("<title>{}</title>", escaped(&title)));
        tag(format_args!(
            r#"<meta name="description" content="{}" />"#,
            escaped(&description)
        ));
        if !page.sitemap || !document.query.is_empty() || document.status != 200 {
            tag(format_args!(r#"<meta name="robots" content="noindex" />"#));
        }
        if document.status != 200 {
            return head.trim().to_owned();
        }
        let url = escaped(&self.url(&document.path)).into_owned();
        tag(format_args!(r#"<link rel="canonical" href="{url}" />"#));
        for (property, value) in [
            ("og:type", "website"),
            ("og:locale", "en_US"),
            ("og:site_name", facts.get("name")),
            ("og:title", &title),
            ("og:description", &description),
        ] {
            tag(format_args!(
                r#"<meta property="{property}" content="{}" />"#,
                escaped(value)
            ));
        }
        tag(format_args!(
            r#"<meta property="og:url" content="{url}" />"#
        ));
        let picture = picture(page);
        if self.pictures.contains(&picture) {
            let at = escaped(&self.url(&picture)).into_owned();
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
                "@graph": self.graph(page, document, state, &title, &description, facts),
            });
            tag(format_args!(
                r#"<script type="application/ld+json">{}</script>"#,
                script_json(&graph)
            ));
        }
        head.trim().to_owned()
    }

    /// Every address a search engine should know, with the day its words last changed.
    pub fn addresses(&self) -> Vec<(String, jiff::civil::Date)> {
        let mut addresses = Vec::new();
        for page in self.content.pages.iter().filter(|page| page.sitemap) {
            let Some(path) = &page.path else { continue };
            if path.contains("{slug}") {
                addresses.extend(
                    self.content.states.iter().map(|state| {
                        (self.url(&path.replace("{slug}", &state.slug)), page.updated)
                    }),
                );
            } else {
                addresses.push((self.url(path), page.updated));
            }
        }
        addresses
    }

    /// The pages, in the order of the menu.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    fn graph(
        &self,
        page: &Page,
        document: &Document,
        state: Option<&State>,
        title: &str,
        description: &str,
        facts: &Placeholders,
    ) -> Vec<Value> {
        let url = self.url(&document.path);
        let mut graph = vec![
            self.organisation(page, facts),
            self.web_page(page, &url, title, description),
        ];
        if page.key == "home" {
            graph.push(json!({
                "@type": "WebSite", "@id": self.url("/#website"), "url": self.url("/"), "name": facts.get("name"),
                "publisher": { "@id": self.url("/#company") },
            }));
            graph.push(self.questions(facts));
            return graph;
        }
        let service = self.content.service(&page.key);
        let (name, kind, area) = match (service, state) {
            (Some(service), _) => (service.kicker.clone(), service.kicker.as_str(), nation()),
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
            "@type": "Service", "@id": format!("{url}#service"), "url": url, "name": name, "serviceType": kind, "description": description,
            "provider": { "@id": self.url("/#company") }, "areaServed": area,
        }));
        graph
    }

    fn organisation(&self, page: &Page, facts: &Placeholders) -> Value {
        // The list of states stands on the home page; elsewhere the country says the same in fewer bytes.
        let area = if page.key == "home" {
            let state = |state: &State| json!({ "@type": "State", "name": state.name });
            self.content.states.iter().map(state).collect()
        } else {
            nation()
        };
        let mut company = json!({
            "@type": "LocalBusiness", "@id": self.url("/#company"), "url": self.url("/"),
            "name": facts.get("name"), "legalName": facts.get("legal_name"),
            "telephone": facts.get("phone_href").trim_start_matches("tel:"), "email": facts.get("email"),
            "address": {
                "@type": "PostalAddress", "streetAddress": facts.get("street"), "addressLocality": facts.get("city"),
                "addressRegion": facts.get("region"), "postalCode": facts.get("postal_code"), "addressCountry": "US",
            },
            "areaServed": area,
            "contactPoint": {
                "@type": "ContactPoint", "contactType": "customer service", "telephone": facts.get("phone_href").trim_start_matches("tel:"),
                "availableLanguage": "en", "areaServed": "US",
            },
        });
        let picture = picture(page);
        if self.pictures.contains(&picture) {
            company["image"] = self.url(&picture).into();
        }
        company
    }

    fn web_page(&self, page: &Page, url: &str, title: &str, description: &str) -> Value {
        let kind = match page.key.as_str() {
            "about" => "AboutPage",
            "contact" => "ContactPage",
            _ => "WebPage",
        };
        json!({
            "@type": kind, "@id": format!("{url}#page"), "url": url, "name": title, "description": description, "inLanguage": "en-US",
            "dateModified": page.updated.to_string(), "isPartOf": { "@id": self.url("/#website") },
            "about": { "@id": self.url("/#company") },
        })
    }

    fn questions(&self, facts: &Placeholders) -> Value {
        let questions = self.content.questions.iter().map(|each| {
            let answer = facts.fill(&each.answer, EscapeContext::Text);
            json!({
                "@type": "Question", "name": facts.fill(&each.question, EscapeContext::Text),
                "acceptedAnswer": { "@type": "Answer", "text": answer },
            })
        });
        json!({ "@type": "FAQPage", "@id": self.url("/#questions"), "mainEntity": questions.collect::<Value>() })
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

fn picture(page: &Page) -> String {
    format!("/og/{}.png", page.og)
}

fn nation() -> Value {
    json!({ "@type": "Country", "name": "United States" })
}

/// A text of the spine with the company's and the state's names in it.
fn words(text: &str, state: Option<&State>, facts: &Placeholders) -> String {
    let named = text.replace("{{state.name}}", state.map_or("", |state| &state.name));
    facts.fill(&named, EscapeContext::Text)
}
