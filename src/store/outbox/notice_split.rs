//! Splits the notice of a request by recipients when it is first claimed: one email for each
//! address of the office, and the acknowledgement to the visitor.

use rusqlite::{Connection, params};

use super::delivery::ClaimedEmail;
use super::{IMMEDIATELY, acknowledgement};
use crate::database::row;
use crate::request::emails::record;
use crate::request::requests;
use crate::{Error, Result, Store, existing, outbox, query};
use domain::clock::{MINUTE_MS, Time};
use domain::email::notice::Notice;
use domain::email::request_list::RequestList;
use domain::ids;
use domain::request::{Request, RequestKind, RequestSource};

impl Store {
    /// Splits the claimed notice into one row per notice of `notices`, each due immediately, and
    /// with an event if it is about a request. The claimed row gets the first notice; the others
    /// are inserted. The acknowledgement is `acknowledgement`'s. Beyond `single` emails about
    /// requests in ten minutes the office gets a list of them: `None`, and the row is deleted.
    /// Nothing changes if the request no longer exists, or after an error. Errors: `Missing` if
    /// another worker has claimed the row.
    pub async fn split_notice(
        &self,
        claimed: &ClaimedEmail,
        mut notices: Vec<Notice>,
        single: u32,
        now: Time,
    ) -> Result<Option<ClaimedEmail>> {
        let claimed = claimed.clone();
        self.write(move |conn| {
            let first = notices.first().ok_or(Error::Failed)?;
            let request = match kind_of(first) {
                Some(kind) => match existing(requests::by_id(conn, kind, first.subject_id()))? {
                    None => return Ok(Some(claimed)),
                    found => found,
                },
                None => None,
            };
            let is_overdue = matches!(first, Notice::Escalation { .. });
            let is_acknowledgement = |it: &mut Notice| matches!(it, Notice::Acknowledgement { .. });
            let acknowledges = notices.pop_if(is_acknowledgement).is_some();
            if let Some(request) = &request {
                if acknowledges && may_acknowledge(request) {
                    acknowledgement::enqueue(conn, request, claimed.created_at, now)?;
                }
                if are_many(conn, single, now)? {
                    list(conn, request, is_overdue, now)?;
                    notices.clear();
                }
            }
            let Some(first) = notices.first() else {
                delete(conn, &claimed)?;
                return Ok(None);
            };
            let event = |notice, id| match &request {
                Some(request) => record(conn, request, notice, id, now).map(Some),
                None => Ok(None),
            };
            let first_event = event(first, claimed.id)?;
            let sql = "UPDATE outbox SET notice = ?3, event = ?4, kind = ?5
                WHERE id = ?1 AND lease = ?2 AND state = 'due'";
            let values = params![
                claimed.id,
                claimed.lease,
                row::text(first)?,
                first_event,
                first.kind()
            ];
            query::change(conn, sql, values)?;
            for notice in &notices[1..] {
                let id = outbox::next_id(conn, claimed.created_at)?;
                let event = event(notice, id)?;
                outbox::insert(conn, id, notice, claimed.created_at, IMMEDIATELY, event)?;
            }
            Ok(Some(ClaimedEmail {
                notice: Some(first.clone()),
                event: first_event,
                kind: first.kind().to_owned(),
                ..claimed
            }))
        })
        .await
    }
}

/// The kind of the request of a notice to staff.
fn kind_of(notice: &Notice) -> Option<RequestKind> {
    match notice {
        Notice::Quote { .. } => Some(RequestKind::Quote),
        Notice::Contact { .. } => Some(RequestKind::Message),
        Notice::Escalation { kind, .. } => RequestKind::parse(kind),
        _ => None,
    }
}

/// Whether the office has got `max` emails about requests lately: a mailbox with hundreds of them
/// is of no use.
fn are_many(conn: &Connection, max: u32, now: Time) -> Result<bool> {
    let since = ids::first_seq(now.plus_millis(-10 * MINUTE_MS));
    let sql = "SELECT count(*) FROM (SELECT 1 FROM outbox
        WHERE id >= ?1 AND kind IN ('quote', 'contact', 'escalation') AND event IS NOT NULL
        LIMIT ?2 + 0)";
    let count: u32 = query::one(conn, sql, params![since, max], |row| row.get(0))?;
    Ok(count >= max)
}

/// Deletes a claimed row that a list stands for. Errors: `Missing` if another worker has claimed
/// it.
fn delete(conn: &Connection, claimed: &ClaimedEmail) -> Result<()> {
    let sql = "DELETE FROM outbox WHERE id = ?1 AND lease = ?2 AND state = 'due'";
    query::change(conn, sql, params![claimed.id, claimed.lease])
}

/// Adds a request to the list that the office gets next, a minute after its first request at the
/// latest.
fn list(conn: &Connection, request: &Request, is_overdue: bool, now: Time) -> Result<()> {
    let since = ids::first_seq(now.plus_millis(-10 * MINUTE_MS));
    let sql = "SELECT id, notice FROM outbox WHERE id >= ?1 AND kind = 'requests'
        AND state = 'due' AND attempts = 0 AND notice ->> 'to' IS NULL
        AND notice ->> 'is_overdue' = ?2";
    let found: Option<(i64, String)> =
        query::optional(conn, sql, params![since, is_overdue], |row| row.try_into())?;
    let mut next = match &found {
        Some((_, text)) => serde_json::from_str(text).map_err(|_| Error::Failed)?,
        None => Notice::Requests(RequestList {
            is_overdue,
            ..RequestList::default()
        }),
    };
    if let Notice::Requests(list) = &mut next {
        list.add(&request.id, request.emergency_contact);
    }
    match found {
        None => outbox::enqueue_due(conn, &next, now.plus_millis(MINUTE_MS), now),
        Some((id, _)) => {
            let update = "UPDATE outbox SET notice = ?2, priority = ?3 WHERE id = ?1";
            let values = params![id, row::text(&next)?, next.priority().rank()];
            query::run(conn, update, values)
        }
    }
}

/// Whether the visitor gets an acknowledgement. That of a request by phone is queued with the
/// request, if it is wanted.
fn may_acknowledge(request: &Request) -> bool {
    let by_phone = request.source == RequestSource::Phone;
    !by_phone && request.held.is_none() && !request.is_unanswerable()
}
