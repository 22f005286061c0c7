//! Acceptances of offers: one for each offer, chained and sealed.

use rusqlite::{Connection, params};

use super::answers::{self, Answered};
use super::offer::{SentVersion, VersionId};
use super::{codes, confirm, read, send};
use crate::accounts::actor::Actor;
use crate::database::row;
use crate::{Error, Result, Store, outbox, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::email::offer_notice::{OfferEmail, OfferNotice};
use domain::offer::document::{self, Acceptance, Digests, Document, Receipt, SealKey, Stored};
use domain::offer::state::OfferState;
use domain::request::Request;
use domain::request::event::OfferAccepted;

/// Who accepts an offer.
#[derive(Clone, Debug)]
pub enum Acceptor {
    /// The customer, on the page of the offer.
    Customer {
        name: String,
        /// May be empty.
        title: String,
        email: String,
        client: String,
        user_agent: String,
        /// The stored form of the code that was typed.
        code: Option<String>,
    },
    /// The office, which enters what the customer has said.
    Office {
        by: Actor,
        /// The name of the customer who has accepted.
        name: String,
        note: String,
    },
}

/// An acceptance of a version.
#[derive(Clone, Debug)]
pub struct NewAcceptance {
    pub id: VersionId,
    pub acceptor: Acceptor,
}

/// The outcome of an acceptance.
#[derive(Clone, Debug)]
pub enum AcceptOutcome {
    Accepted,
    /// The same person had accepted this version before.
    Again,
    /// It was answered, or is no longer open.
    Closed(Box<SentVersion>),
    /// The address is not the recipient's, and no code was typed.
    NeedsCode,
    /// The code is wrong or too old.
    WrongCode,
}

impl Store {
    /// Accepts a version that waits for an answer, and seals the record with `key`. Errors:
    /// `Missing` for an unknown version or if its request was deleted.
    pub async fn accept_offer(
        &self,
        new: NewAcceptance,
        key: SealKey,
        now: Time,
    ) -> Result<AcceptOutcome> {
        self.write(move |conn| accept(conn, &new, &key, now)).await
    }
}

fn accept(
    conn: &Connection,
    new: &NewAcceptance,
    key: &SealKey,
    now: Time,
) -> Result<AcceptOutcome> {
    let offer = read::offer(conn, &new.id.number)?;
    let version = offer.sent(new.id.version).ok_or(Error::Missing)?;
    if version.state_at(now) != OfferState::Sent {
        return Ok(match is_same(conn, new)? {
            true => AcceptOutcome::Again,
            false => AcceptOutcome::Closed(Box::new(version.clone())),
        });
    }
    let request = offer.request.as_ref().ok_or(Error::Missing)?;
    if let Acceptor::Customer { email, code, .. } = &new.acceptor
        && !email.eq_ignore_ascii_case(&version.recipient)
    {
        let Some(code) = code else {
            return Ok(AcceptOutcome::NeedsCode);
        };
        if !codes::take(conn, &new.id.number, email, code, now)? {
            return Ok(AcceptOutcome::WrongCode);
        }
    }
    let sealed = record(conn, new, version, key, now)?;
    tell(conn, request, new, version, &sealed, now)?;
    Ok(AcceptOutcome::Accepted)
}

/// Whether the stored acceptance of this version is by the same person.
fn is_same(conn: &Connection, new: &NewAcceptance) -> Result<bool> {
    let Acceptor::Customer { name, email, .. } = &new.acceptor else {
        return Ok(false);
    };
    let stored = "SELECT 1 FROM offer_acceptances WHERE number = ?1 AND version = ?2
        AND CAST(record AS TEXT) ->> 'name' = ?3
        AND CAST(record AS TEXT) ->> 'email' = ?4 COLLATE NOCASE";
    let values = params![new.id.number, new.id.version, name, email];
    query::exists(conn, stored, values)
}

/// Inserts the sealed record with its receipt.
fn record(
    conn: &Connection,
    new: &NewAcceptance,
    version: &SentVersion,
    key: &SealKey,
    now: Time,
) -> Result<Receipt> {
    let bytes = read::stored_version(conn, &new.id.number, new.id.version)?;
    let document = document::from_json(&bytes.json).map_err(|_| Error::Failed)?;
    let acceptance = acceptance(conn, new, version, &document, &bytes, now)?;
    let sealed = acceptance.sealed(key).map_err(|_| Error::Failed)?;
    let receipt = document::receipt_pdf(&document, &sealed).map_err(|error| {
        tracing::error!(%error, "the receipt of an offer cannot be made");
        Error::Failed
    })?;
    row::insert_row!(conn, "offer_acceptances", {
        number: new.id.number, version: new.id.version,
        record: sealed.acceptance.to_json().map_err(|_| Error::Failed)?, digest: sealed.digest,
        seal: sealed.seal, receipt: receipt, receipt_digest: document::digest(&receipt),
    })?;
    Ok(sealed)
}

/// What is sealed. The office gives no consent, and names who entered it and why.
fn acceptance(
    conn: &Connection,
    new: &NewAcceptance,
    version: &SentVersion,
    document: &Document,
    bytes: &Stored,
    now: Time,
) -> Result<Acceptance> {
    let last = "SELECT digest FROM offer_acceptances ORDER BY id DESC LIMIT 1";
    let last: Option<String> = query::optional(conn, last, [], |row| row.get(0))?;
    let VersionId {
        number,
        version: of,
    } = new.id.clone();
    let digests = Digests {
        json: document::digest(&bytes.json),
        text: document::digest(&bytes.text),
        pdf: document::digest(&bytes.pdf),
    };
    let (accepted_at, previous) = (now.to_string(), last.unwrap_or_default());
    Ok(match new.acceptor.clone() {
        Acceptor::Customer {
            name,
            title,
            email,
            client,
            user_agent,
            ..
        } => Acceptance {
            number,
            version: of,
            digests,
            consent: document.consent.text.clone(),
            name,
            title,
            email,
            accepted_at,
            client,
            user_agent,
            entered_by: None,
            note: None,
            previous,
        },
        Acceptor::Office { by, name, note } => Acceptance {
            number,
            version: of,
            digests,
            consent: String::new(),
            name,
            title: String::new(),
            email: version.recipient.clone(),
            accepted_at,
            client: String::new(),
            user_agent: String::new(),
            entered_by: Some(answers::person(conn, &by.user_id)?),
            note: Some(note),
            previous,
        },
    })
}

/// Sets and records the state, and notifies the office, the customer and other systems.
fn tell(
    conn: &Connection,
    request: &Request,
    new: &NewAcceptance,
    version: &SentVersion,
    sealed: &Receipt,
    now: Time,
) -> Result<()> {
    let acceptance = &sealed.acceptance;
    let answered = Answered {
        id: new.id.clone(),
        state: OfferState::Accepted,
        by: acceptance
            .entered_by
            .clone()
            .unwrap_or(acceptance.name.clone()),
        reason: acceptance.note.clone(),
    };
    let accepted = OfferAccepted {
        number: new.id.number.clone(),
        version: new.id.version,
        reason: acceptance.note.clone(),
        name: acceptance.name.clone(),
        title: acceptance.title.clone(),
        email: acceptance.email.clone(),
        digest: sealed.digest.clone(),
        total_cents: version.total_cents,
        is_weekly: version.is_weekly,
        ..OfferAccepted::default()
    };
    let actor = match &new.acceptor {
        Acceptor::Office { by, .. } => Some(by.user_id.as_str()),
        Acceptor::Customer { .. } => None,
    };
    answers::close(conn, request, &answered, Some(accepted), actor, now)?;
    confirm::announce(conn, request, &new.id.number, actor.is_none(), now)?;
    let receipt = OfferNotice {
        email: OfferEmail::Receipt,
        to: Some(acceptance.email.clone()),
        ..OfferNotice::new(&request.id, &new.id.number, new.id.version)
    };
    outbox::enqueue(conn, &Notice::Offer(receipt), now)?;
    send::touch(conn, &new.id.number, now)
}
