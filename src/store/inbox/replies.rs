//! Replies to visitors: stored as an event with its email, which is delayed so that it can be
//! undone.

use rusqlite::Connection;

use super::changes::follow_ups;
use crate::accounts::profiles;
use crate::inbox::drafts;
use crate::request::earlier_emails;
use crate::request::events;
use crate::request::requests;
use crate::search::index;
use crate::storage::objects::Object;
use crate::{Error, Result, Store, conflict, outbox, query};
use domain::clock::{MINUTE_MS, Time};
use domain::email::message_id::EmailId;
use domain::email::notice::Notice;
use domain::request::Request;
use domain::request::event::{
    Delivery, EMAIL_DELAY_MS, EmailState, Event, Replied, RepliedFile, Verb,
};
use domain::request::history::{HistoryEvent, in_effect};

/// The same reply of the same admin within this time is a second click or a lost response.
const SAME_REPLY_MS: i64 = 10 * MINUTE_MS;

/// A reply to be sent.
#[derive(Clone, Debug)]
pub struct NewReply {
    /// The subject, on one line.
    pub subject: String,
    pub text: String,
    /// The recipient, if it is not the customer's address.
    pub to: Option<String>,
    /// Further recipients.
    pub cc: Vec<String>,
    /// Its files; those with a link are not in the email.
    pub files: Vec<ReplyFile>,
    /// The id of the last event that its writer has seen; `None` to send it in any case.
    pub seen: Option<i64>,
}

/// A file of a reply.
#[derive(Clone, Debug)]
pub struct ReplyFile {
    pub object: Object,
    /// Where the customer opens it, if it is too large for the email.
    pub link: Option<String>,
}

/// A colleague has answered the customer while a reply was written.
#[derive(Clone, Debug)]
pub struct AnsweredSince {
    pub answer: HistoryEvent,
    /// The id of the last event of the request.
    pub last_event: i64,
}

/// A stored reply with the data of its email.
#[derive(Clone, Debug)]
pub struct StoredReply {
    pub request: Request,
    pub reply: Replied,
    /// The earlier emails of the conversation, oldest first.
    pub earlier: Vec<EmailId>,
}

impl Store {
    /// Stores a reply by `actor`, a user's id. It is sent after `EMAIL_DELAY_MS`. Errors: `Missing`
    /// for an unknown id or reference; `Conflict` if the request is held. Refused if a colleague
    /// has answered since the event that the reply names.
    pub async fn reply(
        &self,
        id_or_reference: String,
        reply: NewReply,
        actor: String,
        now: Time,
    ) -> Result<std::result::Result<HistoryEvent, Box<AnsweredSince>>> {
        self.write(move |conn| {
            let request = requests::find(conn, &id_or_reference)?;
            if request.held.is_some() {
                return conflict("This request is held as spam. Release it, then reply.");
            }
            if request.email.is_empty() && reply.to.is_none() {
                return conflict("The customer gave no email address. Call them instead.");
            }
            let history = events::of_request(conn, request.seq)?;
            if let Some(event) = same_reply(&history, &reply, &actor, now) {
                return Ok(Ok(event));
            }
            if let Some(since) = answered_since(&history, reply.seen, &actor) {
                return Ok(Err(Box::new(since)));
            }
            drafts::forget(conn, &actor, request.seq, "reply")?;
            let event = insert(conn, &request, &reply, &actor, now)?;
            index::reindex(conn, request.seq)?;
            Ok(Ok(event))
        })
        .await
    }

    /// The addresses at which messages of a request and its duplicates ask for their answers.
    /// Errors: `Missing` for an unknown request.
    pub async fn answer_addresses(&self, id: String) -> Result<Vec<String>> {
        self.read(move |conn| {
            let request = requests::find(conn, &id)?;
            let mut found = Vec::new();
            for seq in requests::family(conn, request.seq)? {
                for written in events::of_request(conn, seq)? {
                    if let Event::Wrote(message) = written.event {
                        found.extend(message.reply_to);
                    }
                }
            }
            Ok(found)
        })
        .await
    }

    /// The reply of an event. Errors: `Missing` if the event or its request no longer exists.
    pub async fn stored_reply(&self, event: i64) -> Result<StoredReply> {
        self.read(move |conn| {
            let found = events::by_id(conn, event)?;
            let Event::Replied(reply) = found.event else {
                return Err(Error::Missing);
            };
            Ok(StoredReply {
                request: requests::by_seq(conn, found.seq)?,
                reply,
                earlier: earlier_emails::before(conn, found.seq, event)?,
            })
        })
        .await
    }
}

fn insert(
    conn: &Connection,
    request: &Request,
    reply: &NewReply,
    actor: &str,
    now: Time,
) -> Result<HistoryEvent> {
    let email_id = outbox::next_id(conn, now)?;
    let follow_up = follow_ups::end_due(conn, request, !request.emergency_contact)?;
    let writer = profiles::of_user(conn, actor)?;
    let event = Event::Replied(Replied {
        subject: reply.subject.clone(),
        text: reply.text.clone(),
        sender: writer.name,
        signature: writer.signature,
        to: reply.to.as_ref().unwrap_or(&request.email).clone(),
        cc: reply.cc.clone(),
        files: reply.files.iter().map(replied_file).collect(),
        delivery: Delivery::queued(email_id),
        follow_up,
    });
    let id = events::add(conn, request, Some(actor), &event, now)?;
    let notice = Notice::Reply {
        id: request.id.clone(),
    };
    let due = now.plus_millis(EMAIL_DELAY_MS);
    outbox::insert(conn, email_id, &notice, now, due, Some(id))?;
    events::by_id(conn, id)
}

fn replied_file(file: &ReplyFile) -> RepliedFile {
    let object = &file.object;
    RepliedFile {
        name: object.shown_name(),
        bucket: object.bucket_id.clone(),
        key: object.name.clone(),
        size: object.size,
        media_type: object.media_type.clone(),
        sha256: object.sha256.clone(),
        link: file.link.clone(),
    }
}

/// The last reply of this admin, if it is the same and was not undone.
fn same_reply(
    history: &[HistoryEvent],
    reply: &NewReply,
    actor: &str,
    now: Time,
) -> Option<HistoryEvent> {
    let last = HistoryEvent::last_of(history, actor, Verb::Replied, SAME_REPLY_MS, now)?;
    let Event::Replied(replied) = &last.event else {
        return None;
    };
    let files = replied.files.iter().map(|file| (&file.bucket, &file.key));
    let new = reply.files.iter().map(|file| &file.object);
    let is_same = replied.subject == reply.subject
        && replied.text == reply.text
        && replied.delivery.state != EmailState::Undone
        && reply.to.as_ref().is_none_or(|to| *to == replied.to)
        && replied.cc == reply.cc
        && files.eq(new.map(|file| (&file.bucket_id, &file.name)));
    is_same.then(|| last.clone())
}

/// The last answer of a colleague after the event `seen`.
fn answered_since(
    history: &[HistoryEvent],
    seen: Option<i64>,
    actor: &str,
) -> Option<AnsweredSince> {
    let seen = seen?;
    let is_newer = |event: &&HistoryEvent| event.id > seen && !event.is_by(actor);
    let mut answers = in_effect(history).into_iter().filter(is_newer);
    let answer = answers.rfind(|event| event.is_answer())?;
    Some(AnsweredSince {
        answer: answer.clone(),
        last_event: history.last()?.id,
    })
}

/// Undoes a reply that was not sent. Call it inside the `write` job that records it. False if the
/// reply is being sent or was sent.
pub(crate) fn undo(conn: &Connection, event: i64) -> Result<bool> {
    let sql = "DELETE FROM outbox
        WHERE event = ?1 AND kind = 'reply' AND state = 'due' AND attempts = 0
          AND id = (SELECT detail ->> 'email_id' FROM events WHERE id = ?1)";
    let deleted = query::execute(conn, sql, [event])?;
    if deleted > 0 {
        crate::request::emails::set_state(conn, Some(event), EmailState::Undone, None)?;
    }
    Ok(deleted > 0)
}
