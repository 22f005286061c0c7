//! Brings a stored email into the conversation of its request.

use rusqlite::{Connection, params};
use serde_json::json;

use super::messages::NewMessage;
use super::{bounces, copies, matching, messages};
use crate::database::row;
use crate::{Result, Store, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::email::received_email::{EmailClass, EmailMark, MessageFile, ReceivedEmail};
use domain::request::Request;

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
                    describe(conn, &id, &email, &Metadata::default())?;
                    return attached(conn, &id, &bounce.request, bounce.event);
                }
                // Of no email that is known here: a person judges it.
                email.class = EmailClass::Human;
                email.marks.push(EmailMark::PossibleFailure);
            }
            let detail = detail_of(&id, &email, &files)?;
            describe(conn, &id, &email, &detail)?;
            let requests = matching::requests_of(conn, &email)?;
            let Some((first, others)) = requests.split_first() else {
                return unmatched(conn, &id, email.class == EmailClass::Human);
            };
            for (number, request) in (1..).zip(others) {
                let (copy, detail) = copies::copy(conn, &id, number, &detail, now)?;
                attach(conn, &copy, request, &email, detail, now)?;
            }
            attach(conn, &id, first, &email, detail, now)
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
    detail: Metadata,
    now: Time,
) -> Result<Taken> {
    let message = message_of(conn, request, email, detail)?;
    let event = messages::record(conn, request, message, now)?;
    attached(conn, id, request, event)
}

/// The detail of the event that an email has.
fn detail_of(id: &str, email: &ReceivedEmail, files: &[MessageFile]) -> Result<Metadata> {
    let mut detail = json!({
        "via": "email",
        "email": id,
        "from": email.from,
        "name": email.from_name,
        "reply_to": email.reply_to,
        "reply_to_name": email.reply_to_name,
        "subject": email.subject,
        "text": email.text,
        "folded": email.folded,
        "cut": email.is_cut,
        "verified": email.is_verified,
        "ours": email.is_ours,
        "message_id": email.message_id,
        "references": email.references,
        "marks": email.marks,
        "left_out": email.left_out,
        "files": files,
    });
    let detail = detail.as_object_mut().map(std::mem::take);
    Ok(detail.unwrap_or_default())
}

fn message_of(
    conn: &Connection,
    request: &Request,
    email: &ReceivedEmail,
    mut detail: Metadata,
) -> Result<NewMessage> {
    let is_automatic = email.class == EmailClass::Automatic;
    let is_customer = matching::is_customer(conn, request, written_by(email))?;
    detail.insert("known".to_owned(), is_customer.into());
    Ok(NewMessage {
        counts: is_customer && email.is_verified && !email.marks.contains(&EmailMark::Away),
        is_automatic,
        detail,
    })
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
fn describe(conn: &Connection, id: &str, email: &ReceivedEmail, detail: &Metadata) -> Result<()> {
    conn.prepare_cached(
        "UPDATE received_emails SET class = ?2, message_id = ?3, sender = ?4, detail = ?5
         WHERE id = ?1",
    )?
    .execute(params![
        id,
        email.class.as_str(),
        email.message_id,
        email.from,
        row::text(detail)?
    ])?;
    Ok(())
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
    conn.prepare_cached("UPDATE received_emails SET state = 'unmatched' WHERE id = ?1")?
        .execute([id])?;
    Ok(Taken::Unmatched { of_person })
}
