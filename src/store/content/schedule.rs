//! Drafts that are published at a time. The schedule of a section ends with its draft.

use poem_openapi::Object;
use rusqlite::{Connection, params};

use super::Stored;
use super::drafts::draft_number;
use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;

/// When a draft is published.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "SiteSchedule")]
pub struct Scheduled {
    /// The key of the section.
    #[oai(skip)]
    pub section: String,
    /// The time.
    pub at: Time,
    /// The id of the user who decided it.
    #[oai(skip)]
    pub by_id: String,
    /// The address of the account that decided it; null if it was deleted.
    pub by: Option<String>,
    /// Why it was not published; null if it is still to come.
    pub refused: Option<String>,
}

impl Store {
    /// The schedules, earliest first.
    pub async fn content_schedule(&self) -> Result<Vec<Scheduled>> {
        let read = |conn: &Connection| {
            let sql = "SELECT section, at, scheduled_by, email, refused
                FROM content_schedule LEFT JOIN users ON users.id = scheduled_by
                ORDER BY at, section";
            let read =
                read_row!(Scheduled => section, at, by_id: "scheduled_by", by: "email", refused);
            query::all(conn, sql, [], read)
        };
        self.read(read).await
    }

    /// Schedules the draft of a section with this `number`, in place of an earlier schedule.
    pub async fn schedule_content(
        &self,
        section: String,
        number: i64,
        at: Time,
        by: String,
    ) -> Result<Stored> {
        self.write(move |conn| {
            if number == 0 || draft_number(conn, &section)? != number {
                return Ok(Stored::Conflict);
            }
            let sql = "INSERT INTO content_schedule (section, at, scheduled_by) VALUES (?1, ?2, ?3)
                ON CONFLICT (section) DO UPDATE SET at = ?2, scheduled_by = ?3, refused = NULL";
            query::execute(conn, sql, params![section, at.to_string(), by])?;
            Ok(Stored::Ok(number))
        })
        .await
    }

    /// Takes a section off the schedule; its draft is kept. Returns whether it was on it.
    pub async fn unschedule_content(&self, section: String) -> Result<bool> {
        self.write(move |conn| {
            let delete = "DELETE FROM content_schedule WHERE section = ?1";
            Ok(query::execute(conn, delete, [section])? == 1)
        })
        .await
    }

    /// Notes why the scheduled publication of these sections failed.
    pub async fn refuse_scheduled(&self, sections: Vec<String>, reason: String) -> Result<()> {
        self.write(move |conn| {
            for section in &sections {
                let sql = "UPDATE content_schedule SET refused = ?2 WHERE section = ?1";
                query::execute(conn, sql, params![section, reason])?;
            }
            Ok(())
        })
        .await
    }
}
