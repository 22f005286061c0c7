//! Templates of replies that admins have written: private or shared.

use rusqlite::{Connection, Params, Row};

use crate::database::row::read_row;
use crate::{Error, Result, Store, conflict, query};
use domain::clock::Time;
use domain::email::reply_template::{NewTemplate, ReplyTemplate};
use domain::ids;

/// Templates of one person.
const MAX_TEMPLATES: i64 = 100;

/// The columns of a template as the user `?1` sees it.
const COLUMNS: &str =
    "id, title, subject, text, shared, owner IS NULL OR owner = ?1 AS is_editable";

impl Store {
    /// The templates of a user and the shared ones of others, by title.
    pub async fn reply_templates(&self, user_id: String) -> Result<Vec<ReplyTemplate>> {
        self.read(move |conn| {
            let sql = format!(
                "SELECT {COLUMNS} FROM reply_templates WHERE owner = ?1 OR shared = 1
                 ORDER BY title COLLATE NOCASE, id"
            );
            query::all(conn, &sql, [user_id], read)
        })
        .await
    }

    /// Stores a new template of a user. Errors: `Conflict` if they have too many, or one with this
    /// title.
    pub async fn add_template(
        &self,
        owner: String,
        new: NewTemplate,
        now: Time,
    ) -> Result<ReplyTemplate> {
        self.write(move |conn| {
            let count = "SELECT count(*) FROM reply_templates WHERE owner = ?1";
            let count: i64 = conn.query_row(count, [&owner], |row| row.get(0))?;
            if count >= MAX_TEMPLATES {
                return conflict(format!(
                    "You have {MAX_TEMPLATES} templates. Delete one first."
                ));
            }
            check_title(conn, &owner, &new.title, "")?;
            let id = ids::new(now).to_string();
            let sql = format!(
                "INSERT INTO reply_templates
                   (id, owner, title, subject, text, shared, created_at, updated_at)
                 VALUES (?2, ?1, ?3, ?4, ?5, ?6, ?7, ?7) RETURNING {COLUMNS}"
            );
            query::one(conn, &sql, values(&owner, &id, &new, now), read)
        })
        .await
    }

    /// Changes a template. Errors: `Missing` if the user sees no such template; `Conflict` if they
    /// may not change it, or have another one with this title.
    pub async fn change_template(
        &self,
        id: String,
        user_id: String,
        new: NewTemplate,
        now: Time,
    ) -> Result<ReplyTemplate> {
        self.write(move |conn| {
            require_editable(conn, &id, &user_id)?;
            check_title(conn, &user_id, &new.title, &id)?;
            let sql = format!(
                "UPDATE reply_templates SET owner = ?1, title = ?3, subject = ?4, text = ?5,
                   shared = ?6, updated_at = ?7
                 WHERE id = ?2 RETURNING {COLUMNS}"
            );
            query::one(conn, &sql, values(&user_id, &id, &new, now), read)
        })
        .await
    }

    /// Deletes a template. Errors: as `change_template`.
    pub async fn delete_template(&self, id: String, user_id: String) -> Result<()> {
        self.write(move |conn| {
            require_editable(conn, &id, &user_id)?;
            query::run(conn, "DELETE FROM reply_templates WHERE id = ?1", [id])
        })
        .await
    }
}

/// Deletes the private templates of a user who leaves; the shared ones have no owner then. Call it
/// inside the job that keeps the user's row without its data.
pub(super) fn leave(conn: &Connection, user_id: &str) -> Result<()> {
    let sql = "DELETE FROM reply_templates WHERE owner = ?1 AND shared = 0";
    query::execute(conn, sql, [user_id])?;
    let sql = "UPDATE reply_templates SET owner = NULL WHERE owner = ?1";
    query::run(conn, sql, [user_id])
}

/// Errors: `Missing` if the user sees no such template; `Conflict` if they may not change it.
fn require_editable(conn: &Connection, id: &str, user_id: &str) -> Result<()> {
    let sql = format!("SELECT {COLUMNS} FROM reply_templates WHERE id = ?2");
    match query::optional(conn, &sql, [user_id, id], read)? {
        Some(template) if template.editable => Ok(()),
        Some(template) if template.shared => conflict(
            "Only the person who made a shared template can change it. Save your own copy.",
        ),
        _ => Err(Error::Missing),
    }
}

/// Errors: `Conflict` if the owner has another template with this title.
fn check_title(conn: &Connection, owner: &str, title: &str, id: &str) -> Result<()> {
    let sql = "SELECT 1 FROM reply_templates WHERE owner = ?1 AND title = ?2 AND id <> ?3";
    match query::exists(conn, sql, [owner, title, id])? {
        true => conflict(format!(
            "You have a template named {title}. Choose another name, or edit that one."
        )),
        false => Ok(()),
    }
}

/// The parameters of a change: `?1` the owner, `?2` the id, then the texts.
fn values<'a>(owner: &'a str, id: &'a str, new: &'a NewTemplate, now: Time) -> impl Params + 'a {
    let NewTemplate {
        title,
        subject,
        text,
        shared,
        ..
    } = new;
    (owner, id, title, subject, text, shared, now.to_string())
}

fn read(row: &Row<'_>) -> rusqlite::Result<ReplyTemplate> {
    read_row!(row => ReplyTemplate {
        key: "id", title, subject, text, shared, editable: "is_editable",
    })
}
