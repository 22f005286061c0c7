//! Quotes: stored with their notice, read one by one, and moved through their states. The list is
//! in `quote_list`.

use rusqlite::{Connection, ToSql, params};

use super::quote_columns::{COLUMNS, INSERT, read_quote, select_list};
use super::submissions::{Submission, Submitted, insert_once};
use super::{Error, Result, Store, audit, outbox, row, search_index};
use crate::domain::account::Metadata;
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::Notice;
use crate::domain::quote::{NewQuote, Quote, Status};

/// Finds a quote by its id `?1` and the `seq` that the id encodes, `?2`. Ids from before they
/// encoded it are looked up in `old_quote_ids`.
macro_rules! has_id {
    () => {
        "id = ?1 AND seq IN (?2, (SELECT seq FROM old_quote_ids WHERE id = ?1))"
    };
}

/// The result of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveResult {
    /// Done; the quote after the move.
    Done(Box<Quote>),
    /// Not a legal move from the current status.
    Refused {
        /// The current status.
        present: Status,
    },
}

/// Who moves a quote, for the audit.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The admin's user id.
    pub user_id: String,
    /// The keyed hash of the client's address.
    pub client: String,
}

impl Store {
    /// Stores a quote with the notice to the staff, unless it is a duplicate or over the rate
    /// limit.
    ///
    /// # Errors
    /// `Busy`, `Full`, or the error of the database; nothing is stored then.
    pub async fn submit_quote(
        &self,
        quote: NewQuote,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        let index = self.submission_index.clone();
        self.write(move |conn| {
            insert_once(conn, &index, "quote", &submission, now, |conn| {
                let id = insert(conn, &quote, Status::Pending, false, now)?;
                let notice = Notice::quote(id.clone(), quote.emergency_contact);
                outbox::enqueue(conn, &notice, now)?;
                Ok(id)
            })
        })
        .await
    }

    /// One quote.
    ///
    /// # Errors
    /// `Missing` for an unknown id.
    pub async fn quote(&self, id: String) -> Result<Quote> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(concat!(
                "SELECT ",
                select_list!(),
                " FROM quotes WHERE ",
                has_id!()
            ))?;
            Ok(find.query_row(params![id, ids::seq_of_id(&id)], read_quote)?)
        })
        .await
    }

    /// Moves a quote to `next` if that is a legal move from its status in this transaction, which
    /// also writes the audit row.
    ///
    /// # Errors
    /// `Missing` for an unknown id.
    pub async fn move_quote(
        &self,
        id: String,
        next: Status,
        by: Mover,
        now: Time,
    ) -> Result<MoveResult> {
        self.write(move |conn| {
            let (seq, present) = current_status(conn, &id)?;
            if !present.can_transition_to(next) {
                return Ok(MoveResult::Refused { present });
            }
            let mut update = conn.prepare_cached(concat!(
                "UPDATE quotes SET status = ?2, updated_at = ?3 WHERE seq = ?1 RETURNING ",
                select_list!()
            ))?;
            let (quote, words) = update
                .query_row(params![seq, next.as_str(), now.to_string()], |row| {
                    Ok((read_quote(row)?, search_index::indexed_text(row)?))
                })?;
            search_index::reindex(conn, seq, &words)?;
            record_move(conn, &id, (present, next), &by, now)?;
            Ok(MoveResult::Done(Box::new(quote)))
        })
        .await
    }

    /// Replaces the sample quotes, each with its age and status, without notices.
    ///
    /// # Errors
    /// `Conflict` if the database holds quotes that are not samples.
    pub async fn seed_demo(&self, quotes: Vec<(NewQuote, Status, Time)>) -> Result<usize> {
        self.write(move |conn| {
            if conn.prepare("SELECT 1 FROM quotes WHERE demo = 0")?.exists([])? {
                return Err(Error::Conflict(
                    "this database holds real quotes; samples belong in a database of their own (--data DIR)"
                        .into(),
                ));
            }
            conn.execute_batch(
                "DELETE FROM quote_words WHERE rowid IN (SELECT seq FROM quotes WHERE demo = 1);
                 DELETE FROM quotes WHERE demo = 1",
            )?;
            for (quote, status, at) in &quotes {
                insert(conn, quote, *status, true, *at)?;
            }
            Ok(quotes.len())
        })
        .await
    }
}

fn current_status(conn: &Connection, id: &str) -> Result<(i64, Status)> {
    let mut find =
        conn.prepare_cached(concat!("SELECT seq, status FROM quotes WHERE ", has_id!()))?;
    Ok(find.query_row(params![id, ids::seq_of_id(id)], |row| {
        let status = Status::parse(row.get_ref("status")?.as_str()?);
        Ok((row.get("seq")?, status.unwrap_or(Status::Pending)))
    })?)
}

/// The first free `seq` in the millisecond of `now`, or in the next one with a free `seq`. It sorts
/// as `created_at` does, and then by arrival. `newest` is the highest `seq` in use.
fn free_seq(conn: &Connection, newest: Option<i64>, now: Time) -> rusqlite::Result<i64> {
    let mut first = ids::first_seq(now);
    if newest.is_none_or(|newest| newest < first) {
        return Ok(first);
    }
    let mut last = conn.prepare_cached("SELECT max(seq) FROM quotes WHERE seq < ?1")?;
    loop {
        let end = first.saturating_add(ids::SEQS_PER_MILLI);
        let last: Option<i64> = last.query_row([end], |row| row.get(0))?;
        let free = last.map_or(first, |last| first.max(last + 1));
        if free < end {
            return Ok(free);
        }
        first = end;
    }
}

/// Inserts one quote; returns its id. It is indexed a moment later (`search_index::index_pending`).
fn insert(
    conn: &Connection,
    quote: &NewQuote,
    status: Status,
    demo: bool,
    now: Time,
) -> Result<String> {
    let newest: Option<i64> = conn
        .prepare_cached("SELECT max(seq) FROM quotes")?
        .query_row([], |row| row.get(0))?;
    let seq = free_seq(conn, newest, now)?;
    let (id, at) = (ids::from_seq(seq).to_string(), now.to_string());
    let attribution = quote.attribution.as_ref().map(row::text).transpose()?;
    let values: [(&str, &dyn ToSql); COLUMNS.len() + 2] = [
        (":seq", &seq),
        (":demo", &demo),
        (":id", &id),
        (":created_at", &at),
        (":updated_at", &at),
        (":status", &status.as_str()),
        (":first_name", &quote.first_name),
        (":last_name", &quote.last_name),
        (":email", &quote.email),
        (":phone", &quote.phone),
        (":company", &quote.company),
        (":service_type", &quote.service_type),
        (":duration", &quote.duration),
        (":start_date", &quote.start_date),
        (":location", &quote.location),
        (":description", &quote.description),
        (":emergency_contact", &quote.emergency_contact),
        (":attribution", &attribution),
    ];
    conn.prepare_cached(INSERT)?.execute(&values)?;
    if newest.is_some_and(|newest| newest > seq) {
        search_index::index_out_of_order(conn, seq)?;
    }
    Ok(id)
}

fn record_move(
    conn: &Connection,
    id: &str,
    (from, to): (Status, Status),
    by: &Mover,
    now: Time,
) -> Result<()> {
    let detail = [("from", from), ("to", to)];
    let detail = detail.map(|(key, status)| (key.to_owned(), status.as_str().into()));
    let entry = audit::Entry {
        action: "quote_moved",
        actor: &by.user_id,
        subject_id: Some(id),
        client: Some(&by.client),
        detail: &Metadata::from_iter(detail),
    };
    audit::record(conn, &entry, now)
}
