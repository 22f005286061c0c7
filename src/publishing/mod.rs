//! Publishing of the site's content: checks it, renders the pages and stores both as a new version.
//! What serves the pages puts the version in force after it is stored, so that a crash between the
//! two loses nothing: the next start reads the newest version.

mod pages;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::sync::{Mutex, MutexGuard};

use crate::config::Company;
use crate::domain::clock::{Clock, Time};
use crate::domain::content::{ContentRules, Fault, Picture, Sections, pictures};
use crate::site::bundle::{Bundle, Document};
use crate::site::content::Content;
use crate::site::current::{CurrentSite, SiteState};
use crate::site::photos::{Photo, Photos};
use crate::site::renderer::{Rendered, Renderer};
use crate::site::sections;
use crate::store::{NewVersion, Published, Reason, Store, Stored};

/// The days on which pages changed, by path.
type Days = BTreeMap<String, String>;

/// Publishes content.
pub struct Publisher {
    store: Store,
    clock: Clock,
    rules: ContentRules,
    /// The details of the settings, which the content replaces.
    company: Company,
    renderer: Renderer,
    current: CurrentSite,
    publishing: Mutex<()>,
}

/// Why content was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It breaks rules.
    #[error("{}", sections::list(.0))]
    Invalid(Vec<Fault>),
    /// Somebody else has published or saved meanwhile.
    #[error("somebody else has changed the content meanwhile")]
    Conflict,
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] crate::store::Error),
    /// It could not be rendered.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

/// Who publishes, and why.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The user's id; `None`: a command.
    pub by: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The drafts that it contains: numbers by section.
    pub drafts: BTreeMap<String, i64>,
}

impl Publisher {
    /// Reads the newest published content; renders its pages if another program rendered them.
    ///
    /// # Errors
    /// If the database cannot be read or the seeds are not valid. Content that this program does
    /// not accept, or cannot render, is logged and left out.
    pub async fn open(
        store: Store,
        clock: Clock,
        company: &Company,
        renderer: Renderer,
    ) -> Result<Self> {
        let publisher = Self {
            rules: ContentRules::bundled().context("seeds/content.json")?,
            current: CurrentSite::new(SiteState::shipped(company)?),
            company: company.clone(),
            publishing: Mutex::default(),
            store,
            clock,
            renderer,
        };
        if let Some(state) = publisher.newer().await? {
            publisher.current.set(state);
        }
        Ok(publisher)
    }

    /// The content that is in force.
    pub fn current(&self) -> &CurrentSite {
        &self.current
    }

    /// The rules of the content.
    pub fn rules(&self) -> &ContentRules {
        &self.rules
    }

    /// The shipped value of every section, parsed each time: they take half a megabyte, and are
    /// needed only while somebody edits.
    ///
    /// # Errors
    /// Never after `open`, which parses them too.
    pub fn defaults(&self) -> Result<Sections> {
        sections::defaults(&self.company)
    }

    /// Every section as it is in force.
    ///
    /// # Errors
    /// Those of `defaults`.
    pub fn sections(&self) -> Result<Sections> {
        let current = self.current.get();
        Ok(sections::merged(self.defaults()?, &current.sections))
    }

    /// Holds off other publications of this process.
    pub async fn lock(&self) -> MutexGuard<'_, ()> {
        self.publishing.lock().await
    }

    /// The published content, if it is newer than that in force: another process has published it.
    ///
    /// # Errors
    /// If the database cannot be read or the pages cannot be rendered.
    pub async fn newer(&self) -> Result<Option<Arc<SiteState>>> {
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

    /// The stored pages; rendered again if this program renders differently.
    async fn stored_pages(&self, published: &Published, all: &Sections) -> Result<Rendered> {
        let version = Renderer::version();
        if let Some((renderer, pages)) = &published.pages
            && *renderer == version
            && let Ok(rendered) = pages::unpack(pages)
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

    /// Checks `all` sections and renders their pages: what is in force if they are published now.
    ///
    /// # Errors
    /// If a section breaks a rule, or the pages cannot be rendered.
    pub async fn prepare(&self, all: Sections) -> Result<Arc<SiteState>, PublishError> {
        let defaults = self.defaults()?;
        let faults = self.rules.check_all(&all, &defaults);
        if !faults.is_empty() {
            return Err(PublishError::Invalid(faults));
        }
        let (photos, missing) = self.photos(&all).await?;
        if !missing.is_empty() {
            return Err(PublishError::Invalid(missing));
        }
        let rendered = self.render(&all).await?;
        let current = self.current.get();
        let version = current.version + 1;
        let mut state = self.state(all, &defaults, rendered, photos, Days::new(), version)?;
        state.days = self.days(&current, &state)?;
        Ok(Arc::new(state))
    }

    /// Stores a picture, which content can name then.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn store_picture(&self, bytes: Vec<u8>) -> Result<String, crate::store::Error> {
        self.store.store_content_picture(bytes, self.now()).await
    }

    /// The bytes of stored pictures by their names.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn stored_pictures(
        &self,
        names: Vec<String>,
    ) -> Result<BTreeMap<String, Vec<u8>>, crate::store::Error> {
        self.store.content_pictures(names).await
    }

    /// The pictures that the content names, and a fault for each that is not stored.
    async fn photos(&self, all: &Sections) -> Result<(Photos, Vec<Fault>), crate::store::Error> {
        let named = pictures(all);
        let names = named.iter().map(|picture| picture.name.to_owned());
        let stored = self.stored_pictures(names.collect()).await?;
        let (mut photos, mut missing) = (Photos::new(), Vec::new());
        for (nth, picture) in named.into_iter().enumerate() {
            match stored.get(picture.name) {
                Some(bytes) => {
                    let bytes = bytes.clone();
                    photos.insert(picture.scene.to_owned(), Photo::uploaded(picture, bytes));
                }
                None => missing.push(Picture::missing(nth)),
            }
        }
        Ok((photos, missing))
    }

    /// Stores what was prepared as the newest version. Put it in force after this.
    ///
    /// # Errors
    /// If somebody else has published or saved meanwhile, or the database fails.
    pub async fn store(
        &self,
        state: &SiteState,
        publication: Publication,
    ) -> Result<(), PublishError> {
        let new = NewVersion {
            base: state.version - 1,
            by: publication.by,
            reason: publication.reason,
            sections: state.sections.clone(),
            days: state.days.clone(),
            renderer: Renderer::version(),
            pages: pages::pack(&state.rendered)?,
            drafts: publication.drafts,
        };
        match self.store.publish_content(new, self.now()).await? {
            Stored::Ok(_) => Ok(()),
            Stored::Conflict => Err(PublishError::Conflict),
        }
    }

    async fn render(&self, all: &Sections) -> Result<Rendered> {
        let (renderer, all) = (self.renderer.clone(), all.clone());
        tokio::task::spawn_blocking(move || renderer.render(&all, &Bundle::embedded()?)).await?
    }

    fn state(
        &self,
        all: Sections,
        defaults: &Sections,
        rendered: Rendered,
        photos: Photos,
        days: Days,
        version: i64,
    ) -> Result<SiteState> {
        Ok(SiteState {
            version,
            company: sections::company(&self.company, &all),
            content: Content::of(&all)?,
            sections: sections::changed(defaults, all),
            rendered,
            photos,
            days,
        })
    }

    /// The days on which pages changed: today for those whose text differs from the current one.
    /// New company facts change all of them.
    fn days(&self, current: &SiteState, next: &SiteState) -> Result<Days> {
        let mut days = current.days.clone();
        let facts = ["facts", "licenses"]
            .iter()
            .any(|key| next.sections.get(*key) != current.sections.get(*key));
        for document in Bundle::embedded()?.documents {
            let id = document.id();
            let texts = next.rendered.get(&id) != current.rendered.get(&id);
            if facts || texts || shows_other_photo(&document, current, next) {
                days.insert(document.path, self.now().day());
            }
        }
        Ok(days)
    }

    fn now(&self) -> Time {
        self.clock.now()
    }
}

/// Whether a scene of the document has another photo in `next` than in `current`.
fn shows_other_photo(document: &Document, current: &SiteState, next: &SiteState) -> bool {
    let mut scenes = current.photos.keys().chain(next.photos.keys());
    scenes.any(|scene| {
        current.photos.get(scene) != next.photos.get(scene)
            && document.html.contains(&format!("data-scene=\"{scene}\""))
    })
}
