//! Splits the notice of a request by recipients when it is first claimed: one email for each
//! address of the office, and the acknowledgement to the visitor.

use rusqlite::{Connection, params};

use super::delivery::ClaimedEmail;
use crate::domain::clock::{HOUR_MS, Time};
use crate::domain::email::email_address::mailbox_of;
use crate::domain::email::notice::Notice;
use crate::domain::request::{Request, RequestKind, RequestSource};
use crate::store::database::row;
use crate::store::inbox::emails::record;
use crate::store::inbox::requests;
use crate::store::{Error, Result, Store, outbox};

/// Minimum time between two acknowledgements to one address.
const ACKNOWLEDGE_AGAIN_MS: i64 = HOUR_MS;

impl Store {
    /// Splits the claimed notice into one row per notice of `notices`, each due immediately, and
    /// with an event if it is about a request. The claimed row gets the first notice; the others
    /// are inserted. The acknowledgement is left out if the request is held or unanswerable, or if
    /// its address got one within the hour. Nothing changes if the request no longer exists, or
    /// after an error. Errors: `Missing` if another worker has claimed the row.
    pub async fn split_notice(
        &self,
        claimed: &ClaimedEmail,
        notices: Vec<Notice>,
        now: Time,
    ) -> Result<ClaimedEmail> {
        let claimed = claimed.clone();
        self.write(move |conn| {
            let first = notices.first().ok_or(Error::Failed)?;
            let request = match kind_of(first) {
                Some(kind) => match requests::by_id(conn, kind, first.subject_id()) {
                    Err(Error::Missing) => return Ok(claimed.clone()),
                    found => Some(found?),
                },
                None => None,
            };
            let event = |notice, id| match &request {
                Some(request) => record(conn, request, notice, id, now).map(Some),
                None => Ok(None),
            };
            let first_event = event(first, claimed.id)?;
            let updated = conn
                .prepare_cached(
                    "UPDATE outbox SET notice = ?3, event = ?4 WHERE id = ?1 AND lease = ?2 \
                     AND state = 'due'",
                )?
                .execute(params![
                    claimed.id,
                    claimed.lease,
                    row::text(first)?,
                    first_event
                ])?;
            if updated == 0 {
                return Err(Error::Missing);
            }
            for notice in &notices[1..] {
                let is_acknowledgement = matches!(notice, Notice::Acknowledgement { .. });
                let is_refused = match &request {
                    Some(request) if is_acknowledgement => !may_acknowledge(conn, request, now)?,
                    _ => false,
                };
                if is_refused {
                    continue;
                }
                let id = outbox::next_id(conn, claimed.created_at)?;
                let event = event(notice, id)?;
                let (created_at, due) = (claimed.created_at, Time::from_millis(0));
                outbox::insert(conn, id, notice, created_at, due, event)?;
            }
            Ok(ClaimedEmail {
                notice: Some(first.clone()),
                event: first_event,
                ..claimed.clone()
            })
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

/// Whether the visitor gets an acknowledgement; records it. That of a request by phone is queued
/// with the request, if it is wanted.
fn may_acknowledge(conn: &Connection, request: &Request, now: Time) -> Result<bool> {
    let by_phone = request.source == RequestSource::Phone;
    if by_phone || request.held.is_some() || request.is_unanswerable() {
        return Ok(false);
    }
    let since = now.plus_millis(-ACKNOWLEDGE_AGAIN_MS).to_string();
    // Another process may have read the clock later and written first. Times further in the future
    // were written before the clock was set back.
    let until = now.plus_millis(ACKNOWLEDGE_AGAIN_MS).to_string();
    conn.prepare_cached("DELETE FROM acknowledged WHERE at <= ?1 OR at > ?2")?
        .execute([since, until])?;
    let inserted = conn
        .prepare_cached(
            "INSERT INTO acknowledged (address, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        )?
        .execute([mailbox_of(&request.email), now.to_string()])?;
    Ok(inserted > 0)
}
