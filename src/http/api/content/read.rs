//! Reads the edited content and its history.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::errors::failure;
use crate::AppState;
use crate::api::tags::Tag;
use crate::request::error_responses::AdminError;
use crate::request::require_admin::Admin;
use domain::content::Sections;
use site::current::SiteState;
use site::{sections, unfinished};
use store::{Draft, VersionRow};

/// The account that saved a draft, and the time.
#[derive(Object)]
pub(super) struct SavedDraft {
    /// The revision, incremented by each change; send it with the next change.
    pub number: i64,
    /// When it was saved.
    pub at: String,
    /// The address of the account; null if it was deleted.
    pub by: Option<String>,
}

/// When a draft is published.
#[derive(Object)]
struct SiteSchedule {
    /// The time.
    at: String,
    /// The address of the account that decided it; null if it was deleted.
    by: Option<String>,
    /// Why it was not published; null if it is still to come.
    refused: Option<String>,
}

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
    draft: Option<SavedDraft>,
    /// When the draft is published; null if it is not scheduled.
    schedule: Option<SiteSchedule>,
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
    /// Facts to fill in before the site is public, one sentence each.
    to_fill: Vec<String>,
}

/// A published version.
#[derive(Object)]
struct SiteVersion {
    version: i64,
    /// When it was published.
    at: String,
    /// The address of the account; null for the command line or a deleted account.
    by: Option<String>,
    /// `publish`, `import` or `back`.
    reason: String,
    /// The sections that differ from the shipped ones.
    sections: Vec<String>,
}

/// The history.
#[derive(Object)]
struct SiteHistory {
    /// The kept versions, newest first.
    versions: Vec<SiteVersion>,
}

/// The calls that read.
pub struct ReadApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Site")]
impl ReadApi {
    /// Read the edited content
    #[oai(path = "/site", method = "get", operation_id = "getSiteContent")]
    async fn content(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<Json<SiteContent>, AdminError> {
        let drafts = app.store.content_drafts().await?;
        let site = app.site();
        let defaults = app.publisher.defaults().map_err(failure)?;
        let mut edited = sections::merged(defaults, &site.sections);
        let rules = app.publisher.rules();
        for draft in &drafts {
            if let Some(value) = edited.get_mut(&draft.section) {
                value.clone_from(&draft.value);
            }
        }
        let mut to_fill = to_fill(&site, &edited, &app.clock.now().day());
        let schedule = app.store.content_schedule().await?;
        let scheduled = |key: &str| {
            let row = schedule.iter().find(|row| row.section == key)?;
            Some(SiteSchedule {
                at: row.at.clone(),
                by: row.by.clone(),
                refused: row.refused.clone(),
            })
        };
        let mut all = Vec::new();
        for key in rules.keys() {
            let draft = drafts.iter().find(|draft| draft.section == key);
            let value = edited.remove(key).unwrap_or_default();
            let samples = sections::count_samples(&value);
            if samples > 0 {
                let title = rules.section(key).map_or(key, |section| &section.title);
                to_fill.push(match samples {
                    1 => format!("{title}: one sample is left. A public site does not show it."),
                    n => {
                        format!("{title}: {n} samples are left. A public site does not show them.")
                    }
                });
            }
            all.push(SiteSection {
                key: key.to_owned(),
                value: Any(value),
                changed: site.sections.contains_key(key),
                draft: draft.map(describe),
                schedule: scheduled(key),
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
    #[oai(
        path = "/site/history",
        method = "get",
        operation_id = "getSiteHistory"
    )]
    async fn history(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<Json<SiteHistory>, AdminError> {
        let versions = app.store.content_history().await?;
        let describe = |row: VersionRow| SiteVersion {
            version: row.version,
            at: row.at,
            by: row.by,
            reason: row.reason,
            sections: row.sections,
        };
        Ok(Json(SiteHistory {
            versions: versions.into_iter().map(describe).collect(),
        }))
    }
}

/// What the company has to fill in or confirm, a sentence each. `edited` are the sections with
/// their drafts, `today` is a day, `YYYY-MM-DD`.
fn to_fill(site: &SiteState, edited: &Sections, today: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (state, license) in sections::company(&site.company, edited).licenses {
        if license.has_expired(today) {
            found.push(format!(
                "Licenses: {state} {} expired {}. It is not shown until you enter its new date.",
                license.number,
                license.expires_text()
            ));
        }
    }
    let unconfirmed = unfinished::unconfirmed(edited);
    if !unconfirmed.company.is_empty() {
        found.push(format!(
            "Hero, figures, mission and about: not confirmed: {}.",
            unconfirmed.company.join("; ")
        ));
    }
    if !unconfirmed.states.is_empty() {
        found.push(format!(
            "States: the figures of {} are samples. A public site shows the company’s instead.",
            unconfirmed.states.join(", ")
        ));
    }
    let claims = unfinished::unconfirmed_claims(edited);
    if !claims.is_empty() {
        found.push(format!(
            "Claims to confirm: not confirmed: {}.",
            claims.join("; ")
        ));
    }
    let facts = unfinished::facts(&site.company);
    if !facts.is_empty() {
        let keys: Vec<String> = facts.iter().map(|(key, _)| key.replace('_', " ")).collect();
        found.push(format!(
            "Company facts: still those of the sample company: {}.",
            keys.join(", ")
        ));
    }
    match unfinished::states_without_license(&site.company, &site.content).len() {
        0 => {}
        n => found.push(format!(
            "Licenses: none is entered for {n} states that license guard companies."
        )),
    }
    found
}

fn describe(draft: &Draft) -> SavedDraft {
    SavedDraft {
        number: draft.number,
        at: draft.at.clone(),
        by: draft.by.clone(),
    }
}
