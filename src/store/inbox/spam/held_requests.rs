//! Requests held as spam: marked by an admin, released and discarded. `spam_hold` decides which are
//! held when they are received, `purge` deletes them.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::accounts::actor::Actor;
use crate::accounts::audit;
use crate::database::row;
use crate::inbox::changes::{ChangedRequest, changed};
use crate::on_call::acknowledge::raise_again;
use crate::request::events;
use crate::request::requests;
use crate::search::index;
use crate::{Error, Result, Store, outbox};
use domain::account::Metadata;
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::event::{EMAIL_DELAY_MS, Event};
use domain::request::quote::Status;
use domain::request::{HeldReason, Request, RequestKind};

/// The signal of a request that an admin has marked as spam.
const MARKED: &str = "marked";

impl Store {
    /// Holds a request as spam. Its emails have been sent or will be. Errors: `Missing` for an
    /// unknown id or reference; `Conflict` if it is held already.
    pub async fn mark_spam(
        &self,
        id_or_reference: String,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let request = requests::find(conn, &id_or_reference)?;
            if request.held.is_some() {
                let detail = format!("{} is held as spam already.", request.reference);
                return Err(Error::Conflict(detail));
            }
            let mut reasons = request.signals.clone().unwrap_or_default();
            reasons.push(HeldReason {
                signal: MARKED.to_owned(),
                points: 0,
                detail: "Marked as spam by the office".to_owned(),
            });
            let at = Some(now);
            let held = Some(&*reasons);
            write_held(conn, &request, Signals { held, seen: None }, at)?;
            set(conn, &request, request.status, now)?;
            let detail = json!({ "status": request.status, "signals": request.signals });
            let event = record(conn, &request, "marked_spam", &detail, &by, now)?;
            changed(conn, request.seq, Some(event))
        })
        .await
    }

    /// Releases a held request: it joins the others with its time of receipt, and its emails are
    /// sent after `EMAIL_DELAY_MS`. One that was marked by an admin has sent them, and is in its
    /// status from before. A discarded one can be released too. Errors: `Missing` for an
    /// unknown id or reference; `Conflict` if it is not held.
    pub async fn release(
        &self,
        id_or_reference: String,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let request = held(conn, &id_or_reference)?;
            let held = request.held.as_deref().unwrap_or_default();
            let mark = last_mark(conn, request.seq, held)?;
            let signals = match &mark {
                Some(mark) => signals_before(mark),
                None => request.held.clone(),
            };
            write_held(conn, &request, Signals::seen(signals.as_deref()), None)?;
            let status = mark.as_ref().map_or(Status::Pending, status_before);
            set(conn, &request, status, now)?;
            let email_id = match &mark {
                Some(_) => None,
                None => Some(outbox::next_id(conn, now)?),
            };
            let detail = json!({
                "held": request.held,
                "status": request.status,
                "email_id": email_id,
            });
            let event = record(conn, &request, "released", &detail, &by, now)?;
            raise_again(conn, &request, now)?;
            if let Some(email_id) = email_id {
                let due = now.plus_millis(EMAIL_DELAY_MS);
                outbox::insert(conn, email_id, &notice(&request), now, due, None)?;
            }
            changed(conn, request.seq, Some(event))
        })
        .await
    }

    /// Discards a held request: it is cancelled, and deleted with the other held ones. Errors:
    /// `Missing` for an unknown id or reference; `Conflict` if it is not held.
    pub async fn discard(
        &self,
        id_or_reference: String,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let request = held(conn, &id_or_reference)?;
            if request.status == Status::Cancelled {
                let request = Box::new(request);
                return Ok(ChangedRequest {
                    request,
                    event: None,
                });
            }
            set(conn, &request, Status::Cancelled, now)?;
            let detail = json!({ "from": request.status });
            let event = record(conn, &request, "discarded", &detail, &by, now)?;
            changed(conn, request.seq, Some(event))
        })
        .await
    }
}

fn held(conn: &Connection, id_or_reference: &str) -> Result<Request> {
    let request = requests::find(conn, id_or_reference)?;
    match request.held {
        Some(_) => Ok(request),
        None => Err(Error::Conflict(format!(
            "{} is not held: it may have been released since.",
            request.reference
        ))),
    }
}

/// The mark of an admin by which a request is held for these reasons; `None` if the filter holds
/// it.
fn last_mark(conn: &Connection, seq: i64, reasons: &[HeldReason]) -> Result<Option<Event>> {
    if !reasons.iter().any(|reason| reason.signal == MARKED) {
        return Ok(None);
    }
    let history = events::of_request(conn, seq)?;
    Ok(history
        .into_iter()
        .rfind(|event| event.verb == "marked_spam"))
}

fn status_before(mark: &Event) -> Status {
    let status = mark.detail.get("status").and_then(Value::as_str);
    status.and_then(Status::parse).unwrap_or(Status::Pending)
}

fn signals_before(mark: &Event) -> Option<Vec<HeldReason>> {
    let signals = mark.detail.get("signals").cloned().unwrap_or_default();
    serde_json::from_value(signals).unwrap_or_default()
}

/// Undoes the mark of an admin. Call it inside the `write` job that records it.
pub(crate) fn undo_mark(
    conn: &Connection,
    request: &Request,
    mark: &Event,
    now: Time,
) -> Result<()> {
    let signals = signals_before(mark);
    write_held(conn, request, Signals::seen(signals.as_deref()), None)?;
    set(conn, request, status_before(mark), now)
}

/// The signals of spam of a request: why it is `held`, or what was `seen` in one that is not.
struct Signals<'a> {
    held: Option<&'a [HeldReason]>,
    seen: Option<&'a [HeldReason]>,
}

impl<'a> Signals<'a> {
    const fn seen(seen: Option<&'a [HeldReason]>) -> Self {
        Self { held: None, seen }
    }
}

fn write_held(
    conn: &Connection,
    request: &Request,
    signals: Signals<'_>,
    held_at: Option<Time>,
) -> Result<()> {
    let text = |reasons: Option<&[HeldReason]>| reasons.map(|reasons| row::text(&reasons));
    conn.prepare_cached(
        "UPDATE requests SET held = ?2, signals = ?3, held_at = ?4 WHERE seq = ?1",
    )?
    .execute(params![
        request.seq,
        text(signals.held).transpose()?,
        text(signals.seen).transpose()?,
        held_at.map(|at| at.to_string())
    ])?;
    Ok(())
}

fn set(conn: &Connection, request: &Request, status: Status, now: Time) -> Result<()> {
    conn.prepare_cached("UPDATE requests SET status = ?2, updated_at = ?3 WHERE seq = ?1")?
        .execute(params![request.seq, status.as_str(), now.to_string()])?;
    Ok(index::reindex(conn, request.seq)?)
}

/// Undoes a release whose emails were not sent. Call it inside the `write` job that records it.
/// False if they are being sent or were sent.
pub(crate) fn undo_release(
    conn: &Connection,
    request: &Request,
    release: &Event,
    now: Time,
) -> Result<bool> {
    let is_sent = release.detail.get("email_id").is_some_and(Value::is_i64)
        && !unsend(conn, request, release)?;
    if is_sent {
        return Ok(false);
    }
    let held = release.detail.get("held").cloned().unwrap_or_default();
    let held: Vec<HeldReason> = serde_json::from_value(held).unwrap_or_default();
    let marked_at = last_mark(conn, request.seq, &held)?.map(|mark| mark.at);
    let held = Some(&*held);
    write_held(conn, request, Signals { held, seen: None }, marked_at)?;
    set(conn, request, status_before(release), now)?;
    Ok(true)
}

/// Deletes the emails of a release, which are one row until they are sent; false if they are being
/// sent or were sent.
fn unsend(conn: &Connection, request: &Request, release: &Event) -> Result<bool> {
    let deleted = conn
        .prepare_cached(
            "DELETE FROM outbox WHERE id = ?1 AND subject_id = ?2 AND state = 'due'
               AND attempts = 0",
        )?
        .execute(params![
            release.detail.get("email_id").and_then(Value::as_i64),
            request.id
        ])?;
    Ok(deleted > 0)
}

/// Writes the event and the audit row; returns the event's id.
fn record(
    conn: &Connection,
    request: &Request,
    verb: &str,
    detail: &Value,
    by: &Actor,
    now: Time,
) -> Result<i64> {
    let id = events::add(conn, request, Some(&by.user_id), verb, detail, now)?;
    let entry = audit::Entry {
        action: &format!("request_{verb}"),
        actor: &by.user_id,
        subject_id: Some(&request.id),
        client: Some(&by.client),
        detail: &Metadata::default(),
    };
    audit::record(conn, &entry, now)?;
    Ok(id)
}

/// The notice that was withheld when the request was received.
fn notice(request: &Request) -> Notice {
    match request.kind {
        RequestKind::Quote => Notice::quote(request.id.clone(), request.emergency_contact),
        RequestKind::Message => Notice::contact(request.id.clone()),
    }
}
