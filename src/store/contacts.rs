//! Contact messages: stored with their notice.

use rusqlite::{Connection, Row, params};

use super::submissions::{Submission, Submitted, insert_once};
use super::{Result, Store, outbox, row};
use crate::domain::clock::Time;
use crate::domain::contact::{ContactMessage, NewContact};
use crate::domain::ids;
use crate::domain::notice::Notice;

impl Store {
    /// Stores a contact message with the notice to the staff, unless it is a duplicate or over the
    /// rate limit.
    ///
    /// # Errors
    /// `Busy`, `Full`, or the error of the database; nothing is stored then.
    pub async fn submit_contact(
        &self,
        contact: NewContact,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        let index = self.submission_index.clone();
        self.write(move |conn| {
            insert_once(conn, &index, "contact", &submission, now, |conn| {
                insert(conn, &contact, now)
            })
        })
        .await
    }

    /// One contact message.
    ///
    /// # Errors
    /// `Missing` for an unknown id.
    pub async fn contact(&self, id: String) -> Result<ContactMessage> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT id, created_at, first_name, last_name, email, phone, company, service, details, attribution
                 FROM contact_messages WHERE id = ?1",
            )?;
            Ok(find.query_row([id], read)?)
        })
        .await
    }
}

fn insert(conn: &Connection, contact: &NewContact, now: Time) -> Result<String> {
    let id = ids::new(now).to_string();
    conn.prepare_cached(
        "INSERT INTO contact_messages (id, created_at, first_name, last_name, email, phone, company, service, details, attribution)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        id,
        now.to_string(),
        contact.first_name,
        contact.last_name,
        contact.email,
        contact.phone,
        contact.company,
        contact.service,
        contact.details,
        contact.attribution.as_ref().map(row::text).transpose()?
    ])?;
    outbox::enqueue(conn, &Notice::contact(id.clone()), now)?;
    Ok(id)
}

fn read(found: &Row<'_>) -> rusqlite::Result<ContactMessage> {
    Ok(ContactMessage {
        id: found.get("id")?,
        created_at: row::time(found, "created_at")?,
        first_name: row::visible_text(found, "first_name")?,
        last_name: row::visible_text(found, "last_name")?,
        email: row::visible_text(found, "email")?,
        phone: row::visible_text(found, "phone")?,
        company: row::optional_visible_text(found, "company")?,
        service: row::visible_text(found, "service")?,
        details: row::visible_text(found, "details")?,
        attribution: row::attribution(found, "attribution")?,
    })
}
