//! Emails that belong to no request: a person attaches them to one, makes a new one of them, or
//! discards them.

use poem_openapi::Object;
use poem_openapi::types::Any;
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::received::object_name;
use super::{matching, messages, take_in};
use crate::accounts::actor::Actor;
use crate::accounts::audit;
use crate::database::row::read_row;
use crate::inbox::spam::spam_hold::Judged;
use crate::inbox::{messages as contacts, quotes};
use crate::request::writes::record;
use crate::request::{events, requests};
use crate::{Error, Result, Store, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::live::LiveEvent;
use domain::request::contact::NewContact;
use domain::request::event::{EmailedIn, Event, Message};
use domain::request::history::HistoryEvent;
use domain::request::quote::{NewQuote, Status};

/// An email that belongs to no request.
#[derive(Clone, Debug, Object)]
pub struct UnmatchedEmail {
    /// UUIDv7.
    pub id: String,
    /// RFC 3339 UTC with milliseconds.
    pub received_at: Time,
    /// `human`; `automatic` if a program wrote it; `report` for a report that an email was not
    /// delivered.
    pub class: String,
    pub discarded: bool,
    /// In bytes.
    pub size: u64,
    /// The key of the whole email in the bucket `mail` of the storage service.
    pub key: String,
    /// `{from, name, reply_to, reply_to_name, subject, text, folded, verified, files, left_out,
    /// marks}`, as in the event `wrote` of a request. One that could not be read has none of them.
    pub detail: Any<Metadata>,
}

/// A request to be made of an email.
#[derive(Clone, Debug)]
pub enum EmailedRequest {
    Message(NewContact),
    Quote(NewQuote),
}

/// How many emails are without a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnmatchedCounts {
    /// Of people, waiting.
    pub people: u64,
    /// Of programs.
    pub automatic: u64,
    /// Of people, discarded.
    pub discarded: u64,
}

impl UnmatchedEmail {
    /// A text of the detail.
    pub fn text(&self, key: &str) -> &str {
        let value = self.detail.0.get(key).and_then(Value::as_str);
        value.unwrap_or_default()
    }

    /// The address and the name of the person to answer: a portal writes for one, and names it.
    pub fn answered(&self) -> (&str, &str) {
        match self.text("reply_to").is_empty() {
            true => (self.text("from"), self.text("name")),
            false => (self.text("reply_to"), self.text("reply_to_name")),
        }
    }
}

macro_rules! select_emails {
    ($condition:literal) => {
        concat!(
            "SELECT id, received_at, coalesce(class, 'human') AS class, state, size, detail
             FROM received_emails WHERE ",
            $condition
        )
    };
}

impl Store {
    /// The emails without a request, newest first, and the discarded ones if asked; `automatic` for
    /// those of programs instead.
    pub async fn unmatched_emails(
        &self,
        automatic: bool,
        discarded: bool,
        limit: u32,
    ) -> Result<Vec<UnmatchedEmail>> {
        self.read(move |conn| {
            let sql = select_emails!(
                "state IN ('unmatched', 'discarded') AND state = iif(?2, 'discarded', 'unmatched')
                   AND (coalesce(class, 'human') <> 'human') = ?1
                 ORDER BY received_at DESC, id DESC LIMIT ?3"
            );
            query::all(conn, sql, params![automatic, discarded, limit], read)
        })
        .await
    }

    /// The numbers of emails without a request.
    pub async fn count_unmatched(&self) -> Result<UnmatchedCounts> {
        self.read(|conn| {
            let sql = "SELECT count(*) FILTER (WHERE state = 'unmatched' AND is_human),
                  count(*) FILTER (WHERE state = 'unmatched' AND NOT is_human),
                  count(*) FILTER (WHERE state = 'discarded' AND is_human)
                FROM (SELECT state, coalesce(class, 'human') = 'human' AS is_human
                  FROM received_emails WHERE state <> 'attached')";
            query::one(conn, sql, [], |row| {
                let count = |at: usize| row.get::<_, i64>(at).map(i64::unsigned_abs);
                Ok(UnmatchedCounts {
                    people: count(0)?,
                    automatic: count(1)?,
                    discarded: count(2)?,
                })
            })
        })
        .await
    }

    /// Attaches an email to a request, found by its id or reference; returns the event. The person
    /// who does it vouches for the author. Errors: `Missing` for an unknown request or email.
    pub async fn attach_email(
        &self,
        id: String,
        request: String,
        by: Actor,
        now: Time,
    ) -> Result<HistoryEvent> {
        self.write(move |conn| {
            let email = open(conn, &id)?;
            let request = requests::find(conn, &request)?;
            let event = attach(conn, &email, &request, &by, now)?;
            audited(conn, "email_attached", &by, &request.id, &id, now)?;
            events::by_id(conn, event)
        })
        .await
    }

    /// Makes a request of an email; returns its id. No email is sent for it. Errors: `Missing` for
    /// an unknown email.
    pub async fn request_of_email(
        &self,
        id: String,
        new: EmailedRequest,
        by: Actor,
        now: Time,
    ) -> Result<String> {
        self.write(move |conn| {
            let email = open(conn, &id)?;
            let judged = Judged::default();
            let ids = match &new {
                EmailedRequest::Message(contact) => contacts::insert(conn, contact, &judged, now)?,
                EmailedRequest::Quote(quote) => {
                    quotes::insert(conn, quote, Status::Pending, false, &judged, now)?
                }
            };
            let request = requests::by_seq(conn, ids.seq)?;
            let event = Event::EmailedIn(EmailedIn { email: id.clone() });
            record(conn, &request, event, by.at(now))?;
            attach(conn, &email, &request, &by, now)?;
            audited(conn, "email_made_request", &by, &request.id, &id, now)?;
            Ok(ids.id)
        })
        .await
    }

    /// Discards an email without a request, or takes it back. Errors: `Missing` for an unknown
    /// email.
    pub async fn discard_email(
        &self,
        id: String,
        is_discarded: bool,
        by: Actor,
        now: Time,
    ) -> Result<()> {
        let done = self.write(move |conn| {
            let email = open(conn, &id)?;
            let state = if is_discarded {
                "discarded"
            } else {
                "unmatched"
            };
            let sql = "UPDATE received_emails SET state = ?2 WHERE id = ?1";
            query::execute(conn, sql, [&email.id, state])?;
            let action = if is_discarded {
                "email_discarded"
            } else {
                "email_restored"
            };
            audited(conn, action, &by, &id, &id, now)
        });
        done.await?;
        self.unmatched_changed();
        Ok(())
    }

    /// Open dashboards count the emails again: no event of a request notifies them.
    pub(super) fn unmatched_changed(&self) {
        self.live_feed().publish(&[LiveEvent::Resync]);
    }

    /// An email without a request. Errors: `Missing` if there is none.
    pub async fn unmatched_email(&self, id: String) -> Result<UnmatchedEmail> {
        self.read(move |conn| open(conn, &id)).await
    }
}

fn open(conn: &Connection, id: &str) -> Result<UnmatchedEmail> {
    let sql = select_emails!("id = ?1 AND state IN ('unmatched', 'discarded')");
    query::one(conn, sql, [id], read)
}

fn attach(
    conn: &Connection,
    email: &UnmatchedEmail,
    request: &domain::request::Request,
    by: &Actor,
    now: Time,
) -> Result<i64> {
    let detail = Value::Object(email.detail.0.clone());
    let mut message: Message = serde_json::from_value(detail).map_err(|_| Error::Failed)?;
    // A portal writes for a person, and names the one to answer.
    let is_customer = matching::is_customer(conn, request, email.text("from"))?
        || matching::is_customer(conn, request, email.text("reply_to"))?;
    message.known = Some(is_customer);
    message.counts = is_customer;
    message.attached_by = Some(by.user_id.clone());
    message.email = Some(email.id.clone());
    let is_automatic = email.class != "human";
    let event = messages::record(conn, request, message, is_automatic, now)?;
    take_in::attached(conn, &email.id, request, event)?;
    Ok(event)
}

fn audited(
    conn: &Connection,
    action: &str,
    by: &Actor,
    subject: &str,
    email: &str,
    now: Time,
) -> Result<()> {
    let detail = json!({ "email": email });
    let entry = audit::Entry {
        action,
        actor: &by.user_id,
        subject_id: Some(subject),
        client: Some(&by.client),
        detail: detail.as_object().ok_or(Error::Failed)?,
    };
    audit::record(conn, &entry, now)
}

fn read(found: &rusqlite::Row<'_>) -> rusqlite::Result<UnmatchedEmail> {
    read_row!(found => UnmatchedEmail {
        id, received_at, class, size, detail;
        key: object_name(&found.get::<_, String>("id")?),
        discarded: found.get_ref("state")?.as_str()? == "discarded",
    })
}
