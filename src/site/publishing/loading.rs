//! Loads the newest published version, stored by an earlier run or another process.

use std::sync::Arc;

use anyhow::Result;

use super::{Publisher, pages};
use crate::current::SiteState;
use crate::renderer::{Rendered, Renderer};
use crate::sections;
use domain::content::Sections;
use store::content::Published;

impl Publisher {
    /// The published content, if another process has published a version newer than the one in
    /// force.
    ///
    /// # Errors
    /// If the database cannot be read or the pages cannot be rendered.
    pub(super) async fn newer(&self) -> Result<Option<Arc<SiteState>>> {
        if self.store.content_version().await? == self.current.get().version {
            return Ok(None);
        }
        let mut published = self.store.published_content().await?;
        let (version, days) = (published.version, published.days.clone());
        let defaults = self.defaults()?;
        let mut all = sections::merged(defaults.clone(), &published.sections);
        let faults = self.rules.check_all(&all, &defaults);
        let rendered = if faults.is_empty() {
            self.stored_pages(&published, &all).await?
        } else {
            let text = sections::list(&faults);
            tracing::error!(version, faults = %text, "the shipped sections are shown instead");
            for fault in &faults {
                published.sections.remove(&fault.section);
            }
            all = sections::merged(defaults.clone(), &published.sections);
            if !self.rules.check_all(&all, &defaults).is_empty() {
                all = defaults.clone();
            }
            self.render(&all).await?
        };
        let (photos, missing) = self.photos(&all).await?;
        for fault in missing {
            tracing::error!(version, %fault, "the drawing is shown instead");
        }
        let state = self.state(all, &defaults, rendered, photos, days, version)?;
        Ok(Some(Arc::new(state)))
    }

    /// The stored pages; rendered again if this program has a different renderer.
    async fn stored_pages(&self, published: &Published, all: &Sections) -> Result<Rendered> {
        let version = Renderer::version();
        if let Some(stored) = &published.pages
            && stored.renderer == version
            && let Ok(rendered) = pages::unpack(&stored.packed)
        {
            return Ok(rendered);
        }
        let rendered = self.render(all).await?;
        let packed = pages::pack(&rendered)?;
        let stored = self
            .store
            .store_content_pages(published.version, version, packed);
        if let Err(error) = stored.await {
            tracing::warn!(%error, "the rendered pages could not be stored");
        }
        Ok(rendered)
    }
}
