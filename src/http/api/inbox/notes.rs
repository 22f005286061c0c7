//! Notes, and calls to customers.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Enum, Object, OpenApi};
use serde_json::Value;

use super::actor::actor;
use super::changes::refusal::problem;
use super::dto::detail::Event;
use super::errors::unknown_request;
use super::follow_up::parse_time;
use crate::AppState;
use crate::api::tags::Tag;
use crate::request::client_address::Client;
use crate::request::error_responses::AdminError;
use crate::request::problem::{Problem, invalid};
use crate::request::require_admin::Admin;
use crate::request::strict_json::{StrictJson, UniqueKeys};
use crate::request::success_responses::Created;
use domain::request::quote::refused_move;
use domain::text::clean;

/// Maximum length of a note, in code points.
const MAX_NOTE: usize = 4000;

/// A note of the office.
#[derive(Object)]
struct Note {
    /// 1 to 4,000 characters.
    text: String,
}

/// The outcome of a call.
#[derive(Enum)]
#[oai(rename_all = "snake_case")]
enum CallOutcome {
    /// The customer was reached.
    Reached,
    /// A message was left.
    Voicemail,
    /// The call was not answered.
    NoAnswer,
}

/// A call to the customer.
#[derive(Object)]
struct Call {
    outcome: CallOutcome,
    /// Up to 4,000 characters.
    note: Option<String>,
    /// The time of a reminder, as in `setFollowUp`.
    remind_at: Option<String>,
}

/// The calls that add to a history.
pub struct NotesApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl NotesApi {
    /// Add a note to a request
    #[oai(path = "/inbox/:id/notes", method = "post", operation_id = "addNote")]
    async fn note(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, Note>,
    ) -> Result<Created<Event>, AdminError> {
        let text = parse_note(&body.0, "text")?;
        let text = text.ok_or_else(|| invalid("text", "The note is empty. Write something."))?;
        let (by, now) = (actor(admin, client), app.clock.now());
        let viewer = by.user_id.clone();
        let event = app.store.note(id.0, text, by, now).await;
        let event = event.map_err(unknown_request)?;
        Ok(Created(Event::new(event, &[], &viewer, now)))
    }

    /// Delete your note
    ///
    /// `event` is the id of the note in the history. It can be undone for a minute.
    #[oai(
        path = "/inbox/:id/notes/:event",
        method = "delete",
        operation_id = "deleteNote"
    )]
    async fn delete_note(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        event: Path<String>,
    ) -> Result<Json<Event>, AdminError> {
        let missing = || {
            let detail = "There is no such note: it may have been deleted.";
            Problem::new(StatusCode::NOT_FOUND, detail)
        };
        let note = event.parse().map_err(|_| missing())?;
        let (by, now) = (actor(admin, client), app.clock.now());
        let viewer = by.user_id.clone();
        let deleted = app.store.delete_note(id.0, note, by, now).await;
        let deleted = deleted.map_err(|error| match error {
            store::Error::Missing => missing(),
            other => other.into(),
        })?;
        let history = [deleted.clone()];
        Ok(Json(Event::new(deleted, &history, &viewer, now)))
    }

    /// Log a call to the customer
    ///
    /// If the customer was reached, the request is answered. A follow-up whose time has come ends.
    #[oai(path = "/inbox/:id/calls", method = "post", operation_id = "logCall")]
    async fn call(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, Call>,
    ) -> Result<Created<Event>, AdminError> {
        let outcome = body.0.text("outcome").and_then(store::CallOutcome::parse);
        let wrong = || invalid("outcome", "`outcome` is reached, voicemail or no_answer.");
        let (outcome, note) = (outcome.ok_or_else(wrong)?, parse_note(&body.0, "note")?);
        let (by, now) = (actor(admin, client), app.clock.now());
        let viewer = by.user_id.clone();
        let remind_at = parse_time(&body.0, "remind_at", now)?;
        let logged = app
            .store
            .log_call(id.0, outcome, note, remind_at, by, now)
            .await;
        let event = logged.map_err(unknown_request)?;
        let event =
            event.map_err(|refusal| problem(refusal, |present| refused_move(present, None)))?;
        Ok(Created(Event::new(event, &[], &viewer, now)))
    }
}

/// The cleaned text of a note; `None` if it is absent or empty.
fn parse_note(body: &UniqueKeys, field: &str) -> Result<Option<String>, Problem> {
    let text = match body.0.get(field) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => clean(text, true),
        Some(_) => return Err(invalid(field, format!("`{field}` is a text."))),
    };
    let length = text.chars().count();
    if length > MAX_NOTE {
        let detail = format!(
            "The note has {length} characters; at most {MAX_NOTE} fit. Shorten it or write two."
        );
        return Err(invalid(field, detail));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}
