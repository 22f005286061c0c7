//! The rates that offers are made with: published versions, and the draft of the next.

use rusqlite::{Connection, params};

use crate::accounts::actor::Actor;
use crate::accounts::audit;
use crate::database::row::{self, read_row};
use crate::{Error, Result, Store, conflict, query};
use domain::account::Metadata;
use domain::clock::Time;
use domain::offer::rates::Rates;

/// Published rates. Version 0 is the sample of the program.
#[derive(Clone, Debug)]
pub struct PublishedRates {
    pub version: i64,
    pub rates: Rates,
    pub published_at: Option<Time>,
    /// A user's id.
    pub published_by: Option<String>,
}

/// The draft of the next version.
#[derive(Clone, Debug)]
pub struct RatesDraft {
    /// Grows with each change.
    pub revision: i64,
    pub rates: Rates,
    pub saved_at: Time,
    /// A user's id.
    pub saved_by: String,
}

/// The rates in force, and the draft of the next version.
#[derive(Clone, Debug)]
pub struct CurrentRates {
    pub published: PublishedRates,
    pub draft: Option<RatesDraft>,
}

impl Store {
    /// The rates in force, and their draft.
    pub async fn rates(&self) -> Result<CurrentRates> {
        self.read(|conn| {
            Ok(CurrentRates {
                published: current(conn)?,
                draft: draft(conn)?,
            })
        })
        .await
    }

    /// Saves the draft over its `revision`, 0 if there is none; returns the new revision. Errors:
    /// `Conflict` if it was changed since.
    pub async fn save_rates(
        &self,
        revision: i64,
        rates: Rates,
        by: String,
        now: Time,
    ) -> Result<i64> {
        self.write(move |conn| {
            check_revision(conn, revision)?;
            conn.execute(
                "INSERT INTO rate_draft (id, revision, rates, saved_at, saved_by)
                 VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET
                   revision = ?1, rates = ?2, saved_at = ?3, saved_by = ?4",
                params![revision + 1, row::text(&rates)?, now.to_string(), by],
            )?;
            Ok(revision + 1)
        })
        .await
    }

    /// Deletes the draft. Errors: `Conflict` if it was changed since `revision`.
    pub async fn discard_rates(&self, revision: i64) -> Result<()> {
        self.write(move |conn| {
            check_revision(conn, revision)?;
            query::run(conn, "DELETE FROM rate_draft", [])
        })
        .await
    }

    /// Publishes the draft of this `revision`; returns the version. Errors: `Missing` without a
    /// draft; `Conflict` if it was changed since.
    pub async fn publish_rates(&self, revision: i64, by: Actor, now: Time) -> Result<i64> {
        self.write(move |conn| {
            check_revision(conn, revision)?;
            let draft = draft(conn)?.ok_or(Error::Missing)?;
            let version = current(conn)?.version + 1;
            conn.execute(
                "INSERT INTO rate_versions (version, rates, published_at, published_by)
                 VALUES (?1, ?2, ?3, ?4)",
                params![
                    version,
                    row::text(&draft.rates)?,
                    now.to_string(),
                    by.user_id
                ],
            )?;
            conn.execute("DELETE FROM rate_draft", [])?;
            let entry = audit::Entry {
                action: "rates_published",
                actor: &by.user_id,
                subject_id: None,
                client: Some(&by.client),
                detail: &Metadata::from_iter([("version".to_owned(), version.into())]),
            };
            audit::record(conn, &entry, now)?;
            Ok(version)
        })
        .await
    }
}

/// The published rates, or the sample.
pub(super) fn current(conn: &Connection) -> Result<PublishedRates> {
    let sql = "SELECT version, rates, published_at, published_by FROM rate_versions
        ORDER BY version DESC LIMIT 1";
    let read = read_row!(PublishedRates => version, rates, published_at, published_by);
    let found = query::optional(conn, sql, [], read)?;
    match found {
        Some(published) => Ok(published),
        None => Ok(PublishedRates {
            version: 0,
            rates: sample()?,
            published_at: None,
            published_by: None,
        }),
    }
}

/// Whether the published rates name no lawyer who has confirmed their texts.
pub(crate) fn are_unconfirmed(conn: &Connection) -> Result<bool> {
    let current = current(conn)?;
    Ok(current.version > 0 && current.rates.confirmed_by.trim().is_empty())
}

/// The rates of version 0.
pub(super) fn sample() -> Result<Rates> {
    Rates::sample().map_err(|_| Error::Failed)
}

fn draft(conn: &Connection) -> Result<Option<RatesDraft>> {
    let sql = "SELECT revision, rates, saved_at, saved_by FROM rate_draft";
    let read = read_row!(RatesDraft => revision, rates, saved_at, saved_by);
    query::optional(conn, sql, [], read)
}

fn check_revision(conn: &Connection, revision: i64) -> Result<()> {
    let stored = draft(conn)?.map_or(0, |draft| draft.revision);
    match stored == revision {
        true => Ok(()),
        false => conflict(
            "A colleague has changed the draft of the rates since you opened it. Reload it, then \
             change it again.",
        ),
    }
}
