//! The email renderer of the content in force, rebuilt when the company's details change.

use std::sync::Arc;

use anyhow::Result;
use parking_lot::Mutex;

use super::email::EmailRenderer;
use config::Company;
use site::current::CurrentSite;

/// Builds a renderer for emails of a company.
type Make = Box<dyn Fn(&Company) -> Result<EmailRenderer> + Send + Sync>;

/// Provides the renderer of the current company.
pub struct CurrentRenderer {
    site: CurrentSite,
    make: Make,
    made: Mutex<(Company, Arc<EmailRenderer>)>,
}

impl CurrentRenderer {
    /// The renderers that `make` makes for the companies of `site`.
    pub fn new(site: CurrentSite, make: Make) -> Result<Self> {
        let company = site.get().company.clone();
        let renderer = Arc::new(make(&company)?);
        Ok(Self {
            site,
            make,
            made: Mutex::new((company, renderer)),
        })
    }

    /// The renderer of the current company. If it cannot be built, which the check of the content
    /// prevents, the last one stays.
    pub fn get(&self) -> Arc<EmailRenderer> {
        let site = self.site.get();
        let mut made = self.made.lock();
        if made.0 != site.company {
            match (self.make)(&site.company) {
                Ok(renderer) => *made = (site.company.clone(), Arc::new(renderer)),
                Err(error) => tracing::error!(%error, "emails keep the former company details"),
            }
        }
        made.1.clone()
    }
}
