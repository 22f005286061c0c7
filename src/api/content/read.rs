//! Reads the edited content and its history.

use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::errors::failure;
use super::to_fill::{self, ToFill};
use crate::desk::Admin;
use crate::tags::Tag;
use http::request::error_responses::AdminResult;
use site::sections;
use store::content::VersionRow;
use store::content::drafts::Draft;
use store::content::schedule::Scheduled;

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

/// The calls that read.
pub struct ReadApi;

#[OpenApi(prefix_path = "/api/admin/site", tag = "Tag::Site")]
impl ReadApi {
    /// Read the edited content
    #[oai(path = "/", method = "get", operation_id = "getSiteContent")]
    async fn content(&self, desk: Admin) -> AdminResult<SiteContent> {
        let drafts = desk.store.content_drafts().await?;
        let site = desk.site();
        let defaults = desk.publisher.defaults().map_err(failure)?;
        let mut edited = sections::merged(defaults, &site.sections);
        let rules = desk.publisher.rules();
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
    async fn history(&self, desk: Admin) -> AdminResult<SiteHistory> {
        let versions = desk.store.content_history().await?;
        Ok(Json(SiteHistory { versions }))
    }
}
