//! What the server needs of `seeds/site`: the spine of pages, the states, the services and the questions. Their words stay with the frontend.

use anyhow::{Context, Result};
use serde::Deserialize;

/// The seeds of the site.
#[derive(Debug)]
pub struct Content {
    /// Every page, in the order of the menu.
    pub pages: Vec<Page>,
    /// The 50 states.
    pub states: Vec<State>,
    /// The services that have a page.
    pub services: Vec<Service>,
    /// The ten questions of the home page.
    pub questions: Vec<Question>,
}

/// A row of `pages.json`, the spine of the site.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// The page's name in code.
    pub key: String,
    /// Where it is served; may hold `{slug}`. None for the not-found page.
    pub path: Option<String>,
    /// The title; may hold `{{company.name}}` and `{{state.name}}`.
    pub title: String,
    /// The description for search results.
    pub description: String,
    /// What menus call it; none where no menu shows it.
    pub menu: Option<String>,
    /// Whether search engines are told of it.
    pub sitemap: bool,
    /// The Open Graph picture, `og/{og}.png`.
    pub og: String,
    /// The day its words last changed.
    pub updated: jiff::civil::Date,
}

/// What the server needs of a state.
#[derive(Debug, Deserialize)]
pub struct State {
    /// Its name in paths.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its two letters.
    pub code: String,
}

/// What the server needs of a service's page.
#[derive(Debug, Deserialize)]
pub struct Service {
    /// The key of its page.
    pub key: String,
    /// What it is called in one phrase.
    pub kicker: String,
}

/// A question of the home page's accordion and its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its name in code.
    pub key: String,
    /// The question.
    pub question: String,
    /// The answer; may hold facts of the company.
    pub answer: String,
}

#[derive(Deserialize)]
struct Services {
    pages: Vec<Service>,
}

impl Content {
    /// The seeds this program was built with.
    ///
    /// # Errors
    /// Names the file and the place; a test reads them all.
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

    /// The page under this key.
    pub fn page(&self, key: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.key == key)
    }

    /// The state under this slug.
    pub fn state(&self, slug: &str) -> Option<&State> {
        self.states.iter().find(|state| state.slug == slug)
    }

    /// The service whose page has this key.
    pub fn service(&self, key: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.key == key)
    }
}
