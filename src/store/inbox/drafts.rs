//! Drafts: text that an admin has typed about a request and not sent yet.

use poem_openapi::Object;
use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use crate::database::row::{self, read_row};
use crate::request::requests;
use crate::{Result, Store, query};
use domain::clock::Time;

/// A draft.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct RequestDraft {
    /// `reply`, `call` or `note`, or `phone` of a request by phone.
    pub form: String,
    /// The texts by the names of the form's fields.
    pub fields: BTreeMap<String, String>,
    pub updated_at: Time,
}

/// The form of a request by phone, which is no request yet.
pub(super) const PHONE_FORM: &str = "phone";
/// Its `seq`.
pub(super) const NO_REQUEST: i64 = 0;

impl Store {
    /// Stores the draft of a user for a request by phone; one without text is deleted.
    pub async fn keep_phone_draft(
        &self,
        owner: String,
        fields: BTreeMap<String, String>,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| keep(conn, &owner, NO_REQUEST, PHONE_FORM, &fields, now))
            .await
    }

    /// The draft of a user for a request by phone.
    pub async fn phone_draft(&self, owner: String) -> Result<Option<RequestDraft>> {
        let read = move |conn: &Connection| of_request(conn, &owner, NO_REQUEST);
        Ok(self.read(read).await?.pop())
    }

    /// Stores the draft of a user for a form of a request; a draft without text is deleted. Errors:
    /// `Missing` for an unknown request.
    pub async fn keep_draft(
        &self,
        id: String,
        owner: String,
        form: String,
        fields: BTreeMap<String, String>,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            keep(conn, &owner, request.seq, &form, &fields, now)
        })
        .await
    }
}

fn keep(
    conn: &Connection,
    owner: &str,
    seq: i64,
    form: &str,
    fields: &BTreeMap<String, String>,
    now: Time,
) -> Result<()> {
    if fields.values().all(String::is_empty) {
        return forget(conn, owner, seq, form);
    }
    let sql = "INSERT OR REPLACE INTO request_drafts (owner, seq, form, fields, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?5)";
    let values = params![owner, seq, form, row::text(fields)?, now.to_string()];
    query::run(conn, sql, values)
}

/// The drafts of a user about a request.
pub(crate) fn of_request(conn: &Connection, owner: &str, seq: i64) -> Result<Vec<RequestDraft>> {
    let sql = "SELECT form, fields, updated_at FROM request_drafts WHERE owner = ?1 AND seq = ?2";
    let read = read_row!(RequestDraft => form, fields, updated_at);
    query::all(conn, sql, params![owner, seq], read)
}

/// Deletes a draft that was sent. Call it inside the `write` job that stores the sent text.
pub(crate) fn forget(conn: &Connection, owner: &str, seq: i64, form: &str) -> Result<()> {
    let sql = "DELETE FROM request_drafts WHERE owner = ?1 AND seq = ?2 AND form = ?3";
    query::run(conn, sql, params![owner, seq, form])
}
