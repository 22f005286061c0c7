//! The parts of `seeds/site` that the server reads: the route manifest, states, services and
//! questions. The page texts are read by the frontend only.

use anyhow::{Context, Result};
use serde::Deserialize;

/// The site content in the seeds.
#[derive(Debug)]
pub struct Content {
    /// Every page, in menu order.
    pub pages: Vec<PageEntry>,
    /// The 50 states.
    pub states: Vec<State>,
    /// The services with a page of their own.
    pub services: Vec<Service>,
    /// The ten FAQ entries of the home page.
    pub questions: Vec<Question>,
}

/// An entry of the route manifest, `pages.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageEntry {
    /// The page's key.
    pub key: String,
    /// Its URL path; may contain `{slug}`. `None` for the not-found page.
    pub path: Option<String>,
    /// The title; may contain `{{company.name}}` and `{{state.name}}`.
    pub title: String,
    /// The meta description.
    pub description: String,
    /// Its menu label; `None` if it is not in the menu.
    pub menu: Option<String>,
    /// Whether it is listed in the sitemap.
    pub sitemap: bool,
    /// Name of the Open Graph image, `og/{og}.png`.
    pub og: String,
    /// When its text last changed.
    pub updated: jiff::civil::Date,
}

/// A US state.
#[derive(Debug, Deserialize)]
pub struct State {
    /// Its name in URL paths.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its two-letter code.
    pub code: String,
}

/// A service with a page.
#[derive(Debug, Deserialize)]
pub struct Service {
    /// The key of its page.
    pub key: String,
    /// Its name in one phrase.
    pub kicker: String,
}

/// An FAQ entry of the home page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its key.
    pub key: String,
    /// The question.
    pub question: String,
    /// The answer; may contain placeholders.
    pub answer: String,
}

#[derive(Deserialize)]
struct Services {
    pages: Vec<Service>,
}

impl Content {
    /// Parses the embedded seeds.
    ///
    /// # Errors
    /// Names the file and position; a test reads all of them.
    pub fn bundled() -> Result<Self> {
        let services: Services =
            serde_json::from_str(include_str!("../../seeds/site/services.json"))
                .context("seeds/site/services.json")?;
        Ok(Self {
            pages: serde_json::from_str(include_str!("../../seeds/site/pages.json"))
                .context("seeds/site/pages.json")?,
            states: serde_json::from_str(include_str!("../../seeds/site/states.json"))
                .context("seeds/site/states.json")?,
            services: services.pages,
            questions: serde_json::from_str(include_str!("../../seeds/site/faqs.json"))
                .context("seeds/site/faqs.json")?,
        })
    }

    /// The page with this key.
    pub fn page(&self, key: &str) -> Option<&PageEntry> {
        self.pages.iter().find(|page| page.key == key)
    }

    /// The state with this slug.
    pub fn state(&self, slug: &str) -> Option<&State> {
        self.states.iter().find(|state| state.slug == slug)
    }

    /// The service whose page has this key.
    pub fn service(&self, key: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.key == key)
    }
}
