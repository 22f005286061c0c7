//! Emails that came back: their state becomes failed, with the words of the mail server, and the
//! request of a customer who was not reached needs attention.

use rusqlite::{Connection, params};

use super::matching;
use super::matching::SentEmail;
use crate::database::row::read_row;
use crate::request::{emails, events, requests};
use crate::{Result, existing, query};
use domain::clock::Time;
use domain::email::received_email::{DeliveryReport, FailedRecipient};
use domain::request::Request;
use domain::request::event::{Bounced, EmailState, Event, Verb};
use domain::request::history::HistoryEvent;

/// A recorded report.
pub(super) struct Bounce {
    /// The request that shows it.
    pub request: Request,
    pub event: i64,
}

/// Records the report of an email of ours. `None` if it is of no email that is known here: a forged
/// report names the recipient or the signed address of none.
pub(super) fn record(
    conn: &Connection,
    report: &DeliveryReport,
    received: &str,
    now: Time,
) -> Result<Option<Bounce>> {
    let sent = match report.original {
        Some(number) => matching::sent(conn, number)?,
        None => last_sent(conn, report)?,
    };
    let Some(SentEmail { event, seq }) = sent else {
        return Ok(None);
    };
    let (sent, own) = (events::by_id(conn, event)?, requests::by_seq(conn, seq)?);
    let Some(failure) = failure_of(&sent, report, &own) else {
        return Ok(None);
    };
    let request = matching::shown_in(conn, seq)?;
    let reason = failure.reason.as_str();
    let sql = "UPDATE outbox SET state = 'failed', last_error = ?2, lease = NULL
        WHERE event = ?1 AND state = 'sent'";
    query::execute(conn, sql, params![event, reason])?;
    emails::set_state(conn, Some(event), EmailState::Failed, Some(reason))?;
    mark(conn, event)?;
    // A reply goes to the address at which the customer asks for it.
    let to = sent.event.recipient().unwrap_or_default();
    let is_reply = sent.event.verb() == Verb::Replied;
    let is_customers = is_reply || to.eq_ignore_ascii_case(&own.email);
    if is_customers {
        emails::missed(conn, event, own.seq)?;
    }
    let bounced = Event::Bounced(Bounced {
        to: failure.address.clone(),
        error: reason.to_owned(),
        event,
        email: received.to_owned(),
    });
    let event = events::add(conn, &request, None, &bounced, now)?;
    Ok(Some(Bounce { request, event }))
}

/// The last email of the request that a report names by no more than its signed address, to a
/// recipient that it names.
fn last_sent(conn: &Connection, report: &DeliveryReport) -> Result<Option<SentEmail>> {
    let Some(reference) = &report.reference else {
        return Ok(None);
    };
    let Some(request) = existing(requests::find(conn, reference))? else {
        return Ok(None);
    };
    let sql = "SELECT id, seq FROM events WHERE seq = ?1 AND detail ->> 'email_id' IS NOT NULL
          AND verb IN ('replied', 'emailed', 'offer_sent')
          AND detail ->> 'to' = ?2 COLLATE NOCASE
        ORDER BY id DESC LIMIT 1";
    let last = |failure: &FailedRecipient| {
        let read = read_row!(SentEmail => event: "id", seq);
        query::optional(conn, sql, params![request.seq, failure.address], read).transpose()
    };
    report.failures.iter().find_map(last).transpose()
}

fn mark(conn: &Connection, event: i64) -> Result<()> {
    let sql = "UPDATE events SET detail = json_set(detail, '$.bounced', 1) WHERE id = ?1";
    query::run(conn, sql, [event])
}

/// The failure of the email `sent`: its recipient's, or the first one if the email that came back
/// has the signed address of the request.
fn failure_of<'a>(
    sent: &HistoryEvent,
    report: &'a DeliveryReport,
    request: &Request,
) -> Option<&'a FailedRecipient> {
    let to = sent.event.recipient().unwrap_or_default();
    let is_recipient = |failure: &&FailedRecipient| failure.address.eq_ignore_ascii_case(to);
    let is_signed = report.reference.as_deref() == Some(&request.reference);
    let first = report.failures.first().filter(|_| is_signed);
    report.failures.iter().find(is_recipient).or(first)
}
