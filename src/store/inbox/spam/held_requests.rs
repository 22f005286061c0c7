//! Requests held as spam: marked by an admin, released and discarded. `spam_hold` decides which are
//! held when they are received, `purge` deletes them.

use rusqlite::{Connection, params};

use crate::accounts::actor::Actor;
use crate::accounts::audit;
use crate::database::row;
use crate::inbox::changes::{ChangedRequest, changed};
use crate::on_call::acknowledge::raise_again;
use crate::request::events;
use crate::request::requests;
use crate::search::index;
use crate::{Result, Store, conflict, outbox, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::event::{Discarded, EMAIL_DELAY_MS, Event, MarkedSpam, Released};
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
                return conflict(format!("{} is held as spam already.", request.reference));
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
            let mark = Event::MarkedSpam(MarkedSpam {
                status: request.status,
                signals: request.signals.clone(),
            });
            let event = record(conn, &request, &mark, &by, now)?;
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
                Some((_, mark)) => mark.signals.clone(),
                None => request.held.clone(),
            };
            write_held(conn, &request, Signals::seen(signals.as_deref()), None)?;
            let status = mark
                .as_ref()
                .map_or(Status::Pending, |(_, mark)| mark.status);
            set(conn, &request, status, now)?;
            let email_id = match &mark {
                Some(_) => None,
                None => Some(outbox::next_id(conn, now)?),
            };
            let released = Event::Released(Released {
                held: request.held.clone(),
                status: request.status,
                email_id,
            });
            let event = record(conn, &request, &released, &by, now)?;
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
            let discarded = Event::Discarded(Discarded {
                from: request.status,
            });
            let event = record(conn, &request, &discarded, &by, now)?;
            changed(conn, request.seq, Some(event))
        })
        .await
    }
}

fn held(conn: &Connection, id_or_reference: &str) -> Result<Request> {
    let request = requests::find(conn, id_or_reference)?;
    match request.held {
        Some(_) => Ok(request),
        None => conflict(format!(
            "{} is not held: it may have been released since.",
            request.reference
        )),
    }
}

/// The mark of an admin by which a request is held for these reasons, with its time; `None` if the
/// filter holds it.
fn last_mark(
    conn: &Connection,
    seq: i64,
    reasons: &[HeldReason],
) -> Result<Option<(Time, MarkedSpam)>> {
    if !reasons.iter().any(|reason| reason.signal == MARKED) {
        return Ok(None);
    }
    let history = events::of_request(conn, seq)?.into_iter();
    Ok(history.rev().find_map(|event| match event.event {
        Event::MarkedSpam(mark) => Some((event.at, mark)),
        _ => None,
    }))
}

/// Undoes the mark of an admin. Call it inside the `write` job that records it.
pub(crate) fn undo_mark(
    conn: &Connection,
    request: &Request,
    mark: &MarkedSpam,
    now: Time,
) -> Result<()> {
    write_held(conn, request, Signals::seen(mark.signals.as_deref()), None)?;
    set(conn, request, mark.status, now)
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
    let sql = "UPDATE requests SET held = ?2, signals = ?3, held_at = ?4 WHERE seq = ?1";
    let values = params![
        request.seq,
        text(signals.held).transpose()?,
        text(signals.seen).transpose()?,
        held_at.map(|at| at.to_string())
    ];
    query::run(conn, sql, values)
}

fn set(conn: &Connection, request: &Request, status: Status, now: Time) -> Result<()> {
    let sql = "UPDATE requests SET status = ?2, updated_at = ?3 WHERE seq = ?1";
    let values = params![request.seq, status.as_str(), now.to_string()];
    query::execute(conn, sql, values)?;
    Ok(index::reindex(conn, request.seq)?)
}

/// Undoes a release whose emails were not sent. Call it inside the `write` job that records it.
/// False if they are being sent or were sent.
pub(crate) fn undo_release(
    conn: &Connection,
    request: &Request,
    release: &Released,
    now: Time,
) -> Result<bool> {
    if let Some(email_id) = release.email_id
        && !unsend(conn, request, email_id)?
    {
        return Ok(false);
    }
    let held = release.held.as_deref().unwrap_or_default();
    let marked_at = last_mark(conn, request.seq, held)?.map(|(at, _)| at);
    let held = Some(held);
    write_held(conn, request, Signals { held, seen: None }, marked_at)?;
    set(conn, request, release.status, now)?;
    Ok(true)
}

/// Deletes the emails of a release, which are one row until they are sent; false if they are being
/// sent or were sent.
fn unsend(conn: &Connection, request: &Request, email_id: i64) -> Result<bool> {
    let sql = "DELETE FROM outbox
        WHERE id = ?1 AND subject_id = ?2 AND state = 'due' AND attempts = 0";
    Ok(query::execute(conn, sql, params![email_id, request.id])? > 0)
}

/// Writes the event and the audit row; returns the event's id.
fn record(
    conn: &Connection,
    request: &Request,
    event: &Event,
    by: &Actor,
    now: Time,
) -> Result<i64> {
    let id = events::add(conn, request, Some(&by.user_id), event, now)?;
    let entry = audit::Entry {
        action: &format!("request_{}", event.verb().as_str()),
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
