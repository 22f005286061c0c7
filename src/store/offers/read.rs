//! Reads offers, the bytes of their versions, and acceptances.

use rusqlite::{Connection, Row, params};

use super::offer::{Offer, SentVersion, VersionId};
use crate::database::row::read_row;
use crate::request::earlier_emails;
use crate::request::{acceptances, events, requests};
use crate::{Error, Result, Store, existing, query};
use domain::email::message_id::EmailId;
use domain::offer::document::{Digests, Stored, StoredAcceptance};
use domain::offer::state::OfferState;
use domain::request::Request;
use domain::request::history::HistoryEvent;

impl Store {
    /// What the customer of a request has written.
    pub async fn words_of_request(&self, request: Request) -> Result<String> {
        self.read(move |conn| words(conn, &request)).await
    }

    /// An offer with its versions. Errors: `Missing` for an unknown number.
    pub async fn offer(&self, number: String) -> Result<Offer> {
        self.read(move |conn| offer(conn, &number)).await
    }

    /// The bytes of a version. Errors: `Missing` if there is none.
    pub async fn offer_version(&self, number: String, version: u32) -> Result<Stored> {
        self.read(move |conn| stored_version(conn, &number, version))
            .await
    }

    /// An event of the history of a request. Errors: `Missing` if there is none.
    pub async fn event(&self, id: i64) -> Result<HistoryEvent> {
        self.read(move |conn| events::by_id(conn, id)).await
    }

    /// The emails of the conversation before that of an event, oldest first. Errors: `Missing` if
    /// there is no such event.
    pub async fn emails_before(&self, event: i64) -> Result<Vec<EmailId>> {
        self.read(move |conn| {
            let seq = events::by_id(conn, event)?.seq;
            earlier_emails::before(conn, seq, event)
        })
        .await
    }

    /// The versions of which a file with this digest, SHA-256 in lower-case hexadecimal digits, is
    /// a part, or that were accepted with that part.
    pub async fn offers_with_digest(&self, digest: String) -> Result<Vec<Stored>> {
        self.read(move |conn| {
            let sql = "SELECT number, version FROM offer_versions
                  WHERE json_digest = ?1 OR text_digest = ?1 OR pdf_digest = ?1
                UNION SELECT number, version FROM offer_acceptances
                  WHERE digest = ?1 OR receipt_digest = ?1 OR instr(CAST(record AS TEXT), ?1)";
            let found: Vec<VersionId> = query::all(conn, sql, [digest], version_id)?;
            let read = |id: &VersionId| stored_version(conn, &id.number, id.version);
            found.iter().map(read).collect()
        })
        .await
    }

    /// Every version that was sent, in the order of the numbers.
    pub async fn sent_versions(&self) -> Result<Vec<VersionId>> {
        self.read(|conn| {
            let sql = "SELECT number, version FROM offer_versions ORDER BY 1, 2";
            query::all(conn, sql, [], version_id)
        })
        .await
    }
}

/// Reads a row of number and version.
pub(super) fn version_id(found: &Row<'_>) -> rusqlite::Result<VersionId> {
    read_row!(found => VersionId { number, version })
}

const COLUMNS: &str = "number, seq, version, draft, revision, created_at, updated_at";

pub(super) fn offer(conn: &Connection, number: &str) -> Result<Offer> {
    let sql = format!("SELECT {COLUMNS} FROM offers WHERE number = ?1");
    let found = query::optional(conn, &sql, [number], read_offer)?;
    complete(conn, found.ok_or(Error::Missing)?)
}

/// The offers that a condition on `offers` selects, in the order that it says.
pub(super) fn offers(
    conn: &Connection,
    condition: &str,
    values: impl rusqlite::Params,
) -> Result<Vec<Offer>> {
    let sql = format!("SELECT {COLUMNS} FROM offers WHERE {condition}");
    let found: Vec<Offer> = query::all(conn, &sql, values, read_offer)?;
    found
        .into_iter()
        .map(|found| complete(conn, found))
        .collect()
}

/// The offers of a request of which a version was sent, oldest first.
pub(crate) fn sent_for(conn: &Connection, seq: i64) -> Result<Vec<Offer>> {
    offers(
        conn,
        "seq = ?1 AND version > 0 ORDER BY created_at, number",
        [seq],
    )
}

fn read_offer(found: &Row<'_>) -> rusqlite::Result<Offer> {
    read_row!(found => Offer {
        number, seq, version, draft, revision, created_at, updated_at;
        sent: Vec::new(),
        request: None,
        is_unconfirmed: false,
        words: String::new(),
    })
}

/// Adds the versions and the request.
fn complete(conn: &Connection, offer: Offer) -> Result<Offer> {
    let sql = "SELECT version, state, recipient, total_cents, is_weekly, valid_until, expires_at,
          sent_at, sent_by, event, opened_at, answered_at, answered_by, reason
        FROM offer_states WHERE number = ?1 ORDER BY version DESC";
    let sent: Vec<SentVersion> = query::all(conn, sql, [&offer.number], read_version)?;
    let request = existing(requests::by_seq(conn, offer.seq))?;
    let is_accepted = |last: &SentVersion| last.state == OfferState::Accepted;
    let is_accepted = sent.first().is_some_and(is_accepted);
    Ok(Offer {
        is_unconfirmed: is_accepted && acceptances::is_unconfirmed(conn, offer.seq, &offer.number)?,
        words: match &request {
            Some(request) => words(conn, request)?,
            None => String::new(),
        },
        sent,
        request,
        ..offer
    })
}

/// What the customer of a request has written: its description, and later messages.
fn words(conn: &Connection, request: &Request) -> Result<String> {
    let sql = "SELECT coalesce(detail ->> 'text', '') FROM events
        WHERE seq = ?1 AND verb = 'wrote' ORDER BY id";
    let written: Vec<String> = query::all(conn, sql, [request.seq], |row| row.get(0))?;
    let described = request.description.clone().unwrap_or_default();
    Ok([vec![described], written].concat().join("\n\n"))
}

fn read_version(found: &Row<'_>) -> rusqlite::Result<SentVersion> {
    read_row!(found => SentVersion {
        version, state, recipient, total_cents, is_weekly, valid_until, expires_at, sent_at,
        sent_by, event, opened_at, answered_at, answered_by, reason,
    })
}

pub(super) fn stored_version(conn: &Connection, number: &str, version: u32) -> Result<Stored> {
    let sql = "SELECT json, text, pdf, json_digest, text_digest, pdf_digest FROM offer_versions
        WHERE number = ?1 AND version = ?2";
    let found = query::optional(conn, sql, params![number, version], |found| {
        read_row!(found => Stored {
            json, text, pdf;
            number: number.to_owned(),
            version,
            digests: read_row!(found => Digests {
                json: "json_digest", text: "text_digest", pdf: "pdf_digest",
            })?,
            acceptance: None,
        })
    })?;
    Ok(Stored {
        acceptance: acceptance(conn, number, version)?,
        ..found.ok_or(Error::Missing)?
    })
}

fn acceptance(conn: &Connection, number: &str, version: u32) -> Result<Option<StoredAcceptance>> {
    let sql = "SELECT record, digest, seal, receipt, receipt_digest,
          (SELECT digest FROM offer_acceptances AS before
           WHERE before.id < offer_acceptances.id ORDER BY before.id DESC LIMIT 1) AS previous
        FROM offer_acceptances WHERE number = ?1 AND version = ?2";
    query::optional(conn, sql, params![number, version], |found| {
        read_row!(found => StoredAcceptance {
            record, digest, seal, receipt, receipt_digest, previous,
        })
    })
}
