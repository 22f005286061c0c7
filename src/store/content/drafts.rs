//! Drafts: the sections that are being edited.

use poem_openapi::Object;
use rusqlite::{Connection, params};

use super::Stored;
use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;

/// The account that saved a draft, and the time.
#[derive(Clone, Debug, Object)]
#[oai(rename = "SavedDraft")]
pub struct Draft {
    /// The key of the section.
    #[oai(skip)]
    pub section: String,
    /// The revision, incremented by each change; send it with the next change.
    pub number: i64,
    /// The section.
    #[oai(skip)]
    pub value: serde_json::Value,
    /// When it was saved.
    pub at: Time,
    /// The address of the account; null if it was deleted.
    pub by: Option<String>,
}

impl Store {
    /// The drafts, by section.
    pub async fn content_drafts(&self) -> Result<Vec<Draft>> {
        let read = |conn: &Connection| {
            let sql = "SELECT section, number, value, saved_at, email
                FROM content_drafts LEFT JOIN users ON users.id = saved_by ORDER BY section";
            let read = read_row!(Draft => section, number, value, at: "saved_at", by: "email");
            query::all(conn, sql, [], read)
        };
        self.read(read).await
    }

    /// Saves the draft of a section over revision `number` (0: no draft exists).
    pub async fn save_content_draft(
        &self,
        section: String,
        number: i64,
        value: serde_json::Value,
        by: String,
        now: Time,
    ) -> Result<Stored> {
        self.write(move |conn| {
            if draft_number(conn, &section)? != number {
                return Ok(Stored::Conflict);
            }
            let next = number + 1;
            let sql = "INSERT INTO content_drafts (section, number, value, saved_at, saved_by)
                VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (section) DO UPDATE SET
                number = ?2, value = ?3, saved_at = ?4, saved_by = ?5";
            let values = params![section, next, value.to_string(), now.to_string(), by];
            query::execute(conn, sql, values)?;
            Ok(Stored::Ok(next))
        })
        .await
    }

    /// Deletes the draft of a section with this `number`.
    pub async fn discard_content_draft(&self, section: String, number: i64) -> Result<Stored> {
        self.write(move |conn| {
            let delete = "DELETE FROM content_drafts WHERE section = ?1 AND number = ?2";
            let rows = query::execute(conn, delete, params![section, number])?;
            Ok(if rows == 1 {
                Stored::Ok(0)
            } else {
                Stored::Conflict
            })
        })
        .await
    }
}

pub(super) fn draft_number(conn: &Connection, section: &str) -> Result<i64> {
    let select = "SELECT number FROM content_drafts WHERE section = ?1";
    let number = query::optional(conn, select, [section], |row| row.get(0))?;
    Ok(number.unwrap_or_default())
}
