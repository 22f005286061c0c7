//! Brings a stored email into the conversation of its request.

use rusqlite::{Connection, params};

use super::{bounces, copies, matching, messages};
use crate::database::row;
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::email::received_email::{EmailClass, EmailMark, MessageFile, ReceivedEmail};
use domain::request::Request;
use domain::request::event::{Message, Via};

/// The outcome of an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is in the history of this request, and perhaps of others.
    Attached { reference: String },
    /// It waits among the emails without a request, of people or of programs.
    Unmatched { of_person: bool },
    /// Another process has done it.
    Already,
}

impl Store {
    /// Brings the email with this id into the conversation of its request, or among the emails
    /// without one; once.
    pub async fn take_in_email(
        &self,
        id: String,
        email: ReceivedEmail,
        files: Vec<MessageFile>,
        now: Time,
    ) -> Result<Taken> {
        let email_id = id.clone();
        let taken = self.write(move |conn| {
            let is_new = "SELECT 1 FROM received_emails WHERE id = ?1 AND state = 'new'";
            if !query::exists(conn, is_new, [&id])? {
                return Ok(Taken::Already);
            }
            let mut email = email;
            if let EmailClass::Report(report) = &email.class {
                if let Some(bounce) = bounces::record(conn, report, &id, now)? {
                    describe(conn, &id, &email, &Message::default())?;
                    return attached(conn, &id, &bounce.request, bounce.event);
                }
                // Of no email that is known here: a person judges it.
                email.class = EmailClass::Human;
                email.marks.push(EmailMark::PossibleFailure);
            }
            let message = message_of(&id, &email, files);
            describe(conn, &id, &email, &message)?;
            let requests = matching::requests_of(conn, &email)?;
            let Some((first, others)) = requests.split_first() else {
                return unmatched(conn, &id, email.class == EmailClass::Human);
            };
            for (number, request) in (1..).zip(others) {
                let (copy, message) = copies::copy(conn, &id, number, &message, now)?;
                attach(conn, &copy, request, &email, message, now)?;
            }
            attach(conn, &id, first, &email, message, now)
        });
        let taken = taken.await?;
        match taken {
            Taken::Unmatched { of_person: true } => self.changes.email_waits(&email_id),
            Taken::Unmatched { of_person: false } => self.unmatched_changed(),
            _ => {}
        }
        Ok(taken)
    }
}

/// Records an email in the history of a request.
fn attach(
    conn: &Connection,
    id: &str,
    request: &Request,
    email: &ReceivedEmail,
    mut message: Message,
    now: Time,
) -> Result<Taken> {
    let is_customer = matching::is_customer(conn, request, written_by(email))?;
    message.known = Some(is_customer);
    message.counts = is_customer && email.is_verified && !email.marks.contains(&EmailMark::Away);
    let is_automatic = email.class == EmailClass::Automatic;
    let event = messages::record(conn, request, message, is_automatic, now)?;
    attached(conn, id, request, event)
}

/// The message that an email is.
fn message_of(id: &str, email: &ReceivedEmail, files: Vec<MessageFile>) -> Message {
    Message {
        via: Via::Email,
        email: Some(id.to_owned()),
        from: Some(email.from.clone()),
        name: email.from_name.clone(),
        reply_to: email.reply_to.clone(),
        reply_to_name: email.reply_to_name.clone(),
        subject: Some(email.subject.clone()),
        text: email.text.clone(),
        folded: email.folded.clone(),
        cut: email.is_cut,
        verified: email.is_verified,
        ours: email.is_ours,
        message_id: email.message_id.clone(),
        references: email.references.clone(),
        marks: email.marks.clone(),
        left_out: email.left_out,
        files,
        ..Message::default()
    }
}

/// The address of the person who wrote an email: a group writes its own as the author, and the
/// person's, of the same domain, as the one to answer.
fn written_by(email: &ReceivedEmail) -> &str {
    let domain = |address: &str| {
        address
            .rsplit_once('@')
            .map(|(_, domain)| domain.to_owned())
    };
    let answered = email.reply_to.as_deref();
    let same = answered.filter(|answered| domain(answered) == domain(&email.from));
    same.unwrap_or(&email.from)
}

/// Stores what the reader has found.
fn describe(conn: &Connection, id: &str, email: &ReceivedEmail, message: &Message) -> Result<()> {
    let sql = "UPDATE received_emails SET class = ?2, message_id = ?3, sender = ?4, detail = ?5
        WHERE id = ?1";
    let detail = row::text(message)?;
    let values = params![
        id,
        email.class.as_str(),
        email.message_id,
        email.from,
        detail
    ];
    query::run(conn, sql, values)
}

/// Records where an email is. Its words are in the event now.
pub(super) fn attached(
    conn: &Connection,
    id: &str,
    request: &Request,
    event: i64,
) -> Result<Taken> {
    let sql = "UPDATE received_emails SET state = 'attached', seq = ?2, event = ?3, detail = '{}'
        WHERE id = ?1";
    query::execute(conn, sql, params![id, request.seq, event])?;
    Ok(Taken::Attached {
        reference: request.reference.clone(),
    })
}

fn unmatched(conn: &Connection, id: &str, of_person: bool) -> Result<Taken> {
    let sql = "UPDATE received_emails SET state = 'unmatched' WHERE id = ?1";
    query::execute(conn, sql, [id])?;
    Ok(Taken::Unmatched { of_person })
}
