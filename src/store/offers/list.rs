//! The list of offers.

use poem_openapi::Object;
use rusqlite::{Connection, params_from_iter};

use super::offer::Offer;
use super::read;
use crate::database::row::read_row;
use crate::lists::conditions::Conditions;
use crate::request::acceptances::UNCONFIRMED;
use crate::{Result, Store, query};
use domain::clock::{DAY_MS, Time};

/// How soon an offer ends that is listed as expiring, in milliseconds: a week.
pub(crate) const EXPIRING_MS: i64 = 7 * DAY_MS;

domain::text_enum! {
    /// A part of the list.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OfferView {
        /// Not sent yet.
        Draft = "draft",
        /// Waits for the customer.
        Waiting = "waiting",
        /// Waits, and ends within a week.
        Expiring = "expiring",
        Accepted = "accepted",
        /// Accepted by the customer, and no admin has confirmed that.
        Unconfirmed = "unconfirmed",
        Declined = "declined",
        Expired = "expired",
        Withdrawn = "withdrawn",
    }
}

impl OfferView {
    /// The condition on an offer and its current version; `?1` is the time, `?2` that of
    /// `EXPIRING_MS` later.
    pub(crate) fn condition(self) -> String {
        let condition = match self {
            Self::Draft => "version = 0",
            Self::Waiting => "state = 'sent' AND expires_at > ?1",
            Self::Expiring => "state = 'sent' AND expires_at > ?1 AND expires_at <= ?2",
            Self::Accepted => "state = 'accepted'",
            Self::Unconfirmed => {
                return format!(
                    "state = 'accepted' AND EXISTS (SELECT 1 FROM events
                       WHERE events.seq = offers.seq AND detail ->> 'number' = offers.number
                         AND {UNCONFIRMED})"
                );
            }
            Self::Declined => "state = 'declined'",
            Self::Expired => "(state = 'expired' OR state = 'sent' AND expires_at <= ?1)",
            Self::Withdrawn => "state = 'withdrawn'",
        };
        condition.to_owned()
    }
}

/// What a list of offers is asked for.
#[derive(Clone, Debug, Default)]
pub struct OfferQuery {
    /// All without it.
    pub view: Option<OfferView>,
    /// Words of the number, the customer or the place, as they are written there; empty: any.
    pub search: String,
    /// The first version was sent at this time or later.
    pub since: Option<Time>,
    /// The first version was sent before this time.
    pub until: Option<Time>,
    /// The user who has sent the first version.
    pub sent_by: Option<String>,
    /// Whether the customer has opened a version.
    pub opened: Option<bool>,
    /// Whether its value is for a week, or else for a term.
    pub is_weekly: Option<bool>,
    /// The number of offers to leave out from the start.
    pub skip: u32,
}

/// The values of offers. A value for a week is never added to one for a term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Object)]
pub struct OfferTotals {
    /// Of the offers that run on, for one week.
    pub weekly_cents: i64,
    /// Of the offers with an end, for all of their time.
    pub term_cents: i64,
}

/// A page of the list.
#[derive(Clone, Debug)]
pub struct OfferList {
    pub offers: Vec<Offer>,
    /// The number of offers in each view that pass the rest of the query.
    pub counts: Vec<(OfferView, u32)>,
    /// Of the offers of the view.
    pub totals: OfferTotals,
    /// Whether there are more.
    pub has_more: bool,
}

impl Store {
    /// Up to `limit` offers; the last changed first.
    pub async fn offers(&self, query: OfferQuery, limit: u32, now: Time) -> Result<OfferList> {
        self.read(move |conn| {
            let all = query.conditions(now);
            let counts = counts(conn, &all)?;
            let mut listed = all;
            if let Some(view) = query.view {
                listed.add(view.condition());
            }
            let totals = totals(conn, &listed)?;
            let size = usize::try_from(limit).unwrap_or(usize::MAX);
            let page = [limit.saturating_add(1), query.skip];
            listed.values.extend(page.map(Into::into));
            let last = listed.values.len();
            let order = format!(
                "number IN (SELECT number FROM {FOUND} WHERE {}
                   ORDER BY updated_at DESC, number DESC LIMIT ?{} OFFSET ?{last})
                 ORDER BY updated_at DESC, number DESC",
                listed.sql(),
                last - 1
            );
            let mut offers = read::offers(conn, &order, params_from_iter(listed.values))?;
            let has_more = offers.len() > size;
            offers.truncate(size);
            Ok(OfferList {
                offers,
                counts,
                totals,
                has_more,
            })
        })
        .await
    }
}

/// That a version of the offer is its first one: there is none before it.
const IS_FIRST: &str = "NOT EXISTS (SELECT 1 FROM offer_states AS earlier
    WHERE earlier.number = first.number AND earlier.version < first.version)";

impl OfferQuery {
    /// The conditions but that of the view, on `FOUND`. `?1` and `?2` are those of
    /// `OfferView::condition`.
    fn conditions(&self, now: Time) -> Conditions {
        let mut all = Conditions::default();
        let times = [now, now.plus_millis(EXPIRING_MS)];
        all.values.extend(times.map(|time| time.to_string().into()));
        all.add("?1 < ?2");
        if !self.search.is_empty() {
            let words = self.search.to_lowercase();
            all.bind("instr(lower(concat_ws(' ', number, customer)), ?)", words);
        }
        for (bound, time) in [("sent_at >= ?", self.since), ("sent_at < ?", self.until)] {
            if let Some(time) = time {
                let found = format!(
                    "number IN (SELECT number FROM offer_states AS first \
                     WHERE {bound} AND {IS_FIRST})"
                );
                all.bind(&found, time.to_string());
            }
        }
        if let Some(user) = &self.sent_by {
            let found = format!(
                "EXISTS (SELECT 1 FROM offer_states AS first
                   WHERE first.number = offers.number AND first.sent_by = ? AND {IS_FIRST})"
            );
            all.bind(&found, user.clone());
        }
        all.flag(
            self.opened,
            "EXISTS (SELECT 1 FROM offer_states AS opened
               WHERE opened.number = offers.number AND opened.opened_at IS NOT NULL)",
        );
        all.flag(self.is_weekly, "is_weekly = 1");
        all
    }
}

/// The offers with their current versions and requests.
const FOUND: &str = "offers LEFT JOIN offer_states USING (number, version)
    LEFT JOIN (SELECT seq AS request,
        concat_ws(' ', first_name, last_name, company, location, email) AS customer FROM requests)
      ON request = seq";

fn totals(conn: &Connection, listed: &Conditions) -> Result<OfferTotals> {
    let sql = format!(
        "SELECT coalesce(sum(total_cents) FILTER (WHERE is_weekly), 0) AS weekly_cents,
           coalesce(sum(total_cents) FILTER (WHERE NOT is_weekly), 0) AS term_cents
         FROM {FOUND} WHERE {}",
        listed.sql()
    );
    let read = read_row!(OfferTotals => weekly_cents, term_cents);
    let totals = query::one(conn, &sql, params_from_iter(&listed.values), read)?;
    Ok(totals)
}

fn counts(conn: &Connection, all: &Conditions) -> Result<Vec<(OfferView, u32)>> {
    let columns =
        OfferView::ALL.map(|view| format!("count(*) FILTER (WHERE {})", view.condition()));
    let sql = format!(
        "SELECT {} FROM {FOUND} WHERE {}",
        columns.join(", "),
        all.sql()
    );
    let counts = query::one(conn, &sql, params_from_iter(&all.values), |row| {
        let count = |(index, view): (usize, OfferView)| Ok((view, row.get(index)?));
        OfferView::ALL.into_iter().enumerate().map(count).collect()
    })?;
    Ok(counts)
}
