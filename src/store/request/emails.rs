//! The emails of requests in their history: each has an event, whose detail has its outcome
//! (`state`: `queued`, `delivered` or `failed`; `at`; `error`). `outbox::delivery` and
//! `outbox::retry` call this module.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::json;

use super::{events, waits};
use crate::request::announcements::announce;
use crate::{Result, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::Request;
use domain::request::event::{Delivery, EmailState, Emailed, Event};

/// The events of other alarms, or of other requests, that the email or message with this event
/// names: they have its outcome.
macro_rules! named_with {
    () => {
        "(SELECT other.event FROM alarm_messages AS message
          JOIN alarm_messages AS other ON other.named_by = message.id
          WHERE message.event = ?1
          UNION ALL SELECT other.id FROM events AS first
          JOIN outbox ON outbox.id = first.detail ->> 'email_id' AND outbox.kind = 'acknowledgement'
          JOIN json_each(outbox.notice, '$.also') AS also
          JOIN requests ON requests.id = also.value
          JOIN events AS other ON other.seq = requests.seq
            AND other.detail ->> 'email_id' = outbox.id
          WHERE first.id = ?1)"
    };
}

/// Records a queued email; returns the event's id.
pub(crate) fn record(
    conn: &Connection,
    request: &Request,
    notice: &Notice,
    email_id: i64,
    now: Time,
) -> Result<i64> {
    let event = Event::Emailed(Emailed {
        kind: notice.kind().to_owned(),
        to: notice.recipient().unwrap_or(&request.email).to_owned(),
        delivery: Delivery::queued(email_id),
    });
    events::add(conn, request, None, &event, now)
}

/// Records that an email was accepted by the mail server. A reply answers its request, unless the
/// customer wants a call, and the messages that came before it was written.
pub(crate) fn delivered(conn: &Connection, event: Option<i64>, now: Time) -> Result<()> {
    let Some(event) = event else {
        return Ok(());
    };
    conn.prepare_cached(concat!(
        "UPDATE events SET detail = json_set(detail, '$.state', 'delivered', '$.at', ?2,
               '$.error', NULL) WHERE id = ?1 OR id IN ",
        named_with!()
    ))?
    .execute(params![event, now.to_string()])?;
    let Some(seq) = request_of_reply(conn, event)? else {
        return Ok(());
    };
    waits::recompute(conn, seq)?;
    announce_offer(conn, event, seq, now)
}

/// Notifies other systems of an offer whose email has left.
fn announce_offer(conn: &Connection, event: i64, seq: i64, now: Time) -> Result<()> {
    let offer = "SELECT detail ->> 'number', detail ->> 'version' FROM events
        WHERE id = ?1 AND verb = 'offer_sent'";
    let mut find = conn.prepare_cached(offer)?;
    let offer = find.query_row([event], |row| {
        Ok(json!({ "number": row.get::<_, String>(0)?, "version": row.get::<_, i64>(1)? }))
    });
    if let Some(offer) = offer.optional()? {
        let detail = json!({ "offer": offer });
        announce(conn, "offer.sent", Some(seq), Some(&detail), now)?;
    }
    Ok(())
}

/// Records that an email waits for another attempt, or has failed. A request with a failed reply
/// needs attention.
pub(crate) fn set_state(
    conn: &Connection,
    event: Option<i64>,
    state: EmailState,
    error: Option<&str>,
) -> Result<()> {
    let Some(event) = event else {
        return Ok(());
    };
    conn.prepare_cached(concat!(
        "UPDATE events SET detail = json_set(detail, '$.state', ?2, '$.error', ?3)
             WHERE id = ?1 OR id IN ",
        named_with!()
    ))?
    .execute(params![event, state.as_str(), error])?;
    match request_of_reply(conn, event)? {
        Some(seq) if state == EmailState::Failed => missed(conn, event, seq),
        Some(seq) => waits::recompute(conn, seq),
        None => Ok(()),
    }
}

/// Records that the customer of a request did not get the email with this event, which has failed:
/// `failed_after` is the last event before that.
pub(crate) fn missed(conn: &Connection, event: i64, seq: i64) -> Result<()> {
    let sql = "UPDATE events SET detail = json_set(detail, '$.failed_after',
        (SELECT max(id) FROM events)) WHERE id = ?1";
    query::execute(conn, sql, [event])?;
    waits::recompute(conn, seq)
}

/// The `seq` of the request of an event; `None` unless the event is a reply or an offer.
fn request_of_reply(conn: &Connection, event: i64) -> Result<Option<i64>> {
    let sql = "SELECT seq FROM events WHERE id = ?1 AND verb IN ('replied', 'offer_sent')";
    query::optional(conn, sql, [event], |row| row.get(0))
}
