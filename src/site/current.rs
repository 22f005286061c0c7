//! The published site content over the shipped one, replaced as a whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Result;
use arc_swap::ArcSwap;

use super::content::Content;
use super::photos::Photos;
use super::renderer::Rendered;
use super::sections;
use config::Company;
use domain::content::Sections;

/// One version of the content, with the data derived from it.
#[derive(Debug)]
pub struct SiteState {
    /// The number of the version; 0 for the shipped content.
    pub version: i64,
    /// The sections that differ from the shipped ones.
    pub sections: Sections,
    /// The company's details.
    pub company: Company,
    /// The seeds that the server reads.
    pub content: Content,
    /// The documents whose body differs from that of the build.
    pub rendered: Rendered,
    /// The pictures uploaded by the office, by scene.
    pub photos: Photos,
    /// The days on which pages changed, by path.
    pub days: BTreeMap<String, String>,
}

impl SiteState {
    /// The shipped content, of this company. Fails if the seeds are not valid; a test reads all of
    /// them.
    pub fn shipped(company: &Company) -> Result<Self> {
        Ok(Self {
            version: 0,
            sections: Sections::new(),
            company: company.clone(),
            content: Content::of(&sections::defaults(company)?)?,
            rendered: Rendered::new(),
            photos: Photos::new(),
            days: BTreeMap::new(),
        })
    }

    /// Whether pages differ from those of the build in more than facts.
    pub fn has_edited_pages(&self) -> bool {
        !self.rendered.is_empty() || !self.photos.is_empty()
    }

    /// The day on which the page at `path` changed, if its content was changed.
    pub fn day(&self, path: &str) -> Option<jiff::civil::Date> {
        self.days.get(path)?.parse().ok()
    }
}

/// A handle to the content in force.
#[derive(Clone, Debug)]
pub struct CurrentSite(Arc<ArcSwap<SiteState>>);

impl CurrentSite {
    /// A handle to `state` until it is replaced.
    pub fn new(state: SiteState) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(state)))
    }

    /// The state in force.
    pub fn get(&self) -> Arc<SiteState> {
        self.0.load_full()
    }

    /// Puts `state` in force.
    pub fn set(&self, state: Arc<SiteState>) {
        self.0.store(state);
    }
}
