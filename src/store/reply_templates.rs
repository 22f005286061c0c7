//! Templates of replies that admins have written: private or shared.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Error, Result, Store};
use domain::clock::Time;
use domain::ids;

/// A stored template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTemplate {
    /// UUIDv7.
    pub id: String,
    /// The user id of its owner; `None` for a shared one whose owner's account was deleted.
    pub owner: Option<String>,
    /// Its name, unique for its owner.
    pub title: String,
    pub subject: String,
    pub text: String,
    pub shared: bool,
}

impl StoredTemplate {
    /// Whether a user may change it: its owner, or anybody if a shared one has no owner.
    pub fn is_editable_by(&self, user_id: &str) -> bool {
        self.owner.as_deref().is_none_or(|owner| owner == user_id)
    }
}

/// What an admin writes of a template.
#[derive(Clone, Debug)]
pub struct TemplateText {
    pub title: String,
    pub subject: String,
    pub text: String,
    pub shared: bool,
}

/// Templates of one person.
const MAX_TEMPLATES: i64 = 100;

const COLUMNS: &str = "id, owner, title, subject, text, shared";

impl Store {
    /// The templates of a user and the shared ones of others, by title.
    pub async fn reply_templates(&self, user_id: String) -> Result<Vec<StoredTemplate>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM reply_templates WHERE owner = ?1 OR shared = 1
                 ORDER BY title COLLATE NOCASE, id"
            ))?;
            let templates = find.query_map([user_id], read)?;
            Ok(templates.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Stores a new template of a user. Errors: `Conflict` if they have too many, or one with this
    /// title.
    pub async fn add_template(
        &self,
        owner: String,
        new: TemplateText,
        now: Time,
    ) -> Result<StoredTemplate> {
        self.write(move |conn| {
            let count = "SELECT count(*) FROM reply_templates WHERE owner = ?1";
            let count: i64 = conn.query_row(count, [&owner], |row| row.get(0))?;
            if count >= MAX_TEMPLATES {
                return Err(Error::Conflict(format!(
                    "You have {MAX_TEMPLATES} templates. Delete one first."
                )));
            }
            check_title(conn, &owner, &new.title, "")?;
            let id = ids::new(now).to_string();
            let mut insert = conn.prepare_cached(&format!(
                "INSERT INTO reply_templates ({COLUMNS}, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) RETURNING {COLUMNS}"
            ))?;
            let TemplateText {
                title,
                subject,
                text,
                shared,
            } = &new;
            let values = params![id, owner, title, subject, text, shared, now.to_string()];
            Ok(insert.query_row(values, read)?)
        })
        .await
    }

    /// Changes a template. Errors: `Missing` if the user sees no such template; `Conflict` if they
    /// may not change it, or have another one with this title.
    pub async fn change_template(
        &self,
        id: String,
        user_id: String,
        new: TemplateText,
        now: Time,
    ) -> Result<StoredTemplate> {
        self.write(move |conn| {
            let owner = editable(conn, &id, &user_id)?.owner.unwrap_or(user_id);
            check_title(conn, &owner, &new.title, &id)?;
            let mut update = conn.prepare_cached(&format!(
                "UPDATE reply_templates SET owner = ?2, title = ?3, subject = ?4, text = ?5,
                   shared = ?6, updated_at = ?7
                 WHERE id = ?1 RETURNING {COLUMNS}"
            ))?;
            let TemplateText {
                title,
                subject,
                text,
                shared,
            } = &new;
            let values = params![id, owner, title, subject, text, shared, now.to_string()];
            Ok(update.query_row(values, read)?)
        })
        .await
    }

    /// Deletes a template. Errors: as `change_template`.
    pub async fn delete_template(&self, id: String, user_id: String) -> Result<()> {
        self.write(move |conn| {
            let template = editable(conn, &id, &user_id)?;
            conn.prepare_cached("DELETE FROM reply_templates WHERE id = ?1")?
                .execute([template.id])?;
            Ok(())
        })
        .await
    }
}

/// Deletes the private templates of a user who leaves; the shared ones have no owner then. Call it
/// inside the job that keeps the user's row without its data.
pub(super) fn leave(conn: &Connection, user_id: &str) -> Result<()> {
    conn.prepare_cached("DELETE FROM reply_templates WHERE owner = ?1 AND shared = 0")?
        .execute([user_id])?;
    conn.prepare_cached("UPDATE reply_templates SET owner = NULL WHERE owner = ?1")?
        .execute([user_id])?;
    Ok(())
}

/// The template, if the user may change it.
fn editable(conn: &Connection, id: &str, user_id: &str) -> Result<StoredTemplate> {
    let sql = format!("SELECT {COLUMNS} FROM reply_templates WHERE id = ?1");
    let found = conn
        .prepare_cached(&sql)?
        .query_row([id], read)
        .optional()?;
    match found {
        Some(template) if template.is_editable_by(user_id) => Ok(template),
        Some(template) if template.shared => Err(Error::Conflict(
            "Only the person who made a shared template can change it. Save your own copy.".into(),
        )),
        _ => Err(Error::Missing),
    }
}

/// Errors: `Conflict` if the owner has another template with this title.
fn check_title(conn: &Connection, owner: &str, title: &str, id: &str) -> Result<()> {
    let sql = "SELECT 1 FROM reply_templates WHERE owner = ?1 AND title = ?2 AND id <> ?3";
    match conn.prepare_cached(sql)?.exists([owner, title, id])? {
        true => Err(Error::Conflict(format!(
            "You have a template named {title}. Choose another name, or edit that one."
        ))),
        false => Ok(()),
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredTemplate> {
    Ok(StoredTemplate {
        id: row.get("id")?,
        owner: row.get("owner")?,
        title: row.get("title")?,
        subject: row.get("subject")?,
        text: row.get("text")?,
        shared: row.get("shared")?,
    })
}
