//! What waits for the office: requests, offers and samples.

use rusqlite::{Connection, params};

use crate::lists::filter::RequestFilter;
use crate::offers::{EXPIRING_MS, OfferView};
use crate::{Result, Store, query};
use domain::clock::Time;
use domain::figures::to_do::ToDo;
use domain::request::due_time::AnswerTimes;

impl Store {
    /// What waits for the office. `times` are the response-time targets.
    pub async fn to_do(&self, times: AnswerTimes, now: Time) -> Result<ToDo> {
        self.read(move |conn| {
            let filter = RequestFilter {
                times,
                now,
                ..RequestFilter::default()
            };
            let overdue = filter.is_overdue();
            let sql = format!(
                "SELECT count(*) FILTER (WHERE emergency_contact = 1),
                   count(*) FILTER (WHERE {overdue}), count(*) FILTER (WHERE unread = 1),
                   count(*) FILTER (WHERE emergency_contact = 0 AND NOT ({overdue}))
                 FROM requests INDEXED BY requests_listed 
                 WHERE hidden = 0 AND open = 1 AND attention = 1"
            );
            let of_offers = of_offers(conn, now)?;
            query::one(conn, &sql, [], |row| {
                Ok(ToDo {
                    emergencies: row.get(0)?,
                    overdue: row.get(1)?,
                    unread: row.get(2)?,
                    others: row.get(3)?,
                    ..of_offers
                })
            })
        })
        .await
    }
}

/// What waits beside requests.
fn of_offers(conn: &Connection, now: Time) -> Result<ToDo> {
    let sql = format!(
        "SELECT
           (SELECT count(*) FROM offers JOIN offer_states USING (number, version) WHERE {}),
           (SELECT count(*) FROM offers JOIN offer_states USING (number, version) WHERE {}),
           (SELECT count(*) FROM requests WHERE demo = 1),
           NOT EXISTS (SELECT 1 FROM rate_versions)",
        OfferView::Expiring.condition(),
        OfferView::Unconfirmed.condition()
    );
    let soon = now.plus_millis(EXPIRING_MS);
    let values = params![now.to_string(), soon.to_string()];
    query::one(conn, &sql, values, |row| {
        Ok(ToDo {
            offers_expiring: row.get(0)?,
            offers_unconfirmed: row.get(1)?,
            sample_requests: row.get(2)?,
            has_sample_rates: row.get(3)?,
            ..ToDo::default()
        })
    })
}
