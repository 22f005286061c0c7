//! One request with its history and the other requests of the same person.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};

use super::changes::merges;
use super::columns::read_request;
use super::{events, requests};
use crate::domain::phone;
use crate::domain::request::event::Event;
use crate::domain::request::{Request, RequestKind};
use crate::store::inbox::drafts;
use crate::store::inbox::drafts::RequestDraft;
use crate::store::lists::filter::RequestFilter;
use crate::store::lists::walk::{Order, Source, walk};
use crate::store::offers::{SentOffer, newest_of};
use crate::store::search::words::split_words;
use crate::store::storage::objects;
use crate::store::{Result, Store};

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
    pub files: Vec<crate::store::Object>,
    /// The reader's drafts about it.
    pub drafts: Vec<RequestDraft>,
    /// The offer that was sent last.
    pub offer: Option<SentOffer>,
}

/// Maximum number of other requests of one person.
const MAX_RELATED: usize = 20;
/// Maximum number of requests compared with the person: usually one person sends far fewer.
const MAX_COMPARED: u32 = 500;

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
            let duplicates = merges::duplicates(conn, request.seq)?;
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
        self.read_indexed(true, work, |_| ()).await
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

/// The newest other requests with the same address, ignoring case, or the same number in the
/// international form. The search index finds the candidates by their words.
fn related(conn: &Connection, request: &Request) -> Result<Vec<Request>> {
    let number = phone::e164(&request.phone);
    let is_same = |other: &Request| {
        let has_address = !request.email.is_empty();
        let same_address = has_address && other.email.eq_ignore_ascii_case(&request.email);
        let same_number = number.is_some() && phone::e164(&other.phone) == number;
        other.seq != request.seq && (same_address || same_number)
    };
    let words: Vec<_> = split_words(&request.email)
        .map(|word| format!("\"{word}\""))
        .collect();
    let numbers = number.iter().flat_map(|number| phone::spellings(number));
    let by_number = numbers.map(|digits| format!("\"{digits}\""));
    let by_address = (!words.is_empty()).then(|| format!("({})", words.join(" AND ")));
    let conditions: Vec<_> = by_address.into_iter().chain(by_number).collect();
    if conditions.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for held in [false, true] {
        let filter = RequestFilter {
            held,
            ..RequestFilter::default()
        };
        let condition = format!("({})", conditions.join(" OR "));
        let source = Source::of(&filter, &[], Some(&condition));
        let (range, order) = (filter.range(), Order::NewestFirst);
        let mut compared = 0;
        walk(conn, &filter, &source, range, order, &mut |row| {
            compared += 1;
            let other = read_request(row)?;
            if is_same(&other) {
                found.push(other);
            }
            Ok(
                match found.len() == MAX_RELATED || compared == MAX_COMPARED {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                },
            )
        })?;
    }
    found.sort_by_key(|other| std::cmp::Reverse(other.seq));
    found.truncate(MAX_RELATED);
    Ok(found)
}
