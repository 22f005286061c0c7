//! One request with its history and the other requests of the same person.

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use crate::inbox::drafts;
use crate::inbox::drafts::RequestDraft;
use crate::request::customers::related;
use crate::request::sent_offers::{SentOffer, newest_of};
use crate::request::{events, requests};
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Result, Store};
use domain::request::event::Event;
use domain::request::{Request, RequestKind};

/// One request with its related data.
#[derive(Clone, Debug)]
pub struct RequestDetail {
    pub request: Request,
    /// The duplicates that are shown in it, oldest first.
    pub duplicates: Vec<Request>,
    /// Its events and those of the duplicates, oldest first.
    pub history: Vec<Event>,
    /// Other requests with the same email address or phone number, newest first.
    pub related: Vec<Request>,
    /// The files of a quote request, in the order of their names, and of its emails; then those of
    /// the duplicates.
    pub files: Vec<Object>,
    /// The reader's drafts about it.
    pub drafts: Vec<RequestDraft>,
    /// The offer that was sent last.
    pub offer: Option<SentOffer>,
}

impl Store {
    /// The request with this id or reference, with its history and related requests, and the drafts
    /// of the user `reader`. Errors: `Missing` if there is none.
    pub async fn request_detail(
        &self,
        id_or_reference: String,
        reader: String,
    ) -> Result<RequestDetail> {
        let work = move |conn: &Connection| {
            let request = requests::find(conn, &id_or_reference)?;
            let duplicates = requests::duplicates(conn, request.seq)?;
            let (mut history, mut files) = (Vec::new(), Vec::new());
            for shown in std::iter::once(&request).chain(&duplicates) {
                history.extend(events::of_request(conn, shown.seq)?);
                if shown.kind == RequestKind::Quote {
                    files.extend(objects::of_quote(conn, &shown.id)?);
                }
                files.extend(objects::of_emails(conn, shown.seq)?);
            }
            history.sort_by_key(|event| event.id);
            Ok(RequestDetail {
                history: with_people(conn, history)?,
                duplicates,
                files,
                drafts: drafts::of_request(conn, &reader, request.seq)?,
                related: related(conn, &request)?,
                offer: newest_of(conn, request.seq)?,
                request,
            })
        };
        self.read(work).await
    }
}

/// The history with users, `{id, email, name}`, in place of the user ids of assignments. A deleted
/// account has no email.
fn with_people(conn: &Connection, mut history: Vec<Event>) -> Result<Vec<Event>> {
    let is_assignment = |event: &Event| {
        event.verb == "assigned" || event.detail.get("verb") == Some(&json!("assigned"))
    };
    let mut find = conn.prepare_cached("SELECT email, display_name FROM users WHERE id = ?1")?;
    for event in history.iter_mut().filter(|event| is_assignment(event)) {
        for side in ["from", "to"] {
            let Some(id) = event.detail.get(side).and_then(Value::as_str) else {
                continue;
            };
            let found = find.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)));
            let (email, name): (Option<String>, Option<String>) =
                found.optional()?.unwrap_or_default();
            let person = json!({ "id": id, "email": email, "name": name });
            event.detail.insert(side.to_owned(), person);
        }
    }
    Ok(history)
}
