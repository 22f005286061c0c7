//! The files of a quote: their names are among its words, and the row of a file removed by an admin
//! is kept aside for as long as the removal can be undone.

use rusqlite::{Connection, params};
use serde_json::json;

use crate::accounts::actor::Actor;
use crate::database::row;
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::search::index;
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Error, Result, Store, query};
use domain::clock::Time;
use domain::request::RequestKind;
use domain::request::event::{Event, UNDO_MS};

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
    ) -> Result<Event> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let is_own = key
                .strip_prefix(&request.id)
                .is_some_and(|rest| rest.starts_with('/'));
            let removed = match is_own {
                true => objects::delete(conn, BUCKET, &key)?,
                false => None,
            };
            let object = removed.ok_or(Error::Missing)?;
            let detail = json!({ "key": key, "name": object.shown_name() });
            let event = record(conn, &request, "file_removed", detail, by.at(now))?;
            conn.prepare_cached(
                "INSERT INTO removed_files (event, quote_id, removed_at, sha256, object)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                event.id,
                request.id,
                now.to_string(),
                object.sha256,
                row::text(&object)?
            ])?;
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
        self.write(move |conn| {
            conn.prepare_cached(&format!("DELETE {OLD}"))?
                .execute([before])?;
            Ok(())
        })
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
    let quote = match requests::by_id(conn, RequestKind::Quote, quote_id) {
        Err(Error::Missing) => return Ok(()),
        found => found?,
    };
    let detail = json!({ "key": file.name, "name": file.shown_name(), "version": file.version });
    let verb = if replaces {
        "file_replaced"
    } else {
        "file_added"
    };
    events::add(conn, &quote, file.owner.as_deref(), verb, &detail, now)?;
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
    let quote = match requests::by_id(conn, RequestKind::Quote, quote_id) {
        Err(Error::Missing) => return Ok(()),
        found => found?,
    };
    let detail = json!({ "key": file.name, "name": file.shown_name() });
    events::add(conn, &quote, Some(actor), "file_deleted", &detail, now)?;
    Ok(index::reindex(conn, quote.seq)?)
}

/// Removes an added file again. False if it was removed or replaced since.
pub(crate) fn take_back(conn: &Connection, event: &Event) -> Result<bool> {
    let text = |key: &str| event.detail.get(key).and_then(serde_json::Value::as_str);
    let Some(key) = text("key") else {
        return Ok(false);
    };
    match objects::find(conn, BUCKET, key)? {
        Some(file) if text("version") == Some(&file.version) => {
            objects::delete(conn, BUCKET, key)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Restores a removed file. False if another file has its key now, or its row was deleted.
pub(crate) fn restore(conn: &Connection, event: i64) -> Result<bool> {
    let mut find = conn.prepare_cached("SELECT object FROM removed_files WHERE event = ?1")?;
    let found = find.query_map([event], |found| row::json::<Object>(found, "object"))?;
    let Some(object) = found.last().transpose()? else {
        return Ok(false);
    };
    if objects::find(conn, BUCKET, &object.name)?.is_some() {
        return Ok(false);
    }
    objects::insert(conn, &object)?;
    conn.prepare_cached("DELETE FROM removed_files WHERE event = ?1")?
        .execute([event])?;
    Ok(true)
}
