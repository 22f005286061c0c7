//! Sample requests of a demonstration database.

use rusqlite::{Connection, params};

use super::spam::spam_hold;
use super::spam::spam_hold::Judged;
use super::{messages, quotes};
use crate::{Error, Result, Store};
use domain::clock::Time;
use domain::request::RequestKind;
use domain::request::contact::NewContact;
use domain::request::quote::{NewQuote, Status};
use domain::spam::Reason;

/// A sample request.
#[derive(Clone, Debug)]
pub struct DemoRequest {
    pub kind: DemoRequestKind,
    pub status: Status,
    /// When it was received.
    pub at: Time,
}

/// The content of a sample.
#[derive(Clone, Debug)]
pub enum DemoRequestKind {
    Quote(Box<NewQuote>),
    /// A contact message, and the reasons for which it is held, if it is.
    Message(Box<NewContact>, Option<Vec<Reason>>),
}

/// The number of sample requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct DemoCounts {
    pub quotes: usize,
    pub messages: usize,
}

impl Store {
    /// Whether there is any request, also a sample.
    pub async fn has_requests(&self) -> Result<bool> {
        self.read(|conn| Ok(conn.prepare("SELECT 1 FROM requests")?.exists([])?))
            .await
    }

    /// Deletes the sample requests; returns how many there were.
    pub async fn remove_demo(&self) -> Result<usize> {
        self.write(delete_samples).await
    }

    /// Replaces the sample requests, each with its age and status, without notices. Errors:
    /// `Conflict` if the database holds requests that are not samples.
    pub async fn seed_demo(&self, requests: Vec<DemoRequest>) -> Result<DemoCounts> {
        self.write(move |conn| {
            refuse_real_requests(conn)?;
            delete_samples(conn)?;
            let mut counts = DemoCounts::default();
            for request in &requests {
                match &request.kind {
                    DemoRequestKind::Quote(quote) => {
                        let (status, judged) = (request.status, Judged::default());
                        quotes::insert(conn, quote, status, true, &judged, request.at)?;
                        counts.quotes += 1;
                    }
                    DemoRequestKind::Message(message, held) => {
                        let seq = insert_message(conn, message, request)?;
                        if let Some(reasons) = held {
                            let kind = RequestKind::Message;
                            spam_hold::hold(conn, kind, seq, reasons, request.at)?;
                        }
                        counts.messages += 1;
                    }
                }
            }
            Ok(counts)
        })
        .await
    }
}

fn refuse_real_requests(conn: &Connection) -> Result<()> {
    let real = "SELECT 1 FROM requests WHERE demo = 0";
    if conn.prepare(real)?.exists([])? {
        return Err(Error::Conflict(
            "this database holds real requests; samples belong in a separate database \
             (--data DIR)"
                .into(),
        ));
    }
    Ok(())
}

/// Deletes the samples with their words, events and offers; returns how many there were.
fn delete_samples(conn: &Connection) -> Result<usize> {
    for table in [
        "offer_acceptances",
        "offer_codes",
        "offer_states",
        "offer_versions",
        "offers",
    ] {
        let sql = format!(
            "DELETE FROM {table} WHERE number IN (SELECT number FROM offers WHERE seq IN (
               SELECT seq FROM requests WHERE demo = 1))"
        );
        conn.execute(&sql, [])?;
    }
    conn.execute_batch(
        "DELETE FROM request_words WHERE rowid IN (SELECT seq FROM requests WHERE demo = 1);
         DELETE FROM events WHERE seq IN (SELECT seq FROM requests WHERE demo = 1);",
    )?;
    Ok(conn.execute("DELETE FROM requests WHERE demo = 1", [])?)
}

fn insert_message(conn: &Connection, message: &NewContact, request: &DemoRequest) -> Result<i64> {
    let place = messages::insert(conn, message, &Judged::default(), request.at)?;
    conn.execute(
        "UPDATE requests SET status = ?2, demo = 1 WHERE seq = ?1",
        params![place.seq, request.status.as_str()],
    )?;
    Ok(place.seq)
}
