//! The site's content: published versions, the rendered pages of the newest, and drafts.

pub mod drafts;
pub(super) mod license_warnings;
pub(super) mod pictures;
pub mod publish;
pub mod schedule;

use std::collections::BTreeMap;

use poem_openapi::Object;
use rusqlite::Connection;

use super::database::row::read_row;
use super::{Result, Store, query};
use domain::clock::Time;
use domain::content::Sections;

/// The newest published version.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// Its number; 0 if nothing has been published.
    pub version: i64,
    /// The sections that differ from the shipped ones.
    pub sections: Sections,
    /// The days on which pages changed, by path.
    pub days: BTreeMap<String, String>,
    /// `None` if they are missing.
    pub pages: Option<StoredPages>,
}

/// The rendered pages of a version.
#[derive(Clone, Debug)]
pub struct StoredPages {
    /// The version of the renderer that made them.
    pub renderer: String,
    /// The pages, compressed.
    pub packed: Vec<u8>,
}

/// A published version.
#[derive(Clone, Debug, Object)]
#[oai(rename = "SiteVersion")]
pub struct VersionRow {
    pub version: i64,
    /// When it was published.
    pub at: Time,
    /// The address of the account; null for the command line or a deleted account.
    pub by: Option<String>,
    /// `publish`, `import` or `back`.
    pub reason: String,
    /// The sections that differ from the shipped ones.
    pub sections: Vec<String>,
}

/// The outcome of storing a draft or a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Stored, with this number.
    Ok(i64),
    /// Not stored: edited concurrently.
    Conflict,
}

impl Store {
    /// The newest published version.
    pub async fn published_content(&self) -> Result<Published> {
        self.read(published).await
    }

    /// The number of the newest version; 0 if there is none.
    pub async fn content_version(&self) -> Result<i64> {
        self.read(newest).await
    }

    /// The sections of an earlier version; `None` if it was deleted. Version 0 has no sections.
    pub async fn content_sections(&self, version: i64) -> Result<Option<Sections>> {
        if version == 0 {
            return Ok(Some(Sections::new()));
        }
        let read = move |conn: &Connection| {
            let select = "SELECT sections FROM content_versions WHERE version = ?1";
            let text: Option<String> = query::optional(conn, select, [version], |row| row.get(0))?;
            Ok(text.map(|text| parse(&text)))
        };
        self.read(read).await
    }

    /// The history, newest first.
    pub async fn content_history(&self) -> Result<Vec<VersionRow>> {
        let read = |conn: &Connection| {
            let sql = "SELECT version, published_at, email, reason,
                  (SELECT json_group_array(key) FROM json_each(sections)) AS changed
                FROM content_versions LEFT JOIN users ON users.id = published_by
                ORDER BY version DESC";
            query::all(conn, sql, [], |row| {
                read_row!(row => VersionRow {
                    version, at: "published_at", by: "email", reason, sections: "changed",
                })
            })
        };
        self.read(read).await
    }
}

fn newest(conn: &Connection) -> Result<i64> {
    let select = "SELECT coalesce(max(version), 0) FROM content_versions";
    query::one(conn, select, [], |row| row.get(0))
}

/// The sections of the newest version.
pub(super) fn newest_sections(conn: &Connection) -> Result<Sections> {
    Ok(published(conn)?.sections)
}

fn published(conn: &Connection) -> Result<Published> {
    let version = newest(conn)?;
    let select = "SELECT sections, days FROM content_versions WHERE version = ?1";
    let found: Option<(String, String)> =
        query::optional(conn, select, [version], |row| row.try_into())?;
    let Some((sections, days)) = found else {
        return Ok(Published::default());
    };
    let select = "SELECT renderer, pages FROM content_pages WHERE version = ?1";
    let read = read_row!(StoredPages => renderer, packed: "pages");
    let pages = query::optional(conn, select, [version], read)?;
    Ok(Published {
        version,
        sections: parse(&sections),
        days: parse(&days),
        pages,
    })
}

/// The value of a JSON column written by this module.
fn parse<T: serde::de::DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}
