//! Edits of what a request says: names, addresses, place, service, start and duration. The history
//! keeps both values.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::{Changed, Refusal, changed};
use crate::accounts::actor::Actor;
use crate::request::announcements::announce;
use crate::request::requests;
use crate::request::writes::{record, set};
use crate::search::index;
use crate::{Result, Store, conflict, query};
use domain::clock::Time;
use domain::request::Request;
use domain::request::edited::{FIELDS, FieldTexts, RequestEdit, value};
use domain::request::event::{Edited, Event};

impl Store {
    /// Edits a request, found by its id or reference. Nothing is changed, and there is no event, if
    /// its fields have the new values already. Errors: `Missing` for an unknown request, `Conflict`
    /// if it is of another kind than the rules that the values were checked by.
    pub async fn edit_request(
        &self,
        id: String,
        edit: RequestEdit,
        by: Actor,
        now: Time,
    ) -> Result<Changed> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            if request.held.is_some() {
                return Ok(Err(Refusal::Held));
            }
            if request.kind != edit.kind {
                return conflict("This request was changed to another kind. Open it again.");
            }
            let (from, to) = match differences(&request, &edit) {
                Ok(differences) => differences,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let mut event = None;
            if !to.is_empty() {
                for (field, value) in &to {
                    write(conn, &request, field, value)?;
                }
                set(conn, &request, "updated_at", Some(&now.to_string()))?;
                let edited = Event::Edited(Edited {
                    from: by_name(from),
                    to: by_name(to),
                });
                event = Some(record(conn, &request, edited, by.at(now))?.id);
                announce(conn, "request.changed", Some(request.seq), None, now)?;
                index::reindex(conn, request.seq)?;
            }
            Ok(Ok(changed(conn, request.seq, event)?))
        })
        .await
    }
}

/// The present and the new values of the fields that an edit changes.
fn differences(request: &Request, edit: &RequestEdit) -> Changed<(FieldTexts, FieldTexts)> {
    let (mut from, mut to) = (FieldTexts::new(), FieldTexts::new());
    for (field, new) in &edit.to {
        let present = value(request, field);
        if present == new {
            continue;
        }
        if edit.from.get(field).is_some_and(|seen| seen != present) {
            return Err(Refusal::Edited {
                field,
                present: present.to_owned(),
            });
        }
        from.insert(field, present.to_owned());
        to.insert(field, new.clone());
    }
    let remains = |field: &'static str| {
        let new = to.get(field).map(String::as_str);
        !new.unwrap_or(value(request, field)).is_empty()
    };
    let removed = ["phone", "email"]
        .into_iter()
        .find(|field| to.contains_key(field) && !remains(field));
    match removed {
        Some(field) if !remains("phone") && !remains("email") => {
            Err(Refusal::Unreachable { field })
        }
        _ => Ok((from, to)),
    }
}

fn by_name(texts: FieldTexts) -> BTreeMap<String, String> {
    let texts = texts.into_iter();
    texts
        .map(|(field, text)| (field.to_owned(), text))
        .collect()
}

/// Restores the values from before an edit.
pub(in crate::inbox) fn restore(
    conn: &Connection,
    request: &Request,
    edit: &Edited,
    now: Time,
) -> Result<()> {
    for (name, value) in &edit.from {
        if let Some(field) = FIELDS.into_iter().find(|field| field == name) {
            write(conn, request, field, value)?;
        }
    }
    announce(conn, "request.changed", Some(request.seq), None, now)
}

/// Writes a field.
fn write(conn: &Connection, request: &Request, field: &'static str, new: &str) -> Result<()> {
    let stored = Some(new).filter(|text| field != "company" || !text.is_empty());
    set(conn, request, field, stored)?;
    if field == "email" {
        redirect(conn, request, new)?;
    }
    Ok(())
}

/// The emails to the customer that were not delivered go to the new address.
fn redirect(conn: &Connection, request: &Request, address: &str) -> Result<()> {
    if address.is_empty() || request.email.is_empty() {
        return Ok(());
    }
    let sql = "UPDATE events SET detail = json_set(detail, '$.to', ?3)
        WHERE seq = ?1 AND verb IN ('replied', 'emailed')
          AND detail ->> 'to' = ?2 COLLATE NOCASE AND detail ->> 'state' IN ('queued', 'failed')";
    query::run(conn, sql, params![request.seq, request.email, address])
}
