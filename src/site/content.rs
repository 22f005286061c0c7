//! The parts of `seeds/site` that the server reads: the route manifest, states, services and
//! questions. The page texts are read by the frontend only.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::sections;
use config::Company;
use domain::content::Sections;

/// The site content in the seeds.
#[derive(Debug)]
pub struct Content {
    /// Every page, in menu order.
    pub pages: Vec<PageEntry>,
    pub states: Vec<StateFacts>,
    /// The services with a page.
    pub services: Vec<Service>,
    /// The ten FAQ entries of the home page.
    pub questions: Vec<Question>,
}

/// An entry of the route manifest, `pages.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageEntry {
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
pub struct StateFacts {
    /// Its name in URL paths.
    pub slug: String,
    pub name: String,
    /// Its two-letter code.
    pub code: String,
    /// The licensing of guard companies there.
    pub licensing: Licensing,
}

/// The licensing authority of a state.
#[derive(Debug, Deserialize)]
pub struct Licensing {
    pub authority: String,
    /// Whether the state licenses guard companies; otherwise cities may.
    pub statewide: bool,
    /// Its website, where a license can be looked up.
    pub lookup: Option<String>,
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
    pub key: String,
    pub question: String,
    /// The answer; may contain placeholders.
    pub answer: String,
}

#[derive(Deserialize)]
struct Services {
    pages: Vec<Service>,
}

impl Content {
    /// The shipped content. Errors: names the file and position; a test reads all of them.
    pub fn bundled() -> Result<Self> {
        Self::of(&sections::defaults(&Company::default())?)
    }

    /// The content with `all` sections. Errors: names the section; those that were checked have
    /// none.
    pub fn of(all: &Sections) -> Result<Self> {
        let services: Services = parse(all, "services")?;
        Ok(Self {
            pages: serde_json::from_str(include_str!("../../seeds/site/pages.json"))
                .context("seeds/site/pages.json")?,
            states: parse(all, "states")?,
            services: services.pages,
            questions: parse(all, "faqs")?,
        })
    }

    pub fn page(&self, key: &str) -> Option<&PageEntry> {
        self.pages.iter().find(|page| page.key == key)
    }

    pub fn state(&self, slug: &str) -> Option<&StateFacts> {
        self.states.iter().find(|state| state.slug == slug)
    }

    /// The service whose page has this key.
    pub fn service(&self, key: &str) -> Option<&Service> {
        self.services.iter().find(|service| service.key == key)
    }
}

fn parse<T: DeserializeOwned>(all: &Sections, key: &str) -> Result<T> {
    let section = all
        .get(key)
        .with_context(|| format!("no section `{key}`"))?;
    T::deserialize(section).with_context(|| format!("{key}.json"))
}
