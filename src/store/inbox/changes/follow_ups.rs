//! Follow-ups: a request leaves "Needs attention" until the time of a reminder, and then returns
//! with a mark.

use rusqlite::{Connection, params};

use super::{Changed, Refusal, changed};
use crate::accounts::actor::Actor;
use crate::request::writes::{record, set};
use crate::request::{events, requests};
use crate::{Result, Store, query};
use domain::clock::{HOUR_MS, Time};
use domain::request::event::{Event, FollowUpChange, Reminder};
use domain::request::{Request, RequestSource};

/// How long an unreached emergency can leave "Needs attention", in milliseconds.
pub const MAX_EMERGENCY_WAIT_MS: i64 = HOUR_MS;
/// Maximum number of requests marked in one transaction.
const BATCH: u32 = 100;

/// Requests whose time has come by `?1`.
const DUE: &str = "SELECT seq FROM requests
    WHERE follow_up_at <= ?1 AND follow_up_at IS NOT NULL AND follow_up_due = 0 LIMIT ?2";

impl Store {
    /// Sets a reminder of an open request for the caller; without a time, ends its follow-up.
    /// Errors: `Missing` for an unknown request.
    pub async fn follow_up(
        &self,
        id: String,
        at: Option<Time>,
        by: Actor,
        now: Time,
    ) -> Result<Changed> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            if let Some(refusal) = refusal(&request, at, now) {
                return Ok(Err(refusal));
            }
            let next = at.map(|at| Reminder {
                at,
                by: by.user_id.clone(),
            });
            let changed_to = Event::FollowUpSet(change(conn, &request, next)?);
            set(conn, &request, "updated_at", Some(&now.to_string()))?;
            let event = record(conn, &request, changed_to, by.at(now))?;
            Ok(Ok(changed(conn, request.seq, Some(event.id))?))
        })
        .await
    }

    /// Marks the requests whose time has come; returns how many. Errors: the error of the database;
    /// those that are back stay.
    pub async fn bring_back_follow_ups(&self, now: Time) -> Result<usize> {
        let mut count = 0;
        while !self.read(move |conn| due(conn, now)).await?.is_empty() {
            count += self
                .write(move |conn| {
                    let seqs = due(conn, now)?;
                    for seq in &seqs {
                        bring_back(conn, *seq, now)?;
                    }
                    Ok(seqs.len())
                })
                .await?;
        }
        Ok(count)
    }
}

/// Why the reader cannot set a reminder of a request at this time.
pub(in crate::inbox) fn refusal(request: &Request, at: Option<Time>, now: Time) -> Option<Refusal> {
    if request.held.is_some() {
        return Some(Refusal::Held);
    }
    let at = at?;
    if !request.status.is_open() {
        return Some(Refusal::Closed);
    }
    let is_urgent = request.emergency_contact && request.answered_at.is_none();
    let is_late = at > now.plus_millis(MAX_EMERGENCY_WAIT_MS);
    (is_urgent && is_late).then_some(Refusal::EmergencyWaits)
}

/// Sets a follow-up, or ends it; returns the change for the history.
pub(in crate::inbox) fn change(
    conn: &Connection,
    request: &Request,
    to: Option<Reminder>,
) -> Result<FollowUpChange> {
    let from = stored(request);
    write(conn, request, to.as_ref(), false)?;
    Ok(FollowUpChange { from, to })
}

/// Ends a follow-up whose time has come, because the customer was called or written to, or that was
/// promised on the phone and is kept, because it is `answered` now; returns the change for the
/// history, if there was one.
pub(in crate::inbox) fn end_due(
    conn: &Connection,
    request: &Request,
    answered: bool,
) -> Result<Option<FollowUpChange>> {
    let is_promise = request.source == RequestSource::Phone && request.answered_at.is_none();
    let is_kept = answered && is_promise && request.follow_up.is_some();
    match request.is_follow_up_due() || is_kept {
        true => change(conn, request, None).map(Some),
        false => Ok(None),
    }
}

/// The follow-up of a request.
fn stored(request: &Request) -> Option<Reminder> {
    request.follow_up.as_ref().map(|reminder| Reminder {
        at: reminder.at,
        by: reminder.by.id.clone(),
    })
}

/// Restores the follow-up from before a change.
pub(in crate::inbox) fn restore(
    conn: &Connection,
    request: &Request,
    change: &FollowUpChange,
    now: Time,
) -> Result<()> {
    let before = change.from.as_ref();
    write(conn, request, before, before.is_some_and(|it| it.at <= now))
}

fn write(conn: &Connection, request: &Request, to: Option<&Reminder>, is_due: bool) -> Result<()> {
    let at = to.map(|reminder| reminder.at.to_string());
    set(conn, request, "follow_up_at", at.as_deref())?;
    let by = to.map(|reminder| reminder.by.as_str());
    set(conn, request, "follow_up_by", by)?;
    let is_due = if is_due { "1" } else { "0" };
    set(conn, request, "follow_up_due", Some(is_due))
}

fn due(conn: &Connection, now: Time) -> Result<Vec<i64>> {
    query::all(conn, DUE, params![now.to_string(), BATCH], |row| row.get(0))
}

fn bring_back(conn: &Connection, seq: i64, now: Time) -> Result<()> {
    let request = requests::by_seq(conn, seq)?;
    set(conn, &request, "follow_up_due", Some("1"))?;
    if !request.status.is_open() {
        return Ok(());
    }
    let Some(reminder) = stored(&request) else {
        return Ok(());
    };
    events::add(conn, &request, None, &Event::FollowUpDue(reminder), now).map(drop)
}
