//! Publishes a version of the content, and replaces the rendered pages of the newest.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::drafts::draft_number;
use super::pictures::forget_unnamed;
use super::{Stored, newest};
use crate::database::row;
use crate::{Result, Store, outbox, query};
use domain::clock::Time;
use domain::content::Sections;
use domain::email::notice::Notice;

const KEPT_VERSIONS: i64 = 30;

/// Why a version was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// From the drafts of the dashboard.
    Publish,
    /// By the command `content import`.
    Import,
    /// A return to an earlier version.
    Back,
}

impl Reason {
    /// Its name in the database and in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Import => "import",
            Self::Back => "back",
        }
    }
}

#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The newest version when this one was prepared; publishing fails if there is a newer one.
    pub base: i64,
    /// The user's id; `None` for a command.
    pub by: Option<String>,
    pub reason: Reason,
    /// The sections that differ from the shipped ones.
    pub sections: Sections,
    /// The days on which pages changed, by path.
    pub days: BTreeMap<String, String>,
    /// The renderer that made the pages.
    pub renderer: String,
    /// The rendered pages, compressed.
    pub pages: Vec<u8>,
    /// The drafts that it contains, which are deleted: their numbers by section.
    pub drafts: BTreeMap<String, i64>,
    /// The email that it causes.
    pub notice: Option<Notice>,
}

impl Store {
    /// Publishes a version: it becomes the newest, and its drafts are deleted, in one transaction.
    pub async fn publish_content(&self, new: NewVersion, now: Time) -> Result<Stored> {
        self.write(move |conn| publish(conn, &new, now)).await
    }

    /// Replaces the rendered pages of a version, if it is still the newest.
    pub async fn store_content_pages(
        &self,
        version: i64,
        renderer: String,
        pages: Vec<u8>,
    ) -> Result<()> {
        self.write(move |conn| {
            if newest(conn)? == version {
                write_pages(conn, version, &renderer, &pages)?;
            }
            Ok(())
        })
        .await
    }
}

fn publish(conn: &Connection, new: &NewVersion, now: Time) -> Result<Stored> {
    if newest(conn)? != new.base {
        return Ok(Stored::Conflict);
    }
    for (section, number) in &new.drafts {
        if draft_number(conn, section)? != *number {
            return Ok(Stored::Conflict);
        }
        conn.execute("DELETE FROM content_drafts WHERE section = ?1", [section])?;
    }
    let version = new.base + 1;
    row::insert_row!(conn, "content_versions", {
        version: version, published_at: now.to_string(), published_by: new.by,
        reason: new.reason.name(), sections: text(&new.sections), days: text(&new.days),
    })?;
    write_pages(conn, version, &new.renderer, &new.pages)?;
    if let Some(notice) = &new.notice {
        outbox::enqueue(conn, notice, now)?;
    }
    let forget = "DELETE FROM content_versions WHERE version <= ?1";
    conn.execute(forget, [version - KEPT_VERSIONS])?;
    forget_unnamed(conn, now)?;
    Ok(Stored::Ok(version))
}

fn write_pages(conn: &Connection, version: i64, renderer: &str, pages: &[u8]) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO content_pages (id, version, renderer, pages)
         VALUES (1, ?1, ?2, ?3)";
    query::run(conn, sql, params![version, renderer, pages])
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
