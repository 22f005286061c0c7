//! Structured data of the pages for search engines (JSON-LD, schema.org). No ratings: self-serving
//! reviews violate search engines' guidelines and consumer law.

use serde_json::{Value, json};

use super::bundle::Document;
use super::content::{PageEntry, StateFacts};
use super::placeholders::{EscapeContext, Placeholders};
use super::seo::{Seo, image};
use domain::content::plain;

impl Seo {
    /// The subject of the page, as nodes of a graph.
    pub(super) fn graph(
        &self,
        page: &PageEntry,
        document: &Document,
        state: Option<&StateFacts>,
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
        state: Option<&StateFacts>,
        placeholders: &Placeholders,
    ) -> Value {
        // Only the home page lists the states; elsewhere the country means the same in fewer bytes.
        let area = if page.key == "home" {
            let state = |state: &StateFacts| json!({ "@type": "State", "name": state.name });
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
            let question = placeholders.fill(&entry.question, EscapeContext::Text);
            let answer = placeholders.fill(&plain(&entry.answer), EscapeContext::Text);
            json!({
                "@type": "Question", "name": question,
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

    /// The company's valid licenses: all of them, or that of `state`.
    fn certifications(
        &self,
        state: Option<&StateFacts>,
        placeholders: &Placeholders,
    ) -> Vec<Value> {
        let wanted = |other: &&StateFacts| state.is_none_or(|state| state.code == other.code);
        let states = self.site.content.states.iter().filter(wanted);
        let certification = |state: &StateFacts| {
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
}

fn country() -> Value {
    json!({ "@type": "Country", "name": "United States" })
}
