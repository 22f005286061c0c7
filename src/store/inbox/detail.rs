//! One request with its history and the other requests of the same person.

use rusqlite::Connection;
use serde_json::json;

use crate::database::row;
use crate::inbox::drafts;
use crate::inbox::drafts::RequestDraft;
use crate::request::customers::related;
use crate::request::sent_offers::{SentOffer, newest_of};
use crate::request::{events, requests};
use crate::storage::objects;
use crate::storage::objects::Object;
use crate::{Result, Store, query};
use domain::account::Person;
use domain::request::event::{Event, Verb};
use domain::request::history::HistoryEvent;
use domain::request::waits::Family;
use domain::request::{Request, RequestKind};

/// One request with its related data.
#[derive(Clone, Debug)]
pub struct RequestDetail {
    pub request: Request,
    /// The duplicates that are shown in it, oldest first.
    pub duplicates: Vec<Request>,
    /// Its events and those of the duplicates, oldest first.
    pub history: Vec<HistoryEvent>,
    /// Other requests with the same email address or phone number, newest first.
    pub related: Vec<Request>,
    /// The files of a quote request, in the order of their names, and of its emails; then those of
    /// the duplicates.
    pub files: Vec<Object>,
    /// The reader's drafts about it.
    pub drafts: Vec<RequestDraft>,
    /// The event of the newest message that waits for an answer.
    pub newest_unanswered: Option<i64>,
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
            let parents = duplicates.iter();
            let family = Family {
                wants_call: request.emergency_contact,
                parents: parents
                    .filter_map(|it| Some((it.seq, it.merged_into?)))
                    .collect(),
                history,
            };
            Ok(RequestDetail {
                newest_unanswered: family.waits().newest_unanswered,
                history: with_people(conn, family.history)?,
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

/// The history with the addresses and names of the users of assignments. A deleted account has none.
fn with_people(conn: &Connection, mut history: Vec<HistoryEvent>) -> Result<Vec<HistoryEvent>> {
    for event in &mut history {
        match &mut event.event {
            Event::Assigned(assigned) => {
                for person in [&mut assigned.from, &mut assigned.to].into_iter().flatten() {
                    *person = person_of(conn, &person.id)?;
                }
            }
            Event::Undone(undone) if undone.verb == Verb::Assigned => {
                for side in [&mut undone.from.0, &mut undone.to.0] {
                    if let Some(id) = side.as_str() {
                        *side = json!(person_of(conn, id)?);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(history)
}

fn person_of(conn: &Connection, id: &str) -> Result<Person> {
    let sql = "SELECT id, email, display_name FROM users WHERE id = ?1";
    let columns = ["id", "email", "display_name"];
    let found = query::optional(conn, sql, [id], |found| row::person(found, columns))?;
    Ok(found
        .flatten()
        .unwrap_or_else(|| Person::of_id(id.to_owned())))
}
