//! The site's content: published versions, the rendered pages of the newest, and drafts.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::content_pictures::forget_unnamed;
use super::{Result, Store};
use crate::domain::clock::Time;
use crate::domain::content::Sections;

/// How many versions are kept.
const KEPT_VERSIONS: i64 = 30;

/// Why a version was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// From the drafts of the dashboard.
    Publish,
    /// By the command `content import`.
    Import,
    /// A step back to an earlier version.
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

/// A version to publish.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The newest version when it was made; publishing fails if there is a newer one.
    pub base: i64,
    /// The user's id; `None`: a command.
    pub by: Option<String>,
    /// Why.
    pub reason: Reason,
    /// The sections that differ from the shipped ones.
    pub sections: Sections,
    /// The days on which pages changed, by path.
    pub days: BTreeMap<String, String>,
    /// The renderer that made the pages.
    pub renderer: String,
    /// The rendered pages, compressed.
    pub pages: Vec<u8>,
    /// The drafts that it contains, which are deleted: numbers by section.
    pub drafts: BTreeMap<String, i64>,
}

/// The newest published version.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// Its number; 0: nothing was ever published.
    pub version: i64,
    /// The sections that differ from the shipped ones.
    pub sections: Sections,
    /// The days on which pages changed, by path.
    pub days: BTreeMap<String, String>,
    /// The renderer that made the pages, and the pages, compressed; `None` if they are missing.
    pub pages: Option<(String, Vec<u8>)>,
}

/// A line of the history.
#[derive(Clone, Debug)]
pub struct VersionRow {
    /// Its number.
    pub version: i64,
    /// When it was published.
    pub at: String,
    /// The email address of the account that published it; `None`: a command, or the account is
    /// gone.
    pub by: Option<String>,
    /// The name of a `Reason`.
    pub reason: String,
    /// The keys of the sections that differ from the shipped ones.
    pub sections: Vec<String>,
}

/// A section that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its key.
    pub section: String,
    /// Counts the changes.
    pub number: i64,
    /// The section.
    pub value: serde_json::Value,
    /// When it was saved.
    pub at: String,
    /// The email address of the account that saved it; `None`: the account is gone.
    pub by: Option<String>,
}

/// What became of a draft or a version that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Stored, with this number.
    Ok(i64),
    /// Not stored: somebody else was faster.
    Conflict,
}

impl Store {
    /// The newest published version.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn published_content(&self) -> Result<Published> {
        self.read(published).await
    }

    /// The number of the newest version; 0 if there is none.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn content_version(&self) -> Result<i64> {
        self.read(newest).await
    }

    /// The sections of an earlier version; `None` if it is not kept. Version 0 has none.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn content_sections(&self, version: i64) -> Result<Option<Sections>> {
        if version == 0 {
            return Ok(Some(Sections::new()));
        }
        let read = move |conn: &Connection| {
            let select = "SELECT sections FROM content_versions WHERE version = ?1";
            let text = conn
                .query_row(select, [version], |row| row.get::<_, String>(0))
                .optional()?;
            Ok(text.map(|text| parse(&text)))
        };
        self.read(read).await
    }

    /// The history, newest first.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn content_history(&self) -> Result<Vec<VersionRow>> {
        let read = |conn: &Connection| {
            let mut select = conn.prepare_cached(
                "SELECT version, published_at, email, reason,
                   (SELECT json_group_array(key) FROM json_each(sections))
                 FROM content_versions LEFT JOIN users ON users.id = published_by
                 ORDER BY version DESC",
            )?;
            let rows = select.query_map([], |row| {
                Ok(VersionRow {
                    version: row.get(0)?,
                    at: row.get(1)?,
                    by: row.get(2)?,
                    reason: row.get(3)?,
                    sections: parse(&row.get::<_, String>(4)?),
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        self.read(read).await
    }

    /// Publishes a version: it becomes the newest, and its drafts are deleted, in one transaction.
    ///
    /// # Errors
    /// Those of every write.
    pub async fn publish_content(&self, new: NewVersion, now: Time) -> Result<Stored> {
        self.write(move |conn| publish(conn, &new, now)).await
    }

    /// Replaces the rendered pages of a version, if it is still the newest.
    ///
    /// # Errors
    /// Those of every write.
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

    /// The drafts, by section.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn content_drafts(&self) -> Result<Vec<Draft>> {
        let read = |conn: &Connection| {
            let mut select = conn.prepare_cached(
                "SELECT section, number, value, saved_at, email
                 FROM content_drafts LEFT JOIN users ON users.id = saved_by ORDER BY section",
            )?;
            let rows = select.query_map([], |row| {
                Ok(Draft {
                    section: row.get(0)?,
                    number: row.get(1)?,
                    value: parse(&row.get::<_, String>(2)?),
                    at: row.get(3)?,
                    by: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        };
        self.read(read).await
    }

    /// Saves the draft of a section over the one with `number` (0: there is none).
    ///
    /// # Errors
    /// Those of every write.
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
            conn.prepare_cached(
                "INSERT INTO content_drafts (section, number, value, saved_at, saved_by)
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (section) DO UPDATE SET
                 number = ?2, value = ?3, saved_at = ?4, saved_by = ?5",
            )?
            .execute(params![
                section,
                next,
                value.to_string(),
                now.to_string(),
                by
            ])?;
            Ok(Stored::Ok(next))
        })
        .await
    }

    /// Deletes the draft of a section with this `number`.
    ///
    /// # Errors
    /// Those of every write.
    pub async fn discard_content_draft(&self, section: String, number: i64) -> Result<Stored> {
        self.write(move |conn| {
            let delete = "DELETE FROM content_drafts WHERE section = ?1 AND number = ?2";
            let rows = conn
                .prepare_cached(delete)?
                .execute(params![section, number])?;
            Ok(if rows == 1 {
                Stored::Ok(0)
            } else {
                Stored::Conflict
            })
        })
        .await
    }
}

fn newest(conn: &Connection) -> Result<i64> {
    let select = "SELECT coalesce(max(version), 0) FROM content_versions";
    Ok(conn
        .prepare_cached(select)?
        .query_row([], |row| row.get(0))?)
}

/// The sections of the newest version.
pub(super) fn newest_sections(conn: &Connection) -> Result<Sections> {
    Ok(published(conn)?.sections)
}

fn published(conn: &Connection) -> Result<Published> {
    let version = newest(conn)?;
    let select = "SELECT sections, days FROM content_versions WHERE version = ?1";
    let found = conn
        .query_row(select, [version], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        })
        .optional()?;
    let Some((sections, days)) = found else {
        return Ok(Published::default());
    };
    let select = "SELECT renderer, pages FROM content_pages WHERE version = ?1";
    let pages = conn
        .query_row(select, [version], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(Published {
        version,
        sections: parse(&sections),
        days: parse(&days),
        pages,
    })
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
    conn.execute(
        "INSERT INTO content_versions (version, published_at, published_by, reason, sections, days)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            version,
            now.to_string(),
            new.by,
            new.reason.name(),
            text(&new.sections),
            text(&new.days),
        ],
    )?;
    write_pages(conn, version, &new.renderer, &new.pages)?;
    let forget = "DELETE FROM content_versions WHERE version <= ?1";
    conn.execute(forget, [version - KEPT_VERSIONS])?;
    forget_unnamed(conn, now)?;
    Ok(Stored::Ok(version))
}

fn write_pages(conn: &Connection, version: i64, renderer: &str, pages: &[u8]) -> Result<()> {
    conn.execute(
        "INSERT OR REPLACE INTO content_pages (id, version, renderer, pages)
         VALUES (1, ?1, ?2, ?3)",
        params![version, renderer, pages],
    )?;
    Ok(())
}

fn draft_number(conn: &Connection, section: &str) -> Result<i64> {
    let select = "SELECT number FROM content_drafts WHERE section = ?1";
    let number = conn
        .query_row(select, [section], |row| row.get(0))
        .optional()?;
    Ok(number.unwrap_or_default())
}

/// The value of a column that this file has written.
fn parse<T: serde::de::DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
