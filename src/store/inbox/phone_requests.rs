//! Quote requests that an admin types during a call.

use rusqlite::{Connection, params};

use super::changes::ChangedRequest;
use super::changes::follow_ups;
use super::{drafts, quotes};
use crate::accounts::actor::Actor;
use crate::inbox::submissions::{Submission, Submitted, insert_once};
use crate::on_call::alarms;
use crate::request::writes::record;
use crate::request::{emails, requests};
use crate::{Error, Result, Store, conflict, outbox, query};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::Request;
use domain::request::event::{Event, Phoned, Reminder};
use domain::request::quote::{NewQuote, Status};
use domain::spam::Assessment;

/// A request by phone.
#[derive(Clone, Debug)]
pub struct PhoneRequest {
    /// Its email address may be empty.
    pub quote: NewQuote,
    /// Whether an acknowledgement is sent to the customer's address.
    pub acknowledge: bool,
    /// When the customer was promised an answer; `None`: right away.
    pub promise: Option<Time>,
    /// Whether an emergency raises the alarm instead of being assigned to the typist.
    pub alarm: bool,
    /// The idempotency key of the form, per admin.
    pub key: String,
    /// A hash of the content.
    pub fingerprint: String,
}

impl Store {
    /// Stores a request by phone with the notice to the staff. It is assigned to the caller and
    /// needs attention until its customer is answered, with a reminder at the promised time; or it
    /// raises the alarm. The same key and content are stored once. Errors: `Conflict` if the key
    /// was used for other content.
    pub async fn take_phone_request(
        &self,
        request: PhoneRequest,
        by: Actor,
        now: Time,
    ) -> Result<ChangedRequest> {
        let texts = self.recent_texts.clone();
        self.write(move |conn| {
            // There is no rate limit and no spam filter for admins.
            let submission = Submission {
                client: by.user_id.clone(),
                site: None,
                key: Some(request.key.clone()),
                fingerprint: request.fingerprint.clone(),
                max: u32::MAX,
                window_ms: 0,
                spam: Assessment::default(),
            };
            let stored = insert_once(conn, &texts, "phone", &submission, now, |conn, judged| {
                let status = Status::Pending;
                let ids = quotes::insert(conn, &request.quote, status, false, &judged, now)?;
                let is_alarm = request.alarm && request.quote.emergency_contact;
                let assignee = Some(&by.user_id).filter(|_| !is_alarm);
                let sql =
                    "UPDATE requests SET source = 'phone', origin_source = 'phone', assignee = ?2
                    WHERE seq = ?1";
                query::execute(conn, sql, params![ids.seq, assignee])?;
                let stored = requests::by_seq(conn, ids.seq)?;
                if is_alarm {
                    alarms::raise_emergency(conn, ids.seq, false, now)?;
                }
                if let Some(at) = request.promise {
                    let by = by.user_id.clone();
                    follow_ups::change(conn, &stored, Some(Reminder { at, by }))?;
                }
                send_emails(conn, &stored, request.acknowledge, now)?;
                let event = Event::Phoned(Phoned {
                    promise: request.promise,
                    alarm: is_alarm,
                });
                record(conn, &stored, event, by.at(now))?;
                drafts::forget(conn, &by.user_id, drafts::NO_REQUEST, drafts::PHONE_FORM)?;
                Ok((ids.id, ids.reference))
            })?;
            match stored {
                Submitted::Stored(receipt) | Submitted::Duplicate(receipt) => Ok(ChangedRequest {
                    request: Box::new(requests::find(conn, &receipt.id)?),
                    event: None,
                }),
                Submitted::KeyReused => {
                    conflict("This Idempotency-Key was used for other content.")
                }
                Submitted::TooMany { .. } => Err(Error::Failed),
            }
        })
        .await
    }
}

/// Queues the notice to the staff, and the acknowledgement if it is wanted. The notice of a request
/// by phone causes no other one (`outbox::notice_split`).
fn send_emails(conn: &Connection, request: &Request, acknowledge: bool, now: Time) -> Result<()> {
    let notice = Notice::quote(request.id.clone(), request.emergency_contact);
    outbox::enqueue(conn, &notice, now)?;
    if !acknowledge || request.email.is_empty() {
        return Ok(());
    }
    let notice = Notice::received(request.id.clone());
    let id = outbox::next_id(conn, now)?;
    let event = emails::record(conn, request, &notice, id, now)?;
    outbox::insert(conn, id, &notice, now, now, Some(event))
}
