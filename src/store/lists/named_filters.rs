//! Named filters of the inbox: an address of the dashboard with a name, private or shared.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};

use crate::database::row::read_row;
use crate::{Error, Result, Store, conflict, query};
use domain::clock::Time;

/// A named filter.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct NamedFilter {
    pub id: String,
    pub name: String,
    /// The query string of the dashboard's address, without the question mark.
    pub query: String,
    /// Whether all admins see it.
    pub shared: bool,
    /// Whether it is yours; only its owner can delete it.
    pub own: bool,
}

/// Filters of one person.
const MAX_FILTERS: i64 = 100;

impl Store {
    /// The filters of a user and the shared ones of others, by name.
    pub async fn named_filters(&self, user_id: String) -> Result<Vec<NamedFilter>> {
        self.read(move |conn| {
            let sql = "SELECT id, name, query, shared, owner = ?1 AS own FROM inbox_filters
                WHERE owner = ?1 OR shared = 1 ORDER BY name COLLATE NOCASE, id";
            query::all(conn, sql, [user_id], read)
        })
        .await
    }

    /// Stores a filter of the user `owner`; one of theirs with the same name is replaced, which
    /// keeps its id. Errors: `Conflict` if they have too many.
    pub async fn save_filter(
        &self,
        filter: NamedFilter,
        owner: String,
        now: Time,
    ) -> Result<NamedFilter> {
        self.write(move |conn| {
            let others: i64 = conn.query_row(
                "SELECT count(*) FROM inbox_filters WHERE owner = ?1 AND name <> ?2",
                [&owner, &filter.name],
                |row| row.get(0),
            )?;
            if others >= MAX_FILTERS {
                return Err(Error::Conflict(format!(
                    "You have {MAX_FILTERS} filters; delete one first."
                )));
            }
            let sql = "INSERT INTO inbox_filters (id, owner, name, query, shared, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                ON CONFLICT (owner, name) DO UPDATE
                SET query = excluded.query, shared = excluded.shared
                RETURNING id, name, query, shared, TRUE AS own";
            let NamedFilter {
                id,
                name,
                query,
                shared,
                ..
            } = &filter;
            let values = params![id, owner, name, query, shared, now.to_string()];
            query::one(conn, sql, values, read)
        })
        .await
    }

    /// Deletes a filter of its owner. Errors: `Missing` if there is none, or it is another's and
    /// not shared; `Conflict` if it is another's.
    pub async fn delete_filter(&self, id: String, user_id: String) -> Result<()> {
        self.write(move |conn| match owner(conn, &id)? {
            Some((owner, _)) if owner == user_id => {
                query::run(conn, "DELETE FROM inbox_filters WHERE id = ?1", [&id])
            }
            Some((_, true)) => conflict("Only the person who made a shared filter can delete it."),
            _ => Err(Error::Missing),
        })
        .await
    }
}

fn owner(conn: &Connection, id: &str) -> Result<Option<(String, bool)>> {
    let sql = "SELECT owner, shared FROM inbox_filters WHERE id = ?1";
    query::optional(conn, sql, [id], |row| row.try_into())
}

fn read(row: &Row<'_>) -> rusqlite::Result<NamedFilter> {
    read_row!(row => NamedFilter { id, name, query, shared, own })
}
