//! Profiles of admins: display name and signature, in the row of the user.

use rusqlite::{Connection, params};
use serde_json::json;

use super::audit;
use crate::accounts::actor::Actor;
use crate::database::row::read_row;
use crate::{Error, Result, Store, conflict, query};
use domain::account::profile::Profile;
use domain::clock::Time;

impl Store {
    /// The profile of a user; empty for an unknown one.
    pub async fn profile(&self, user_id: String) -> Result<Profile> {
        self.read(move |conn| of_user(conn, &user_id)).await
    }

    /// Stores the actor's own profile. Errors: `Conflict` if another person has the name.
    pub async fn save_profile(&self, profile: Profile, by: Actor, now: Time) -> Result<()> {
        self.write(move |conn| {
            let before = of_user(conn, &by.user_id)?;
            if let Some(name) = &profile.name
                && is_taken(conn, name, &by.user_id)?
            {
                return conflict(format!(
                    "Another person is named {name}. Add a letter, so that the history is clear."
                ));
            }
            let sql =
                "UPDATE users SET display_name = ?2, signature = ?3, updated_at = ?4 WHERE id = ?1";
            let values = params![by.user_id, profile.name, profile.signature, now.to_string()];
            query::execute(conn, sql, values)?;
            if before.name == profile.name {
                return Ok(());
            }
            let detail = json!({ "from": before.name, "to": profile.name });
            let entry = audit::Entry {
                action: "name_changed",
                actor: &by.user_id,
                subject_id: Some(&by.user_id),
                client: Some(&by.client),
                detail: detail.as_object().ok_or(Error::Failed)?,
            };
            audit::record(conn, &entry, now)
        })
        .await
    }
}

/// The profile of a user. Call it inside a job of the store.
pub(crate) fn of_user(conn: &Connection, user_id: &str) -> Result<Profile> {
    let sql = "SELECT display_name, signature FROM users WHERE id = ?1";
    let read = read_row!(Profile => name: "display_name", signature);
    let profile = query::optional(conn, sql, [user_id], read)?;
    Ok(profile.unwrap_or_default())
}

/// Whether another person has this name, ignoring case.
fn is_taken(conn: &Connection, name: &str, user_id: &str) -> Result<bool> {
    let mut find = conn.prepare_cached(
        "SELECT display_name FROM users WHERE display_name IS NOT NULL AND id <> ?1",
    )?;
    let names = find.query_map([user_id], |row| row.get::<_, String>(0))?;
    let name = name.to_lowercase();
    for other in names {
        if other?.to_lowercase() == name {
            return Ok(true);
        }
    }
    Ok(false)
}
