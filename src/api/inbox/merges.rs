//! Duplicates: merge two requests into one, and separate them again.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::ChangedRequest;
use crate::desk::Desk;
use crate::tags::Tag;
use http::request::error_responses::AdminResult;
use http::request::strict_json::StrictJson;

/// The other request.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherRequest {
    /// Its id or reference.
    request: String,
}

/// The other request, and which of the two stays.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Merge {
    /// Its id or reference.
    request: String,
    /// The id of the one that stays, where both have been answered by email.
    #[serde(default)]
    keep: Option<String>,
}

/// The calls about duplicates.
pub struct MergesApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl MergesApi {
    /// Merge two requests
    ///
    /// Both must be open. An emergency that waits for a call stays, else the one with an email
    /// that did not arrive, else the one whose number the customer has from our emails, else the
    /// older one. The other leaves the lists, is shown in it, and its id and
    /// reference lead there. It can be undone for a minute, and separated later. 409 with the
    /// reason if they cannot be merged.
    /// The response is the request that stays, or in which the other one was shown.
    #[oai(path = "/:id/merge", method = "post", operation_id = "mergeRequests")]
    async fn merge(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<Merge>,
    ) -> AdminResult<ChangedRequest> {
        let Merge { request, keep } = body.0;
        let merged = desk
            .store
            .merge_requests(id.0, request, keep, desk.actor(), desk.now)
            .await;
        ChangedRequest::of(&desk, merged)
    }

    /// Separate a duplicate
    ///
    /// It returns to the lists, unchanged. 404 if it is not merged
    /// into this request.
    /// The response is the request that stays, or in which the other one was shown.
    #[oai(
        path = "/:id/separate",
        method = "post",
        operation_id = "separateRequest"
    )]
    async fn separate(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<OtherRequest>,
    ) -> AdminResult<ChangedRequest> {
        let duplicate = body.0.request;
        let separated = desk
            .store
            .separate_request(id.0, duplicate, desk.actor(), desk.now)
            .await;
        ChangedRequest::of(&desk, separated)
    }
}
