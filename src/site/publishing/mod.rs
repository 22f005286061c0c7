//! Publishing of the site's content: checks it, renders the pages and stores both as a new version.
//! The version is put in force after it is stored, so that a crash between the two loses nothing:
//! the next start reads the newest version.

mod days;
pub mod drafts;
mod loading;
mod pages;
mod pictures;
pub mod schedule;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::sync::{Mutex, MutexGuard};

use crate::bundle::Bundle;
use crate::content::Content;
use crate::current::{CurrentSite, SiteState};
use crate::photos::Photos;
use crate::renderer::{Rendered, Renderer};
use crate::sections;
use config::Company;
use domain::clock::{Clock, Time};
use domain::content::{ContentRules, Fault, Sections};
use domain::email::notice::Notice;
use store::Store;
use store::content::Stored;
use store::content::publish::{NewVersion, Reason};

/// The days on which pages changed, by path.
type Days = BTreeMap<String, String>;

/// Publishes content.
pub struct Publisher {
    store: Store,
    clock: Clock,
    /// The rules of the content.
    pub rules: ContentRules,
    /// The details of the settings, which the content replaces.
    company: Company,
    renderer: Renderer,
    /// The content in force.
    pub current: CurrentSite,
    publishing: Mutex<()>,
}

/// Why content was not published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// It breaks rules.
    #[error("{}", sections::list(.0))]
    Invalid(Vec<Fault>),
    /// Edited or published concurrently.
    #[error("the content was edited concurrently")]
    Conflict,
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// It could not be rendered.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

/// The actor and the reason of a publication.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The user's id; `None` for a command.
    pub by: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The drafts that it contains: numbers by section.
    pub drafts: BTreeMap<String, i64>,
}

/// A publication. While there is one, no other of this process can begin.
pub struct Publishing<'a> {
    publisher: &'a Publisher,
    _lock: MutexGuard<'a, ()>,
}

impl Publishing<'_> {
    /// The published content, if another process has published a newer version.
    ///
    /// # Errors
    /// If the database cannot be read or the pages cannot be rendered.
    pub async fn newer(&self) -> Result<Option<Arc<SiteState>>> {
        self.publisher.newer().await
    }

    /// Stores what was prepared as the newest version. `put_in_force` comes after this.
    ///
    /// # Errors
    /// The content was edited concurrently, or the database fails.
    pub async fn store(
        &self,
        state: &SiteState,
        publication: Publication,
    ) -> Result<(), PublishError> {
        let publisher = self.publisher;
        let new = NewVersion {
            base: state.version - 1,
            by: publication.by,
            reason: publication.reason,
            sections: state.sections.clone(),
            days: state.days.clone(),
            renderer: Renderer::version(),
            pages: pages::pack(&state.rendered)?,
            drafts: publication.drafts,
            notice: publisher.office_notice(state),
        };
        match publisher
            .store
            .publish_content(new, publisher.now())
            .await?
        {
            Stored::Ok(_) => Ok(()),
            Stored::Conflict => Err(PublishError::Conflict),
        }
    }

    /// Makes `state` the current content.
    pub fn put_in_force(&self, state: Arc<SiteState>) {
        self.publisher.current.set(state);
    }
}

impl Publisher {
    /// Reads the newest published content; renders its pages if they come from a different
    /// renderer.
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
        match publisher.newer().await {
            Ok(Some(state)) => publisher.current.set(state),
            Ok(None) => {}
            Err(error) if error.is::<store::Error>() => return Err(error),
            // `renew` tries again.
            Err(error) => {
                let error = format!("{error:#}");
                tracing::error!(%error, "the shipped content is shown instead of the published");
            }
        }
        Ok(publisher)
    }

    /// What the company says of itself now.
    pub fn site(&self) -> Arc<SiteState> {
        self.current.get()
    }

    /// The shipped value of every section, parsed on each call: they take half a megabyte and are
    /// needed only while the content is edited.
    ///
    /// # Errors
    /// Never after `open`, which parses them too.
    pub fn defaults(&self) -> Result<Sections> {
        sections::defaults(&self.company)
    }

    /// Every section as it is in force.
    pub fn sections(&self) -> Result<Sections> {
        let current = self.current.get();
        Ok(sections::merged(self.defaults()?, &current.sections))
    }

    /// Begins a publication, when the last one of this process has ended.
    pub async fn begin(&self) -> Publishing<'_> {
        Publishing {
            publisher: self,
            _lock: self.publishing.lock().await,
        }
    }

    /// Checks `all` sections and renders their pages, ready to be published.
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

    /// The email to the former address of the office, if the version changes it.
    fn office_notice(&self, state: &SiteState) -> Option<Notice> {
        let former = self.current.get().company.email.clone();
        let current = state.company.email.clone();
        (former != current).then_some(Notice::OfficeAddress { former, current })
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

    fn now(&self) -> Time {
        self.clock.now()
    }
}
