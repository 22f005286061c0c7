//! Quotes: stored with their notice, read one by one, and moved through their states. The list is
//! in `lists::quote_list`.

use parking_lot::Mutex;
use rusqlite::Connection;

use super::spam::spam_hold;
use super::spam::spam_hold::Judged;
use crate::accounts::actor::Actor;
use crate::database::row;
use crate::inbox::submissions::{Submission, Submitted, insert_once};
use crate::on_call::alarms;
use crate::request::requests;
use crate::request::requests::{NewIds, new_ids};
use crate::request::writes::move_to;
use crate::search::index;
use crate::{Result, Store, outbox};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::figures::source::Origin;
use domain::offer::place::Place;
use domain::phone;
use domain::request::RequestKind;
use domain::request::event::Moved;
use domain::request::quote::{NewQuote, Quote, Status};
use domain::spam::recent_texts::RecentTexts;

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

impl Store {
    /// Stores a quote with the notice to the staff, unless it is a duplicate or over the rate
    /// limit.
    ///
    /// # Errors
    /// `Busy`, `Full`, or the error of the database; nothing is stored then.
    pub fn submit_quote(
        &self,
        quote: NewQuote,
        submission: Submission,
        now: Time,
    ) -> impl Future<Output = Result<Submitted>> {
        let texts = self.recent_texts.clone();
        self.write(move |conn| submit(conn, &texts, &quote, &submission, now))
    }

    /// One quote.
    ///
    /// # Errors
    /// `Missing` for an unknown id.
    pub async fn quote(&self, id: String) -> Result<Quote> {
        self.read(move |conn| Ok(requests::by_id(conn, RequestKind::Quote, &id)?.into()))
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
        by: Actor,
        now: Time,
    ) -> Result<MoveResult> {
        self.write(move |conn| {
            let quote = requests::by_id(conn, RequestKind::Quote, &id)?;
            let present = quote.status;
            if quote.merged_into.is_some() || !present.can_transition_to(next) {
                return Ok(MoveResult::Refused { present });
            }
            move_to(conn, &quote, Moved::plain(quote.status, next), by.at(now))?;
            index::reindex(conn, quote.seq)?;
            let quote = requests::by_seq(conn, quote.seq)?;
            Ok(MoveResult::Done(Box::new(quote.into())))
        })
        .await
    }
}

fn submit(
    conn: &Connection,
    texts: &Mutex<RecentTexts>,
    quote: &NewQuote,
    submission: &Submission,
    now: Time,
) -> Result<Submitted> {
    insert_once(conn, texts, "quote", submission, now, |conn, judged| {
        let ids = insert(conn, quote, Status::Pending, false, &judged, now)?;
        match judged.is_held {
            true => spam_hold::hold(conn, RequestKind::Quote, ids.seq, &judged.reasons, now)?,
            false => {
                let notice = Notice::quote(ids.id.clone(), quote.emergency_contact);
                outbox::enqueue(conn, &notice, now)?;
                if quote.emergency_contact {
                    alarms::raise_emergency(conn, ids.seq, judged.is_suspect, now)?;
                }
            }
        }
        Ok((ids.id, ids.reference))
    })
}

/// Inserts one quote; `demo` for a sample. It is indexed a moment later
/// (`search::index::index_pending`).
pub(crate) fn insert(
    conn: &Connection,
    quote: &NewQuote,
    status: Status,
    demo: bool,
    judged: &Judged,
    now: Time,
) -> Result<NewIds> {
    let ids = new_ids(conn, now)?;
    let at = now.to_string();
    let origin = Origin::of(quote.attribution.as_ref());
    row::insert_row!(conn, "requests", {
        seq: ids.seq,
        kind: "quote",
        id: ids.id,
        ordinal: ids.ordinal,
        reference: ids.reference,
        created_at: at,
        updated_at: at,
        status: status.as_str(),
        demo: demo,
        first_name: quote.first_name,
        last_name: quote.last_name,
        email: quote.email,
        phone: quote.phone,
        company: quote.company,
        service: quote.service_type,
        duration: quote.duration,
        start_date: quote.start_date,
        location: quote.location,
        state: Place::of_location(&quote.location).state,
        number: phone::e164(&quote.phone),
        description: quote.description,
        extra_fields: row::extra_fields(&quote.extra_fields)?,
        emergency_contact: quote.emergency_contact,
        attribution: quote.attribution.as_ref().map(row::text).transpose()?,
        origin_source: origin.source.as_str(),
        origin_campaign: origin.campaign,
        origin_entry_page: origin.entry_page,
        signals: judged.signals()?,
    })?;
    if ids.is_out_of_order {
        index::index_out_of_order(conn, ids.seq)?;
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::connection::Checkpoints;
    use crate::database::{connection, schema};
    use crate::lists::quote_list::QuoteQuery;
    use crate::request::waits;
    use domain::form::Forms;

    #[test]
    fn the_quotes_of_different_customers_write_at_most_nine_pages_each() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("guardpost.db");
        let mut conn = connection::open(&file, Checkpoints::Replicator).unwrap();
        schema::apply(&mut conn, waits::recompute_all).unwrap();
        let forms = Forms::bundled().unwrap();
        let log = || connection::log_file(&file).metadata().unwrap().len();
        let (mut before, texts) = (0, Mutex::default());
        for n in 0..600_u64 {
            if n == 400 {
                before = log();
            }
            // As random as customers are.
            let random = n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string();
            let (email, phone) = (
                format!("m{random}@site.example"),
                format!("713-555-{:04}", n * 7919 % 10_000),
            );
            let value = |key: &str| match key {
                "first_name" => Some("Maria"),
                "last_name" => Some("Alvarez"),
                "email" => Some(email.as_str()),
                "phone" => Some(phone.as_str()),
                "company" => Some("Sortable Lofts"),
                "service_type" => Some("fire-watch"),
                "start_date" => Some("2099-12-01"),
                "duration" => Some("1-week"),
                "location" => Some("2100 Main Street, Houston, TX 77002"),
                "description" => Some("The panel failed, two guards for three floors at night."),
                _ => None,
            };
            let quote = NewQuote::parse(&forms.quote, value, None, "").unwrap();
            let submission = Submission {
                spam: Default::default(),
                client: random.repeat(2),
                site: None,
                key: Some(random.repeat(2)),
                fingerprint: random.repeat(3),
                max: 3,
                window_ms: 300_000,
            };
            let now = Time::from_millis(1_800_000_000_000 + 60_000 * n.cast_signed());
            conn.execute_batch("BEGIN IMMEDIATE").unwrap();
            submit(&conn, &texts, &quote, &submission, now).unwrap();
            conn.execute_batch("COMMIT").unwrap();
        }
        // A frame of the WAL is a page of 4,096 bytes and a head of 24.
        let pages = (log() - before) as f64 / 4120.0 / 200.0;
        assert!(pages <= 9.0, "{pages} pages");
    }

    #[tokio::test]
    async fn a_form_field_without_a_column_is_stored_found_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let value = |key: &str| match key {
            "first_name" | "last_name" => Some("Ana"),
            "email" => Some("ana@dock.example"),
            "phone" => Some("713-555-0177"),
            "service_type" => Some("fire-watch"),
            "start_date" => Some("2026-12-01"),
            "duration" => Some("1-week"),
            "location" => Some("Houston"),
            _ => None,
        };
        let forms = Forms::bundled().unwrap();
        let mut quote = NewQuote::parse(&forms.quote, value, None, "").unwrap();
        assert!(quote.extra_fields.is_empty());
        quote.extra_fields.insert("gate".into(), "North".into());
        let submission = Submission {
            spam: Default::default(),
            client: "client".into(),
            site: None,
            key: None,
            fingerprint: "print".into(),
            max: 3,
            window_ms: 1000,
        };
        let now = Time::from_millis(1_800_000_000_000);
        let stored = store.submit_quote(quote, submission, now).await.unwrap();
        assert!(matches!(stored, Submitted::Stored(_)));
        let query = QuoteQuery {
            search: "north".into(),
            limit: 1,
            ..QuoteQuery::default()
        };
        let page = store.quotes(query).await.unwrap();
        let reference = page.quotes[0].reference.clone();
        let found = store.request(reference).await.unwrap();
        assert_eq!(found.extra_fields["gate"], "North");
    }
}
