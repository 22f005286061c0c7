//! The list of users, page by page.

use rusqlite::{Connection, params};

use super::user_row::{COLUMNS, read, with_relations};
use crate::{Result, query};
use domain::account::User;
use domain::clock::Time;

/// Where a page of the user list starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserStart {
    /// The page with this number, from 1.
    Page(u32),
    /// After the user with this creation time and id: new users do not shift the pages.
    After(Time, String),
}

/// A page of the user list, newest first.
#[derive(Clone, Debug)]
pub struct UserPage<U = User> {
    pub users: Vec<U>,
    /// Where the next page starts; none on the last one.
    pub next: Option<UserStart>,
    /// The number of all users.
    pub total: i64,
}

pub fn page(conn: &Connection, start: &UserStart, per_page: u32) -> Result<UserPage> {
    let total = conn.query_row("SELECT count(*) FROM users", [], |row| row.get(0))?;
    // A numbered page skips the newest users; every creation time sorts before "~".
    let (at, id, skipped) = match start {
        UserStart::Page(page) => ("~".to_owned(), "", page.saturating_sub(1)),
        UserStart::After(at, id) => (at.to_string(), id.as_str(), 0),
    };
    let offset = i64::from(skipped) * i64::from(per_page);
    let sql = format!(
        "SELECT {COLUMNS} FROM users WHERE (created_at, id) < (?1, ?2)
         ORDER BY created_at DESC, id DESC LIMIT ?3 OFFSET ?4"
    );
    let values = params![at, id, i64::from(per_page) + 1, offset];
    let mut users: Vec<User> = query::all(conn, &sql, values, read)?;
    let more = users.len() > per_page as usize;
    users.truncate(per_page as usize);
    let last = users.last().filter(|_| more);
    let next = last.map(|user| UserStart::After(user.created_at, user.id.clone()));
    let users = users
        .into_iter()
        .map(|user| with_relations(conn, user))
        .collect::<Result<_>>()?;
    Ok(UserPage { users, next, total })
}
