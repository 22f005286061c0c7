//! The files of a quote: their names are among its words, and the row of a file removed by an admin
//! is kept aside for as long as the removal can be undone.

use rusqlite::Connection;

use crate::accounts::actor::Actor;
use crate::database::row;
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::search::index;
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Error, Result, Store, existing, query};
use domain::clock::Time;
use domain::request::RequestKind;
use domain::request::event::{AddedFile, Event, RemovedFile, UNDO_MS};
use domain::request::history::HistoryEvent;

/// The bucket of the files of quotes.
const BUCKET: &str = "quotes";

impl Store {
    /// Removes a file of a quote; returns the event of the removal. Errors: `Missing` for an
    /// unknown request, or if it has no such file.
    pub async fn remove_file(
        &self,
        id: String,
        key: String,
        by: Actor,
        now: Time,
    ) -> Result<HistoryEvent> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let is_own = key
                .strip_prefix(&request.id)
                .is_some_and(|rest| rest.starts_with('/'));
            let deleted = match is_own {
                true => objects::delete(conn, BUCKET, &key)?,
                false => None,
            };
            let object = deleted.ok_or(Error::Missing)?;
            let event = Event::FileRemoved(removed(&object));
            let event = record(conn, &request, event, by.at(now))?;
            row::insert_row!(conn, "removed_files", {
                event: event.id,
                quote_id: request.id,
                removed_at: now.to_string(),
                sha256: object.sha256,
                object: row::text(&object)?,
            })?;
            index::reindex(conn, request.seq)?;
            Ok(event)
        })
        .await
    }

    /// Deletes the rows of files whose removal can no longer be undone. Their bytes are deleted
    /// with the other released contents.
    pub async fn forget_removed_files(&self, now: Time) -> Result<()> {
        const OLD: &str = "FROM removed_files WHERE removed_at < ?1";
        let before = now.plus_millis(-UNDO_MS).to_string();
        let is_any = {
            let before = before.clone();
            self.read(move |conn| {
                let sql = format!("SELECT 1 {OLD}");
                query::exists(conn, &sql, [before])
            })
        };
        if !is_any.await? {
            return Ok(());
        }
        self.write(move |conn| query::run(conn, &format!("DELETE {OLD}"), [before]))
            .await
    }
}

/// Records that a file of a quote was added, or replaced, and indexes its name. Call it inside the
/// job that stores the file.
pub fn added(
    conn: &Connection,
    quote_id: &str,
    file: &Object,
    replaces: bool,
    now: Time,
) -> Result<()> {
    let Some(quote) = existing(requests::by_id(conn, RequestKind::Quote, quote_id))? else {
        return Ok(());
    };
    let added = AddedFile {
        key: file.name.clone(),
        name: file.shown_name(),
        version: file.version.clone(),
    };
    let event = match replaces {
        true => Event::FileReplaced(added),
        false => Event::FileAdded(added),
    };
    events::add(conn, &quote, file.owner.as_deref(), &event, now)?;
    Ok(index::reindex(conn, quote.seq)?)
}

/// Records that a file was deleted by a call of the storage service, for good.
pub fn deleted(conn: &Connection, file: &Object, actor: &str, now: Time) -> Result<()> {
    let Some((quote_id, _)) = file
        .name
        .split_once('/')
        .filter(|_| file.bucket_id == BUCKET)
    else {
        return Ok(());
    };
    let Some(quote) = existing(requests::by_id(conn, RequestKind::Quote, quote_id))? else {
        return Ok(());
    };
    let event = Event::FileDeleted(removed(file));
    events::add(conn, &quote, Some(actor), &event, now)?;
    Ok(index::reindex(conn, quote.seq)?)
}

fn removed(file: &Object) -> RemovedFile {
    RemovedFile {
        key: file.name.clone(),
        name: file.shown_name(),
    }
}

/// Removes an added file again. False if it was removed or replaced since.
pub(crate) fn take_back(conn: &Connection, added: &AddedFile) -> Result<bool> {
    match objects::find(conn, BUCKET, &added.key)? {
        Some(file) if added.version == file.version => {
            objects::delete(conn, BUCKET, &added.key)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Restores a removed file. False if another file has its key now, or its row was deleted.
pub(crate) fn restore(conn: &Connection, event: i64) -> Result<bool> {
    let sql = "SELECT object FROM removed_files WHERE event = ?1";
    let found = query::optional(conn, sql, [event], |found| row::column(found, "object"))?;
    let Some(object): Option<Object> = found else {
        return Ok(false);
    };
    if objects::find(conn, BUCKET, &object.name)?.is_some() {
        return Ok(false);
    }
    objects::insert(conn, &object)?;
    query::execute(conn, "DELETE FROM removed_files WHERE event = ?1", [event])?;
    Ok(true)
}
