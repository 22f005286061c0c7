//! Contact messages: stored with their notice.

use rusqlite::{Connection, Row, params};

use super::submissions::{Submission, Submitted, once};
use super::{Result, Store, json, outbox, time};
use crate::domain::clock::Time;
use crate::domain::contact::{ContactMessage, NewContact};
use crate::domain::ids;
use crate::domain::notice::Notice;

impl Store {
    /// Stores a contact message with the notice to the office, unless it came before or comes too often.
    ///
    /// # Errors
    /// `Busy`, `Full`, or what the database says; nothing is stored then.
    pub async fn submit_contact(
        &self,
        contact: NewContact,
        submission: Submission,
        now: Time,
    ) -> Result<Submitted> {
        self.write(move |conn| {
            once(conn, "contact", &submission, now, |conn| {
                insert(conn, &contact, now)
            })
        })
        .await
    }

    /// One contact message.
    ///
    /// # Errors
    /// `Missing` when there is none under this id.
    pub async fn contact(&self, id: String) -> Result<ContactMessage> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT id, created_at, first_name, last_name, email, phone, company, service, details, attribution FROM contact_messages WHERE id = ?1",
            )?;
            Ok(find.query_row([id], contact_of)?)
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
        json(contact.attribution.as_ref())
    ])?;
    outbox::enqueue(conn, &Notice::Contact { id: id.clone() }, now)?;
    Ok(id)
}

fn contact_of(row: &Row<'_>) -> rusqlite::Result<ContactMessage> {
    Ok(ContactMessage {
        id: row.get(0)?,
        created_at: time(row, 1)?,
        first_name: row.get(2)?,
        last_name: row.get(3)?,
        email: row.get(4)?,
        phone: row.get(5)?,
        company: row.get(6)?,
        service: row.get(7)?,
        details: row.get(8)?,
        attribution: row
            .get::<_, Option<String>>(9)?
            .and_then(|text| serde_json::from_str(&text).ok()),
    })
}
