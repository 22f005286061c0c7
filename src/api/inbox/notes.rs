//! Notes, calls to customers, and drafts: text that an admin has typed about a request and not sent
//! yet, for their other devices.

use std::collections::BTreeMap;

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::refusal::problem;
use super::dto::event::RequestEvent;
use super::errors::unknown_request;
use super::outcome::reminder;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::Time;
use domain::request::event::CallOutcome;
use domain::request::quote::refused_move;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, cleaned, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};

/// Maximum length of a note, in code points.
const MAX_NOTE: usize = 4000;
/// In place of a request's id, and the form: a request by phone that is being typed.
pub(super) const PHONE: &str = "phone";
/// Fields of a form.
const MAX_FIELDS: usize = 16;
/// Maximum length of a field's name, in bytes.
const MAX_NAME: usize = 32;
/// Maximum length of all fields, in code points.
const MAX_TEXT: usize = 20_000;

/// A note of the office.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    /// 1 to 4,000 characters.
    text: String,
}

/// A call to the customer.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    outcome: CallOutcome,
    /// Up to 4,000 characters.
    note: Option<String>,
    /// The time of a reminder, as in `setFollowUp`.
    remind_at: Option<Time>,
}

/// The forms about a request.
const FORMS: [&str; 3] = ["reply", "call", "note"];

/// The stored draft.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftFields {
    /// The texts by the names of the form's fields; all empty to delete the draft.
    fields: BTreeMap<String, String>,
}

/// The calls that add to a history.
pub struct NotesApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl NotesApi {
    /// Add a note to a request
    ///
    /// The same note within two minutes is not stored twice.
    #[oai(path = "/:id/notes", method = "post", operation_id = "addNote")]
    async fn note(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<Note>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let text = cleaned("text", &body.0.text, MAX_NOTE)?;
        let text = text.ok_or_else(|| invalid("text", "The note is empty. Write something."))?;
        let event = desk.store.note(id.0, text, desk.actor(), desk.now).await;
        let event = event.map_err(unknown_request)?;
        Ok(Created::of(RequestEvent::of_caller(&desk, event, &[])))
    }

    /// Delete your note
    ///
    /// `event` is the id of the note in the history. It can be undone for a minute.
    #[oai(
        path = "/:id/notes/:event",
        method = "delete",
        operation_id = "deleteNote"
    )]
    async fn delete_note(
        &self,
        desk: Desk,
        id: Path<String>,
        event: Path<String>,
    ) -> AdminResult<RequestEvent> {
        let missing = || Problem::missing("There is no such note: it may have been deleted.");
        let note = event.parse().map_err(|_| missing())?;
        let deleted = desk
            .store
            .delete_note(id.0, note, desk.actor(), desk.now)
            .await;
        let deleted = deleted.map_err(|error| Problem::of(error, missing))?;
        let history = [deleted.clone()];
        Ok(Json(RequestEvent::of_caller(&desk, deleted, &history)))
    }

    /// Log a call to the customer
    ///
    /// If the customer was reached, the request is answered. A follow-up whose time has come ends.
    #[oai(path = "/:id/calls", method = "post", operation_id = "logCall")]
    async fn call(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<Call>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let outcome = body.0.outcome;
        let note = cleaned("note", body.0.note.as_deref().unwrap_or_default(), MAX_NOTE)?;
        let remind_at = reminder("remind_at", body.0.remind_at, desk.now)?;
        let logged = desk
            .store
            .log_call(id.0, outcome, note, remind_at, desk.actor(), desk.now);
        let event = logged.await.map_err(unknown_request)?;
        let event =
            event.map_err(|refusal| problem(refusal, |present| refused_move(present, None)))?;
        Ok(Created::of(RequestEvent::of_caller(&desk, event, &[])))
    }

    /// Store a draft
    ///
    /// Your draft, for a form (`reply`, `call`, `note`) of a request, or with `phone` as `id` and
    /// `form` of a request by phone. Sending the form deletes it.
    #[oai(path = "/:id/drafts/:form", method = "put", operation_id = "keepDraft")]
    async fn keep(
        &self,
        desk: Desk,
        id: Path<String>,
        form: Path<String>,
        body: StrictJson<DraftFields>,
    ) -> Result<NoContent, AdminError> {
        let by_phone = id.as_str() == PHONE && form.as_str() == PHONE;
        if !by_phone && !FORMS.contains(&form.as_str()) {
            return Err(invalid("form", "The form is reply, call or note.").into());
        }
        let fields = body.0.fields;
        check(&fields)?;
        let owner = desk.me();
        if by_phone {
            desk.store.keep_phone_draft(owner, fields, desk.now).await?;
        } else {
            let kept = desk.store.keep_draft(id.0, owner, form.0, fields, desk.now);
            kept.await.map_err(unknown_request)?;
        }
        Ok(NoContent::Done)
    }
}

/// Refuses too many fields, long names and long texts.
fn check(fields: &BTreeMap<String, String>) -> Result<(), Problem> {
    if fields.len() > MAX_FIELDS || fields.keys().any(|name| name.len() > MAX_NAME) {
        let detail = "`fields` is an object of up to sixteen texts.";
        return Err(invalid("fields", detail));
    }
    let length: usize = fields.values().map(|text| text.chars().count()).sum();
    if length > MAX_TEXT {
        let detail = format!("The draft has {length} characters; at most {MAX_TEXT} are kept.");
        return Err(invalid("fields", detail));
    }
    Ok(())
}
