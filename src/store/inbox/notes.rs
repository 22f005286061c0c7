//! Notes about a request: adding one, and deleting one's own.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::accounts::actor::Actor;
use crate::inbox::drafts;
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::search::index;
use crate::{Error, Result, Store, query};
use domain::clock::{MINUTE_MS, Time};
use domain::ids;
use domain::request::event::{Event, UNDO_MS};

/// The same note of the same admin within this time is a second click or a lost response.
const SAME_NOTE_MS: i64 = 2 * MINUTE_MS;

impl Store {
    /// Adds a note to a request. Errors: `Missing` for an unknown request.
    pub async fn note(&self, id: String, text: String, by: Actor, now: Time) -> Result<Event> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            if let Some(event) = same_note(&history, &text, &by.user_id, now) {
                return Ok(event);
            }
            drafts::forget(conn, &by.user_id, request.seq, "note")?;
            let detail = json!({ "text": text });
            let event = record(conn, &request, "noted", detail, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(event)
        })
        .await
    }

    /// Deletes the caller's note of this event; returns the event of the deletion, which keeps the
    /// text for as long as it can be undone. Errors: `Missing` if there is no such note; `Conflict`
    /// if it is another admin's.
    pub async fn delete_note(&self, id: String, note: i64, by: Actor, now: Time) -> Result<Event> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            let is_note = |event: &&Event| event.id == note && event.verb == "noted";
            let found = history.iter().find(is_note).ok_or(Error::Missing)?;
            let text = found.detail.get("text").and_then(Value::as_str);
            let text = text.ok_or(Error::Missing)?;
            if !found.is_by(&by.user_id) {
                let detail = "Only the person who wrote a note can delete it.";
                return Err(Error::Conflict(detail.to_owned()));
            }
            set_detail(conn, note, &json!({ "deleted": true }))?;
            let detail = json!({ "note": note, "text": text });
            let event = record(conn, &request, "note_deleted", detail, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(event)
        })
        .await
    }
}

/// The last note of this admin, if it is the same and was not deleted.
fn same_note(history: &[Event], text: &str, author: &str, now: Time) -> Option<Event> {
    let last = Event::last_of(history, author, "noted", SAME_NOTE_MS, now)?;
    let is_same = last.detail.get("text").and_then(Value::as_str) == Some(text);
    is_same.then(|| last.clone())
}

/// Restores the text of a deleted note. `deletion` is the event of its deletion.
pub(crate) fn restore(conn: &Connection, deletion: &Event) -> Result<()> {
    let note = deletion.detail.get("note").and_then(Value::as_i64);
    let text = deletion.detail.get("text").and_then(Value::as_str);
    let (note, text) = note.zip(text).ok_or(Error::Missing)?;
    set_detail(conn, note, &json!({ "text": text }))?;
    set_detail(conn, deletion.id, &json!({ "note": note }))
}

/// Deletes the texts of notes whose deletion can no longer be undone.
pub(crate) fn forget_deleted(conn: &Connection, now: Time) -> Result<()> {
    let before = ids::first_seq(now.plus_millis(-UNDO_MS));
    let sql = "UPDATE events SET detail = json_remove(detail, '$.text')
        WHERE verb = 'note_deleted' AND id < ?1 AND detail ->> 'text' IS NOT NULL";
    query::execute(conn, sql, [before])?;
    Ok(())
}

fn set_detail(conn: &Connection, event: i64, detail: &Value) -> Result<()> {
    conn.prepare_cached("UPDATE events SET detail = ?2 WHERE id = ?1")?
        .execute(params![event, detail.to_string()])?;
    Ok(())
}
