//! The request to which an email belongs: by the signed address, then by the emails that it
//! answers. The subject decides nothing.

use rusqlite::Connection;

use crate::database::row::read_row;
use crate::request::requests;
use crate::{Result, existing, query};
use domain::email::message_id::EmailId;
use domain::email::received_email::ReceivedEmail;
use domain::request::Request;

/// The requests of an email: all that it was sent to, or else the one of an email that it answers.
pub(super) fn requests_of(conn: &Connection, email: &ReceivedEmail) -> Result<Vec<Request>> {
    let mut found: Vec<Request> = Vec::new();
    for reference in &email.addressed {
        if let Some(request) = existing(requests::find(conn, reference))?
            && !found.iter().any(|other| other.seq == request.seq)
        {
            found.push(request);
        }
    }
    if found.is_empty() {
        found.extend(answered(conn, email)?);
    }
    Ok(found)
}

/// The request of the newest email that this one answers.
fn answered(conn: &Connection, email: &ReceivedEmail) -> Result<Option<Request>> {
    for id in &email.ancestors {
        if let Some(seq) = seq_of_email(conn, id)?
            && let Some(request) = existing(shown_in(conn, seq))?
        {
            return Ok(Some(request));
        }
    }
    Ok(None)
}

/// The request at `seq`, or the one in which it is shown.
pub(crate) fn shown_in(conn: &Connection, seq: i64) -> Result<Request> {
    let mut found = requests::by_seq(conn, seq)?;
    while let Some(seq) = found.merged_into {
        found = requests::by_seq(conn, seq)?;
    }
    Ok(found)
}

/// The `seq` of the request of an email that we sent or received.
fn seq_of_email(conn: &Connection, id: &EmailId) -> Result<Option<i64>> {
    let message_id = match id {
        EmailId::Ours(number) => return Ok(sent(conn, *number)?.map(|sent| sent.seq)),
        EmailId::Other(message_id) => message_id,
    };
    let sql = "SELECT seq FROM received_emails WHERE message_id = ?1 AND state = 'attached'
        ORDER BY received_at LIMIT 1";
    let seq = query::optional(conn, sql, [message_id], |row| row.get::<_, Option<i64>>(0))?;
    Ok(seq.flatten())
}

/// An email of ours.
pub(super) struct SentEmail {
    pub event: i64,
    /// Of its request.
    pub seq: i64,
}

/// An email of ours, by its number.
pub(super) fn sent(conn: &Connection, number: i64) -> Result<Option<SentEmail>> {
    let sql = "SELECT id, seq FROM events
        WHERE verb IN ('replied', 'emailed', 'offer_sent') AND detail ->> 'email_id' = ?1";
    let read = read_row!(SentEmail => event: "id", seq);
    query::optional(conn, sql, [number], read)
}

/// Whether the address is the customer's, or that of a duplicate that is shown in the request.
pub(super) fn is_customer(conn: &Connection, request: &Request, address: &str) -> Result<bool> {
    let is_same = |known: &str| !known.is_empty() && known.eq_ignore_ascii_case(address);
    if is_same(&request.email) {
        return Ok(true);
    }
    let duplicates = requests::duplicates(conn, request.seq)?;
    Ok(duplicates.iter().any(|duplicate| is_same(&duplicate.email)))
}
