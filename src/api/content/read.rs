//! Reads the edited content and its history, and what a publication changes: the drafts, or a
//! version of the history.

use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::errors::failure;
use super::parts::Content;
use super::publish::unscheduled;
use super::to_fill::{self, ToFill};
use crate::desk::{Admin, Desk};
use crate::tags::Tag;
use domain::clock::Time;
use domain::content::{Change, Sections, changes};
use http::request::error_responses::AdminResult;
use http::request::problem::Problem;
use site::sections;
use store::content::VersionRow;
use store::content::drafts::Draft;
use store::content::schedule::Scheduled;

/// The most changes of a section that are listed.
const MAX_LINES: usize = 40;

/// A section of the content.
#[derive(Object)]
struct SiteSection {
    /// Its key, as in `faqs`.
    key: String,
    /// The draft if there is one, else the published section.
    value: Any<Value>,
    /// Whether the published section differs from the shipped one.
    changed: bool,
    /// The draft; null if there is none.
    draft: Option<Draft>,
    /// When the draft is published; null if it is not scheduled.
    schedule: Option<Scheduled>,
    /// The number of samples in `value`, which a public site leaves out.
    samples: usize,
}

/// The edited content.
#[derive(Object)]
struct SiteContent {
    /// The number of the published version; 0 for the shipped content.
    version: i64,
    /// The sections, in the order of the forms.
    sections: Vec<SiteSection>,
    /// What is to be filled in before the site is public.
    to_fill: Vec<ToFill>,
}

/// The history.
#[derive(Object)]
struct SiteHistory {
    /// The kept versions, newest first.
    versions: Vec<VersionRow>,
}

/// The changes of a section.
#[derive(Object)]
#[oai(rename = "SiteSectionChanges")]
struct SectionChanges {
    /// The key of the section.
    key: String,
    /// The address of the account that saved the draft; null for a version or a deleted account.
    by: Option<String>,
    /// When the draft was saved; null for a version.
    at: Option<Time>,
    /// The first changes, at most 40.
    lines: Vec<Change>,
    /// The number of further changes.
    more: usize,
}

/// The changes of a publication.
#[derive(Object)]
struct SiteChanges {
    /// The changed sections, in the order of the forms.
    sections: Vec<SectionChanges>,
}

/// The calls that read.
pub struct ReadApi;

#[OpenApi(prefix_path = "/api/admin/site", tag = "Tag::Site")]
impl ReadApi {
    /// Read the edited content
    #[oai(path = "/", method = "get", operation_id = "getSiteContent")]
    async fn content(&self, desk: Admin<Content<'_>>) -> AdminResult<SiteContent> {
        let drafts = desk.store.content_drafts().await?;
        let site = desk.publisher.site();
        let defaults = desk.publisher.defaults().map_err(failure)?;
        let mut edited = sections::merged(defaults, &site.sections);
        let rules = &desk.publisher.rules;
        for draft in &drafts {
            if let Some(value) = edited.get_mut(&draft.section) {
                value.clone_from(&draft.value);
            }
        }
        let mut to_fill = to_fill::of_facts(&site, &edited, site.company.today(desk.now));
        let schedule = desk.store.content_schedule().await?;
        let mut all = Vec::new();
        for key in rules.keys() {
            let value = edited.remove(key).unwrap_or_default();
            let samples = sections::count_samples(&value);
            if samples > 0 {
                let title = rules.section(key).map_or(key, |section| &section.title);
                to_fill.push(ToFill::samples(key, title, &value, samples));
            }
            all.push(SiteSection {
                key: key.to_owned(),
                value: Any(value),
                changed: site.sections.contains_key(key),
                draft: drafts.iter().find(|draft| draft.section == key).cloned(),
                schedule: schedule.iter().find(|row| row.section == key).cloned(),
                samples,
            });
        }
        Ok(Json(SiteContent {
            version: site.version,
            sections: all,
            to_fill,
        }))
    }

    /// Read the history of the content
    #[oai(path = "/history", method = "get", operation_id = "getSiteHistory")]
    async fn history(&self, desk: Admin<Content<'_>>) -> AdminResult<SiteHistory> {
        let versions = desk.store.content_history().await?;
        Ok(Json(SiteHistory { versions }))
    }

    /// List what a publication changes
    ///
    /// Without a version: what the drafts that are not scheduled change. With one: what that
    /// version changed since the one before it; 404 if either is not kept.
    #[oai(path = "/changes", method = "get", operation_id = "getSiteChanges")]
    async fn changes(
        &self,
        desk: Admin<Content<'_>>,
        /// The number of a version of the history.
        version: Query<Option<i64>>,
    ) -> AdminResult<SiteChanges> {
        let (before, after) = match version.0 {
            Some(version) => versions(&desk, version).await?,
            None => {
                let before = desk.publisher.sections().map_err(failure)?;
                (before, unscheduled(&desk).await?.sections)
            }
        };
        let drafts = match version.0 {
            Some(_) => Vec::new(),
            None => desk.store.content_drafts().await?,
        };
        let rules = &desk.publisher.rules;
        let mut found = Vec::new();
        for key in rules.keys() {
            let Some(section) = rules.section(key) else {
                continue;
            };
            let mut lines = changes(section, &before[key], &after[key]);
            if lines.is_empty() && before[key] == after[key] {
                continue;
            }
            let more = lines.len().saturating_sub(MAX_LINES);
            lines.truncate(MAX_LINES);
            let draft = drafts.iter().find(|draft| draft.section == key);
            found.push(SectionChanges {
                key: key.to_owned(),
                by: draft.and_then(|draft| draft.by.clone()),
                at: draft.map(|draft| draft.at),
                lines,
                more,
            });
        }
        Ok(Json(SiteChanges { sections: found }))
    }
}

/// All sections of the version before `version`, and of this.
async fn versions(desk: &Desk<Content<'_>>, version: i64) -> Result<(Sections, Sections), Problem> {
    let before = match version.checked_sub(1).filter(|before| *before >= 0) {
        Some(before) => desk.store.content_sections(before).await?,
        None => None,
    };
    let after = desk.store.content_sections(version).await?;
    let (Some(before), Some(after)) = (before, after) else {
        return Err(Problem::missing(
            "This version or the one before it is no longer kept.",
        ));
    };
    let defaults = desk.publisher.defaults().map_err(failure)?;
    let after = sections::merged(defaults.clone(), &after);
    Ok((sections::merged(defaults, &before), after))
}
