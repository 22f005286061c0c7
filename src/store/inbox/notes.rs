//! Notes about a request: adding one, and deleting one's own.

use rusqlite::{Connection, params};

use crate::accounts::actor::Actor;
use crate::inbox::drafts;
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::search::index;
use crate::{Error, Result, Store, conflict, query};
use domain::clock::{MINUTE_MS, Time};
use domain::ids;
use domain::request::event::{Event, NoteDeleted, Noted, UNDO_MS, Verb};
use domain::request::history::HistoryEvent;

/// The same note of the same admin within this time is a second click or a lost response.
const SAME_NOTE_MS: i64 = 2 * MINUTE_MS;

impl Store {
    /// Adds a note to a request. Errors: `Missing` for an unknown request.
    pub async fn note(
        &self,
        id: String,
        text: String,
        by: Actor,
        now: Time,
    ) -> Result<HistoryEvent> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            if let Some(event) = same_note(&history, &text, &by.user_id, now) {
                return Ok(event);
            }
            drafts::forget(conn, &by.user_id, request.seq, "note")?;
            let event = Event::Noted(Noted::of(text));
            let event = record(conn, &request, event, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(event)
        })
        .await
    }

    /// Deletes the caller's note of this event; returns the event of the deletion, which keeps the
    /// text for as long as it can be undone. Errors: `Missing` if there is no such note; `Conflict`
    /// if it is another admin's.
    pub async fn delete_note(
        &self,
        id: String,
        note: i64,
        by: Actor,
        now: Time,
    ) -> Result<HistoryEvent> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let history = events::of_request(conn, request.seq)?;
            let found = history.iter().find(|event| event.id == note);
            let found = found.ok_or(Error::Missing)?;
            let Event::Noted(Noted {
                text: Some(text), ..
            }) = &found.event
            else {
                return Err(Error::Missing);
            };
            if !found.is_by(&by.user_id) {
                return conflict("Only the person who wrote a note can delete it.");
            }
            let deleted = Noted {
                text: None,
                deleted: Some(true),
            };
            set_detail(conn, note, &Event::Noted(deleted))?;
            let event = Event::NoteDeleted(NoteDeleted {
                note,
                text: Some(text.clone()),
            });
            let event = record(conn, &request, event, by.at(now))?;
            index::reindex(conn, request.seq)?;
            Ok(event)
        })
        .await
    }
}

/// The last note of this admin, if it is the same and was not deleted.
fn same_note(
    history: &[HistoryEvent],
    text: &str,
    author: &str,
    now: Time,
) -> Option<HistoryEvent> {
    let last = HistoryEvent::last_of(history, author, Verb::Noted, SAME_NOTE_MS, now)?;
    let is_same = matches!(&last.event, Event::Noted(note) if note.text.as_deref() == Some(text));
    is_same.then(|| last.clone())
}

/// Restores the text of a deleted note. `deletion` is the event of its deletion.
pub(crate) fn restore(conn: &Connection, deletion: i64, deleted: &NoteDeleted) -> Result<()> {
    let note = deleted.note;
    let text = deleted.text.clone().ok_or(Error::Missing)?;
    set_detail(conn, note, &Event::Noted(Noted::of(text)))?;
    let without_text = NoteDeleted { note, text: None };
    set_detail(conn, deletion, &Event::NoteDeleted(without_text))
}

/// Deletes the texts of notes whose deletion can no longer be undone.
pub(crate) fn forget_deleted(conn: &Connection, now: Time) -> Result<()> {
    let before = ids::first_seq(now.plus_millis(-UNDO_MS));
    let sql = "UPDATE events SET detail = json_remove(detail, '$.text')
        WHERE verb = 'note_deleted' AND id < ?1 AND detail ->> 'text' IS NOT NULL";
    query::run(conn, sql, [before])
}

fn set_detail(conn: &Connection, id: i64, event: &Event) -> Result<()> {
    let detail = event.detail().map_err(|_| Error::Failed)?.to_string();
    let sql = "UPDATE events SET detail = ?2 WHERE id = ?1";
    query::run(conn, sql, params![id, detail])
}
