//! The current pages. They are made as a whole, when content is published and each day, since the
//! day changes what they say (a license expires, a year begins), and replaced at once: no response
//! mixes two versions.

pub(super) mod encoding;
pub mod page_map;
pub mod redirect;
pub(super) mod resource;
pub(super) mod security_headers;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use arc_swap::{ArcSwap, Guard};

use crate::domain::clock::Clock;
use crate::publishing::{Publication, PublishError, Publisher};
use crate::site::current::SiteState;
use page_map::PageMap;

/// How often the day and the version of the content are compared.
const INTERVAL: Duration = Duration::from_secs(5);

/// Makes the pages of this content from the settings, as of now.
type Build = Box<dyn Fn(Arc<SiteState>) -> Result<PageMap> + Send + Sync>;

/// The pages that are served.
pub struct Pages {
    current: ArcSwap<PageMap>,
    build: Build,
    publisher: Arc<Publisher>,
    clock: Clock,
    /// The UTC day of the last build.
    day: Mutex<String>,
}

impl Pages {
    /// Makes the pages of the content in force with `build` for the first time.
    pub fn open(build: Build, publisher: Arc<Publisher>, clock: &Clock) -> Result<Self> {
        Ok(Self {
            current: ArcSwap::from_pointee(build(publisher.current().get())?),
            build,
            publisher,
            clock: clock.clone(),
            day: Mutex::new(clock.now().day()),
        })
    }

    /// The pages as they are now.
    pub fn current(&self) -> Guard<Arc<PageMap>> {
        self.current.load()
    }

    /// Compresses the pages as they are now (`PageMap::warm`).
    pub fn warm(&self) -> impl Future<Output = ()> + Send + 'static {
        self.current.load_full().warm()
    }

    /// Renews the pages at the beginning of each day and when another process has published
    /// content; runs until it is dropped.
    pub async fn run_renewal(self: Arc<Self>) {
        self.warm().await;
        loop {
            tokio::time::sleep(INTERVAL).await;
            match self.clone().renew().await {
                Ok(true) => self.warm().await,
                Ok(false) => {}
                Err(error) => {
                    tracing::error!(%error, "the pages could not be renewed; it is tried again");
                }
            }
        }
    }

    /// Makes the pages again if the day or the published content has changed since, and replaces
    /// the current ones. Returns whether it did.
    ///
    /// # Errors
    /// If the content cannot be read, and those of `build`; the current pages stay.
    pub async fn renew(self: Arc<Self>) -> Result<bool> {
        let publisher = self.publisher.clone();
        let _lock = publisher.lock().await;
        let newer = publisher.newer().await?;
        let today = self.clock.now().day();
        let is_same_day = *self.day.lock().unwrap_or_else(PoisonError::into_inner) == today;
        if is_same_day && newer.is_none() {
            return Ok(false);
        }
        let site = newer.unwrap_or_else(|| publisher.current().get());
        let pages = self.clone().build(site.clone()).await?;
        self.show(site, pages);
        *self.day.lock().unwrap_or_else(PoisonError::into_inner) = today;
        Ok(true)
    }

    /// Publishes what was prepared: makes its pages, stores it, and puts both in force at once.
    /// Hold the publisher's lock since it was prepared.
    ///
    /// # Errors
    /// Those of `build` and of storing; nothing has changed then.
    pub async fn publish(
        self: Arc<Self>,
        site: Arc<SiteState>,
        publication: Publication,
    ) -> Result<(), PublishError> {
        let pages = self.clone().build(site.clone()).await?;
        self.publisher.store(&site, publication).await?;
        self.show(site, pages);
        Ok(())
    }

    /// Makes the pages of `site` without showing them.
    pub async fn build(self: Arc<Self>, site: Arc<SiteState>) -> Result<PageMap> {
        tokio::task::spawn_blocking(move || (self.build)(site)).await?
    }

    fn show(&self, site: Arc<SiteState>, pages: PageMap) {
        self.current.store(Arc::new(pages));
        self.publisher.current().set(site);
    }
}
