//! Contact messages: stored with their notice.

use rusqlite::Connection;

use super::spam::spam_hold;
use super::spam::spam_hold::Judged;
use crate::database::row;
use crate::inbox::submissions::{Submission, Submitted, insert_once};
use crate::request::requests::{NewIds, new_ids};
use crate::search::index;
use crate::{Result, Store, outbox};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::figures::source::Origin;
use domain::phone;
use domain::request::RequestKind;
use domain::request::contact::NewContact;

impl Store {
    /// Stores a contact message with the notice to the staff, unless it is a duplicate or over the
    /// rate limit. Errors: `Busy`, `Full`, or the error of the database; nothing is stored then.
    pub fn submit_contact(
        &self,
        contact: NewContact,
        submission: Submission,
        now: Time,
    ) -> impl Future<Output = Result<Submitted>> {
        let texts = self.recent_texts.clone();
        self.write(move |conn| {
            insert_once(conn, &texts, "contact", &submission, now, |conn, judged| {
                let ids = insert(conn, &contact, &judged, now)?;
                match judged.is_held {
                    true => {
                        let reasons = &judged.reasons;
                        spam_hold::hold(conn, RequestKind::Message, ids.seq, reasons, now)?
                    }
                    false => outbox::enqueue(conn, &Notice::contact(ids.id.clone()), now)?,
                }
                Ok((ids.id, ids.reference))
            })
        })
    }
}

pub(crate) fn insert(
    conn: &Connection,
    contact: &NewContact,
    judged: &Judged,
    now: Time,
) -> Result<NewIds> {
    let ids = new_ids(conn, now)?;
    let at = now.to_string();
    let origin = Origin::of(contact.attribution.as_ref());
    row::insert_row!(conn, "requests", {
        seq: ids.seq,
        kind: "message",
        id: ids.id,
        ordinal: ids.ordinal,
        reference: ids.reference,
        created_at: at,
        updated_at: at,
        first_name: contact.first_name,
        last_name: contact.last_name,
        email: contact.email,
        phone: contact.phone,
        number: phone::e164(&contact.phone),
        company: contact.company,
        service: contact.service,
        description: contact.details,
        extra_fields: row::extra_fields(&contact.extra_fields)?,
        attribution: contact.attribution.as_ref().map(row::text).transpose()?,
        origin_source: origin.source.as_str(),
        origin_campaign: origin.campaign,
        origin_entry_page: origin.entry_page,
        signals: judged.signals()?,
    })?;
    if ids.is_out_of_order {
        index::index_out_of_order(conn, ids.seq)?;
    }
    Ok(ids)
}
