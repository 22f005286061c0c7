//! Quotes: stored with their notice, moved through their states. The lists are in `queue`.

use rusqlite::{Connection, Row, params};

use super::submissions::{Submission, Submitted, once};
use super::{Error, Result, Store, audit, outbox, row, search_index};
use crate::domain::account::Metadata;
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::Notice;
use crate::domain::quote::{NewQuote, Quote, Status};

/// The columns that `quote_of` reads, in its order.
macro_rules! columns {
    () => {
        "quotes.id, quotes.created_at, quotes.updated_at, quotes.first_name, quotes.last_name, quotes.email, quotes.phone, quotes.company, \
         quotes.service_type, quotes.duration, quotes.start_date, quotes.location, quotes.description, quotes.status, quotes.emergency_contact, quotes.attribution"
    };
}
pub(super) use columns;

/// What became of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveResult {
    /// Done; the quote as it stands now.
    Done(Box<Quote>),
    /// Not a legal move from where the quote stands.
    Refused {
        /// Where it stands.
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
    /// Stores a quote with the notice to the office, unless it came before or comes too often.
    ///
    /// # Errors
    /// `Busy`, `Full`, or what the database says; nothing is stored then.
    pub async fn submit_quote(
        &self,
        quote: NewQuote,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        let recent = self.recent.clone();
        self.write(move |conn| {
            once(conn, &recent, "quote", &submission, now, |conn| {
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
    /// `Missing` when there is none under this id.
    pub async fn quote(&self, id: String) -> Result<Quote> {
        self.read(move |conn| find(conn, seq_of(conn, &id)?)).await
    }

    /// Moves a quote to `next` if that is a legal move from where it stands in this very
    /// transaction, which also writes the audit row.
    ///
    /// # Errors
    /// `Missing` when there is none under this id.
    pub async fn move_quote(
        &self,
        id: String,
        next: Status,
        by: Mover,
        now: Time,
    ) -> Result<MoveResult> {
        self.write(move |conn| {
            let seq = seq_of(conn, &id)?;
            let present = find(conn, seq)?.status;
            if !present.may_move_to(next) {
                return Ok(MoveResult::Refused { present });
            }
            conn.prepare_cached(
                "UPDATE quotes SET status = ?2, updated_at = ?3 WHERE seq = ?1 AND status = ?4",
            )?
            .execute(params![seq, next.word(), now.to_string(), present.word()])?;
            record_move(conn, &id, (present, next), &by, now)?;
            search_index::index_again(conn, seq)?;
            Ok(MoveResult::Done(Box::new(find(conn, seq)?)))
        })
        .await
    }

    /// Stores sample quotes, each with its age and status, without notices, in place of the samples that are there.
    ///
    /// # Errors
    /// `Conflict` where the database holds quotes that are not samples.
    pub async fn seed_demo(&self, quotes: Vec<(NewQuote, Status, Time)>) -> Result<usize> {
        self.write(move |conn| {
            if conn.query_row("SELECT EXISTS (SELECT 1 FROM quotes WHERE demo = 0)", [], |row| row.get(0))? {
                return Err(Error::Conflict(
                    "this database holds real quotes; samples belong in a database of their own (--data DIR)"
                        .into(),
                ));
            }
            conn.execute_batch(
                "DELETE FROM quote_words WHERE rowid IN (SELECT seq FROM quotes WHERE demo = 1); DELETE FROM quotes WHERE demo = 1",
            )?;
            for (quote, status, at) in &quotes {
                insert(conn, quote, *status, true, *at)?;
            }
            Ok(quotes.len())
        })
        .await
    }
}

/// The quote's place in the queue: the first that is free in the millisecond in which it came, or in the next one. It sorts as `created_at` does, and then
/// by arrival. `newest` is the last place taken.
fn place(conn: &Connection, newest: Option<i64>, now: Time) -> rusqlite::Result<i64> {
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

/// Writes one quote's row; gives its id. Its search words follow a moment later (`search_index::catch_up`).
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
    let seq = place(conn, newest, now)?;
    let (id, at) = (ids::from_seq(seq).to_string(), now.to_string());
    conn.prepare_cached(
        "INSERT INTO quotes (seq, id, created_at, updated_at, first_name, last_name, email, phone, company, service_type, duration, start_date, location,
                             description, status, emergency_contact, attribution, demo)
         VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?
    .execute(params![
        seq,
        id,
        at,
        quote.first_name,
        quote.last_name,
        quote.email,
        quote.phone,
        quote.company,
        quote.service_type,
        quote.duration,
        quote.start_date,
        quote.location,
        quote.description,
        status.word(),
        quote.emergency_contact,
        quote.attribution.as_ref().map(row::text).transpose()?,
        demo
    ])?;
    if newest.is_some_and(|newest| newest > seq) {
        search_index::index_late(conn, seq)?;
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
    let detail = detail.map(|(key, status)| (key.to_owned(), status.word().into()));
    let entry = audit::Entry {
        action: "quote_moved",
        actor: &by.user_id,
        subject_id: Some(id),
        client: Some(&by.client),
        detail: &Metadata::from_iter(detail),
    };
    audit::record(conn, &entry, now)
}

fn find(conn: &Connection, seq: i64) -> Result<Quote> {
    Ok(conn
        .prepare_cached(concat!(
            "SELECT ",
            columns!(),
            " FROM quotes WHERE seq = ?1"
        ))?
        .query_row([seq], quote_of)?)
}

/// The place of the quote with this id: the one that the id tells, or the one that is noted of an id from before ids told places.
fn seq_of(conn: &Connection, id: &str) -> Result<i64> {
    Ok(conn
        .prepare_cached(
            "SELECT seq FROM quotes WHERE id = ?1 AND seq IN (?2, (SELECT seq FROM old_quote_ids WHERE id = ?1))",
        )?
        .query_row(params![id, ids::seq_of_id(id)], |row| row.get(0))?)
}

/// Reads the columns of `columns!`.
pub(super) fn quote_of(found: &Row<'_>) -> rusqlite::Result<Quote> {
    let status: String = found.get(13)?;
    Ok(Quote {
        id: found.get(0)?,
        created_at: found.get(1)?,
        updated_at: found.get(2)?,
        first_name: row::visible_text(found, 3)?,
        last_name: row::visible_text(found, 4)?,
        email: row::visible_text(found, 5)?,
        phone: row::visible_text(found, 6)?,
        company: row::optional_visible_text(found, 7)?,
        service_type: found.get(8)?,
        duration: found.get(9)?,
        start_date: found.get(10)?,
        location: row::visible_text(found, 11)?,
        description: row::optional_visible_text(found, 12)?,
        status: Status::parse(&status).unwrap_or(Status::Pending),
        emergency_contact: found.get(14)?,
        attribution: row::attribution(found, 15)?,
    })
}
