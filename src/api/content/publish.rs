//! Publishes the drafts, publishes an earlier version again, and makes a preview.

use std::collections::BTreeMap;
use std::sync::Arc;

use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::errors::{conflict, failure, problem};
use super::parts::Content;
use super::preview;
use crate::desk::{Admin, Desk, RecentAdmin};
use crate::tags::Tag;
use domain::content::Sections;
use http::pages::Pages;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;
use site::publishing::drafts::Drafted;
use site::publishing::{Publication, Publishing};
use site::sections;
use store::content::publish::Reason;

/// The versions to publish, as the client has read them.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "PublishSite")]
struct Publish {
    /// The published version that it follows.
    version: i64,
    /// The numbers of all drafts that are not scheduled, by section.
    drafts: BTreeMap<String, i64>,
}

/// The version to replace, and the one to publish again.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "StepBack")]
struct StepBack {
    /// The number of the published version.
    version: i64,
    /// The number of the earlier version, 0 for the shipped content; default: the previous version.
    to: Option<i64>,
}

/// A published version.
#[derive(Object)]
struct PublishedSite {
    /// Its number.
    version: i64,
}

/// A preview of the drafts.
#[derive(Object)]
struct SitePreview {
    /// The address of the pages; add `?path=/about`. It ends after 15 minutes.
    url: String,
}

/// The calls that render.
pub struct PublishApi;

#[OpenApi(prefix_path = "/api/admin/site", tag = "Tag::Site")]
impl PublishApi {
    /// Publish all drafts that are not scheduled
    ///
    /// 409 if a draft or the published version has changed since it was read; 422 if a rule across
    /// sections is broken.
    #[oai(path = "/publish", method = "post", operation_id = "publishSite")]
    async fn publish(
        &self,
        desk: RecentAdmin<Content<'_>>,
        body: StrictJson<Publish>,
    ) -> AdminResult<PublishedSite> {
        let Publish { version, drafts } = body.0;
        let publishing = desk.publisher.begin().await;
        let all = unscheduled(&desk).await?;
        if all.numbers.is_empty() {
            return Err(Problem::conflict("There is no draft to publish.").into());
        }
        if all.numbers != drafts {
            return Err(conflict(
                "Another admin has saved a draft since you opened this page. Check it first.",
            )
            .into());
        }
        let publication = Publication {
            by: Some(desk.me()),
            reason: Reason::Publish,
            drafts,
        };
        publish(desk.pages, &publishing, version, all.sections, publication).await
    }

    /// Publish an earlier version
    ///
    /// Publishes an earlier version of the history again, as a new version. The drafts are kept.
    #[oai(path = "/back", method = "post", operation_id = "stepBackSite")]
    async fn back(
        &self,
        desk: RecentAdmin<Content<'_>>,
        body: StrictJson<StepBack>,
    ) -> AdminResult<PublishedSite> {
        let StepBack { version, to } = body.0;
        let to = to.unwrap_or_else(|| version.saturating_sub(1));
        let publishing = desk.publisher.begin().await;
        let earlier = match to < version {
            true => desk.store.content_sections(to).await?,
            false => None,
        };
        let Some(earlier) = earlier else {
            return Err(Problem::conflict("There is no such version before this one.").into());
        };
        let defaults = desk.publisher.defaults().map_err(failure)?;
        let all = sections::merged(defaults, &earlier);
        let publication = Publication {
            by: Some(desk.me()),
            reason: Reason::Back,
            drafts: BTreeMap::new(),
        };
        publish(desk.pages, &publishing, version, all, publication).await
    }

    /// Make a preview of the drafts
    ///
    /// Renders the pages as they would be published, under an address with a random token, which
    /// the session keeps. Without a draft these are the published pages.
    #[oai(path = "/preview", method = "post", operation_id = "previewSite")]
    async fn preview(
        &self,
        desk: Admin<Content<'_>>,
        /// `true`: the published pages, which take no time, until the drafts are rendered.
        published: Query<Option<bool>>,
    ) -> Result<Created<SitePreview>, AdminError> {
        let drafted = match published.0 {
            Some(true) => None,
            _ => Some(desk.publisher.drafted(|_| true).await.map_err(problem)?),
        };
        let pages = match drafted.filter(|drafted| !drafted.numbers.is_empty()) {
            None => Arc::clone(&desk.pages.current()),
            Some(drafted) => {
                let prepared = desk.publisher.prepare(drafted.sections).await;
                let pages = desk.pages.clone().build(prepared.map_err(problem)?).await;
                Arc::new(pages.map_err(failure)?)
            }
        };
        let token = desk.previews.add("", pages, &desk.caller, desk.now);
        let url = format!("{}{token}", preview::PREFIX);
        Ok(Created::of(SitePreview { url }))
    }
}

async fn publish(
    pages: &Arc<Pages>,
    publishing: &Publishing<'_>,
    base: i64,
    all: Sections,
    publication: Publication,
) -> AdminResult<PublishedSite> {
    let published = pages.clone().publish(publishing, base, all, publication);
    let version = published.await.map_err(problem)?;
    Ok(Json(PublishedSite { version }))
}

/// The content with the drafts that "Publish" takes: all that are not scheduled.
pub(super) async fn unscheduled(desk: &Desk<Content<'_>>) -> Result<Drafted, Problem> {
    let mut schedule = desk.store.content_schedule().await?;
    schedule.retain(|row| row.refused.is_none());
    let is_scheduled = |section: &str| schedule.iter().any(|row| row.section == section);
    let drafted = desk
        .publisher
        .drafted(|draft| !is_scheduled(&draft.section));
    drafted.await.map_err(problem)
}
