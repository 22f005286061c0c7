//! What the status page of a request is made of, and what a customer does on it, within the rate
//! limit of forms.

use rusqlite::{Connection, params};

use crate::conversation::messages;
use crate::inbox::submissions::{Submission, Submitted, insert_once};
use crate::offers::{self, Offer};
use crate::request::{events, requests};
use crate::storage::objects;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Event, Message, Settled, Via};
use domain::request::history::HistoryEvent;

/// The name of this form among the submissions.
const FORM: &str = "status";
/// What a customer says.
#[derive(Clone, Debug)]
pub enum Said {
    Message(String),
    /// No further answer is needed.
    Settled,
}

/// What is known of a request and of its duplicates.
#[derive(Clone, Debug)]
pub struct RequestStatus {
    pub request: Request,
    /// What has happened, oldest first.
    pub history: Vec<HistoryEvent>,
    /// Those of which a version was sent, oldest first.
    pub offers: Vec<Offer>,
    /// When each of the files of their forms arrived.
    pub files: Vec<Time>,
    /// How many of the files that the form has announced have not arrived.
    pub missing_files: u32,
}

impl Store {
    /// Records what the customer says about the request with this reference, unless it is a
    /// duplicate or over the rate limit. Errors: `Missing` for an unknown reference; `Busy`,
    /// `Full`, or the error of the database.
    pub async fn say_on_status_page(
        &self,
        reference: String,
        said: Said,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        let texts = self.recent_texts.clone();
        self.write(move |conn| {
            let request = requests::find(conn, &reference)?;
            insert_once(conn, &texts, FORM, &submission, now, |conn, _| {
                match &said {
                    Said::Message(text) => {
                        let message = Message::on_page(Via::Page, text);
                        messages::record(conn, &request, message, false, now)?;
                    }
                    // The clock of the next answer stops; the office sees it.
                    Said::Settled => {
                        let settled = Event::Settled(Settled::default());
                        events::add(conn, &request, None, &settled, now)?;
                    }
                }
                Ok((request.id.clone(), request.reference.clone()))
            })
        })
        .await
    }

    /// What the status page of the request with this reference shows. Errors: `Missing`.
    pub async fn request_status(&self, reference: String) -> Result<RequestStatus> {
        self.read(move |conn| {
            let request = requests::find(conn, &reference)?;
            let mut status = RequestStatus {
                request,
                history: Vec::new(),
                offers: Vec::new(),
                files: Vec::new(),
                missing_files: 0,
            };
            for seq in requests::family(conn, status.request.seq)? {
                status.history.extend(events::of_request(conn, seq)?);
                status.offers.extend(offers::sent_for(conn, seq)?);
                let id = requests::by_seq(conn, seq)?.id;
                let files = objects::of_quote(conn, &id)?.into_iter();
                // An owner is an admin of the company.
                let theirs = files.filter(|file| file.owner.is_none());
                status.files.extend(theirs.map(|file| file.created_at));
                status.missing_files += missing(conn, &id)?;
            }
            status.history.sort_by_key(|event| event.id);
            Ok(status)
        })
        .await
    }

    /// Notes how many files the form of a quote will send after it.
    pub async fn announce_files(&self, quote_id: String, count: u32) -> Result<()> {
        self.write(move |conn| {
            let sql = "INSERT INTO quote_uploads (quote_id, accepted, announced) VALUES (?1, 0, ?2)
                ON CONFLICT DO UPDATE SET announced = ?2";
            query::run(conn, sql, params![quote_id, count])
        })
        .await
    }
}

/// How many files of a quote were announced and have not arrived.
fn missing(conn: &Connection, quote_id: &str) -> Result<u32> {
    let sql = "SELECT max(0, announced - accepted) FROM quote_uploads WHERE quote_id = ?1";
    let missing = query::optional(conn, sql, [quote_id], |row| row.get(0))?;
    Ok(missing.unwrap_or(0))
}
