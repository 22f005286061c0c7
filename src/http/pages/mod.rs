//! The current pages. They are rebuilt as a whole when content is published and each day, since
//! they depend on the day (a license expires, a year begins), and replaced at once: no response
//! mixes two versions.

pub(super) mod encoding;
pub mod page_map;
pub mod page_views;
pub mod redirect;
pub mod resource;
pub(super) mod security_headers;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use arc_swap::{ArcSwap, Guard};
use jiff::civil::Date;
use page_map::{PageMap, PageSettings};
use parking_lot::Mutex;

use domain::clock::Clock;
use domain::content::Sections;
use site::current::SiteState;
use site::publishing::{Publication, PublishError, Publisher, Publishing};

/// The interval at which the day and the version of the content are checked.
const INTERVAL: Duration = Duration::from_secs(5);

/// The pages that are served.
pub struct Pages {
    current: ArcSwap<PageMap>,
    settings: PageSettings,
    publisher: Arc<Publisher>,
    clock: Clock,
    /// The company's day of the last build.
    day: Mutex<Date>,
}

impl Pages {
    /// Makes the pages of the content in force for the first time.
    pub fn open(settings: PageSettings, publisher: Arc<Publisher>, clock: &Clock) -> Result<Self> {
        let site = publisher.current.get();
        let day = Mutex::new(site.company.today(clock.now()));
        let pages = PageMap::of(site, &settings)?;
        Ok(Self {
            current: ArcSwap::from_pointee(pages),
            settings,
            publisher,
            clock: clock.clone(),
            day,
        })
    }

    /// The current pages.
    pub fn current(&self) -> Guard<Arc<PageMap>> {
        self.current.load()
    }

    /// Rebuilds the pages at the beginning of each day and when another process has published
    /// content, and publishes what is due; runs until it is dropped.
    pub async fn run_renewal(self: Arc<Self>) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            if let Err(error) = self.clone().renew().await {
                tracing::error!(%error, "the pages could not be renewed; it is tried again");
            }
            if let Err(error) = self.clone().publish_due().await {
                tracing::error!(%error, "scheduled content could not be published");
            }
        }
    }

    /// Makes the pages again if the day or the published content has changed since, and replaces
    /// the current ones. Returns whether it did.
    ///
    /// # Errors
    /// If the content cannot be read, or the pages cannot be made; the current ones stay.
    pub async fn renew(self: Arc<Self>) -> Result<bool> {
        let publisher = self.publisher.clone();
        let publishing = publisher.begin().await;
        let newer = publishing.newer().await?;
        let current = publisher.current.get();
        let today = current.company.today(self.clock.now());
        let is_same_day = *self.day.lock() == today;
        if is_same_day && newer.is_none() {
            return Ok(false);
        }
        let site = newer.unwrap_or(current);
        let pages = self.clone().build(site.clone()).await?;
        self.show(&publishing, site, pages);
        *self.day.lock() = today;
        Ok(true)
    }

    /// Publishes `all` sections as the version after `base`: checks and renders them, makes their
    /// pages, stores the version, and puts both in force at once. Returns the new version.
    ///
    /// # Errors
    /// If a section breaks a rule, `base` is not the version in force, or a step fails; nothing has
    /// changed then.
    pub async fn publish(
        self: Arc<Self>,
        publishing: &Publishing<'_>,
        base: i64,
        all: Sections,
        publication: Publication,
    ) -> Result<i64, PublishError> {
        if self.publisher.current.get().version != base {
            return Err(PublishError::Conflict);
        }
        let site = self.publisher.prepare(all).await?;
        let pages = self.clone().build(site.clone()).await?;
        publishing.store(&site, publication).await?;
        let version = site.version;
        self.show(publishing, site, pages);
        Ok(version)
    }

    /// Builds the pages of `site` without serving them.
    pub async fn build(self: Arc<Self>, site: Arc<SiteState>) -> Result<PageMap> {
        tokio::task::spawn_blocking(move || PageMap::of(site, &self.settings)).await?
    }

    fn show(&self, publishing: &Publishing<'_>, site: Arc<SiteState>, pages: PageMap) {
        self.current.store(Arc::new(pages));
        publishing.put_in_force(site);
    }

    /// Publishes the drafts that are due, as one version; returns whether it did. What breaks a
    /// rule is noted at its schedule and not tried again.
    ///
    /// # Errors
    /// If the database fails, or the content is not published; the reason is its text.
    pub async fn publish_due(self: Arc<Self>) -> Result<bool> {
        let publisher = self.publisher.clone();
        let publishing = publisher.begin().await;
        let Some(due) = publisher.due().await? else {
            return Ok(false);
        };
        let (at, sections) = (
            due.at,
            due.drafted.numbers.keys().cloned().collect::<Vec<_>>(),
        );
        let base = publisher.current.get().version;
        let published = self.publish(&publishing, base, due.drafted.sections, due.publication);
        let published = published.await;
        match published {
            Ok(version) => {
                tracing::info!(version, ?sections, "scheduled content was published");
                Ok(true)
            }
            Err(error) => {
                publisher.refuse_due(sections, at, &error).await?;
                Err(error.into())
            }
        }
    }
}
