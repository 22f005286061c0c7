//! A contact message becomes a quote request, which can have files and offers. Its id, reference,
//! history and all that belongs to it stay.

use rusqlite::{Connection, params};

use super::{Changed, ChangedRequest, Refusal};
use crate::accounts::actor::Actor;
use crate::request::announcements::announce;
use crate::request::requests;
use crate::request::writes::{record, set};
use crate::search::index;
use crate::storage::objects;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::request::contact::quote_service;
use domain::request::event::{Event, MadeQuote};
use domain::request::{Request, RequestKind};

impl Store {
    /// Makes a quote request of a contact message, found by its id or reference. Nothing is changed
    /// if it is one. Errors: `Missing` for an unknown request.
    pub async fn make_quote(&self, id: String, by: Actor, now: Time) -> Result<Changed> {
        self.write(move |conn| {
            let mut request = requests::find(conn, &id)?;
            if request.held.is_some() {
                return Ok(Err(Refusal::Held));
            }
            let mut event = None;
            if request.kind == RequestKind::Message {
                let service = quote_service(&request.service);
                let made = Event::MadeQuote(MadeQuote {
                    from: request.service.clone(),
                    to: service.to_owned(),
                });
                let sql = "UPDATE requests SET kind = 'quote', service = ?2, location = '',
                    start_date = '', duration = '' WHERE seq = ?1";
                query::execute(conn, sql, params![request.seq, service])?;
                set(conn, &request, "updated_at", Some(&now.to_string()))?;
                request = requests::by_seq(conn, request.seq)?;
                event = Some(record(conn, &request, made, by.at(now))?.id);
                announce(conn, "request.changed", Some(request.seq), None, now)?;
                index::reindex(conn, request.seq)?;
            }
            let request = Box::new(request);
            Ok(Ok(ChangedRequest { request, event }))
        })
        .await
    }
}

/// Makes it a contact message again; returns false if it has since got what only a quote request
/// has.
pub(super) fn undo(
    conn: &Connection,
    request: &Request,
    made: &MadeQuote,
    now: Time,
) -> Result<bool> {
    let values = [&request.location, &request.start_date, &request.duration];
    let is_filled = values.into_iter().flatten().any(|text| !text.is_empty());
    let has_offer = query::exists(conn, "SELECT 1 FROM offers WHERE seq = ?1", [request.seq])?;
    let has_files = !objects::of_quote(conn, &request.id)?.is_empty();
    let is_other = made.to != request.service;
    if is_filled || has_offer || has_files || is_other {
        return Ok(false);
    }
    let sql =
        "UPDATE requests SET kind = 'message', service = ?2, location = NULL, start_date = NULL,
        duration = NULL WHERE seq = ?1";
    query::execute(conn, sql, params![request.seq, made.from])?;
    announce(conn, "request.changed", Some(request.seq), None, now)?;
    Ok(true)
}
