//! The files that a reply carries: those of the request, of its conversation, and those uploaded
//! for the reply.

use rusqlite::Connection;

use crate::request::requests;
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Error, Result, Store, conflict, query};
use domain::request::{Request, RequestKind};
use domain::storage::{MAIL, QUOTES, ScanState};

impl Store {
    /// The objects of files, each named `bucket/key`, that a reply to a request may carry. Errors:
    /// `Missing` for an unknown request; `Conflict` that names a file that is not one of it, or is
    /// infected.
    pub async fn reply_files(&self, id: String, names: Vec<String>) -> Result<Vec<Object>> {
        self.read(move |conn| {
            let request = requests::find(conn, &id)?;
            let mut shown = requests::duplicates(conn, request.seq)?;
            shown.push(request);
            names.iter().map(|name| file(conn, &shown, name)).collect()
        })
        .await
    }
}

fn file(conn: &Connection, shown: &[Request], name: &str) -> Result<Object> {
    let unknown = || Error::Conflict(format!("{name} is not a file of this request."));
    let (bucket, key) = name.split_once('/').ok_or_else(unknown)?;
    let (folder, _) = key.split_once('/').ok_or_else(unknown)?;
    let of_request = shown.iter().any(|request| {
        request.id == folder && (bucket == MAIL || request.kind == RequestKind::Quote)
    });
    let is_own = match bucket {
        QUOTES => of_request,
        MAIL => of_request || is_of_email(conn, shown, folder)?,
        _ => false,
    };
    let object = match is_own {
        true => objects::find(conn, bucket, key)?,
        false => None,
    };
    let object = object.ok_or_else(unknown)?;
    if object.scan == ScanState::Infected {
        let shown = object.shown_name();
        return conflict(format!("{shown} is infected. Leave it out."));
    }
    Ok(object)
}

fn is_of_email(conn: &Connection, shown: &[Request], email: &str) -> Result<bool> {
    let sql = "SELECT seq FROM received_emails WHERE id = ?1";
    let seq: Option<Option<i64>> = query::optional(conn, sql, [email], |row| row.get(0))?;
    Ok(shown
        .iter()
        .any(|request| seq.flatten() == Some(request.seq)))
}
