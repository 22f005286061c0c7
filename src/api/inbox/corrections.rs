//! Corrections of a status, and removal of files: changes beside the three moves.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::{ChangedRequest, changed};
use super::dto::detail::Event;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::text::clean;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;
use store::inbox::changes::corrections::Correction;

/// Maximum length of a reason, in code points.
const MAX_REASON: usize = 500;

/// A correction.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewCorrection {
    correction: Correction,
    /// 1 to 500 characters, for the history.
    reason: String,
}

/// A file to remove.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRemoval {
    /// Its key.
    key: String,
}

/// The correcting calls.
pub struct CorrectionsApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl CorrectionsApi {
    /// Reopen or withdraw a request
    ///
    /// A completed request is in progress again, and a cancelled one returns to its earlier status.
    /// A request in progress that is withdrawn is cancelled. 409 with `current_status` for another
    /// status.
    #[oai(
        path = "/:id/corrections",
        method = "post",
        operation_id = "correctRequest"
    )]
    async fn correct(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<NewCorrection>,
    ) -> AdminResult<ChangedRequest> {
        let correction = body.0.correction;
        let reason = clean(&body.0.reason, true);
        match reason.chars().count() {
            1..=MAX_REASON => {}
            0 => return Err(invalid("reason", "Give a reason for the correction.").into()),
            _ => return Err(invalid("reason", "A reason has at most 500 characters.").into()),
        }
        let corrected =
            desk.store
                .correct_request(id.0, correction, reason, desk.actor(), desk.now);
        let verb = correction.as_str();
        changed(&desk, corrected.await, |present| {
            format!("This request is {present}; you cannot {verb} it.")
        })
    }

    /// Remove a file of a quote request
    ///
    /// It can be undone for a minute; then the file is deleted.
    #[oai(
        path = "/:id/files/remove",
        method = "post",
        operation_id = "removeRequestFile"
    )]
    async fn remove_file(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<FileRemoval>,
    ) -> Result<Created<Event>, AdminError> {
        let event = desk
            .store
            .remove_file(id.0, body.0.key, desk.actor(), desk.now)
            .await;
        let event = event.map_err(|error| {
            Problem::of(error, || {
                invalid(
                    "key",
                    "This request has no such file: it may have been removed.",
                )
            })
        })?;
        let history = [event.clone()];
        Ok(Created(Event::of_caller(&desk, event, &history)))
    }
}
