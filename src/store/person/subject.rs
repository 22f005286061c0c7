//! The requests of a person, and the parameters of the rules.

use rusqlite::{Connection, ToSql, params};
use serde_json::Value;

use super::addresses;
use crate::{Result, query};
use domain::clock::Time;
use domain::email::email_address::mailbox_of;
use domain::ids;

/// The requests and rows found by a person's address.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) seqs: Vec<i64>,
    pub(super) quotes: Vec<String>,
    pub(super) messages: Vec<String>,
    /// Other addresses that the requests have had.
    pub(super) addresses: Vec<String>,
}

impl Subject {
    pub(super) fn find(conn: &Connection, email: &str, until: Time) -> Result<Self> {
        let mut found = Self::default();
        // Requests by phone without an address are not those of one person.
        if email.is_empty() {
            return Ok(found);
        }
        let last = ids::first_seq(until.plus_millis(1));
        let theirs = addresses::requests_of(conn, email, last)?;
        for seq in &theirs {
            found.addresses.extend(addresses::former(conn, *seq)?);
        }
        let theirs = Value::from(theirs).to_string();
        let condition = "seq IN (SELECT value FROM json_each(?1))";
        found.add(conn, condition, params![theirs])?;
        found.add_duplicates(conn)?;
        Ok(found)
    }

    /// Up to `limit` requests that were closed before `before`.
    pub(super) fn closed(conn: &Connection, before: Time, limit: u32) -> Result<Self> {
        let mut found = Self::default();
        let closed = "status IN ('completed', 'cancelled') AND updated_at < ?1 LIMIT ?2";
        found.add(conn, closed, params![before.to_string(), limit])?;
        found.add_duplicates(conn)?;
        Ok(found)
    }

    /// Adds the duplicates that are shown in the requests: they are one to the office.
    fn add_duplicates(&mut self, conn: &Connection) -> Result<()> {
        let mut begin = 0;
        while begin < self.seqs.len() {
            let shown = Value::from(self.seqs[begin..].to_vec()).to_string();
            begin = self.seqs.len();
            let merged = "merged_into IN (SELECT value FROM json_each(?1))";
            self.add(conn, merged, params![shown])?;
        }
        Ok(())
    }

    /// Adds the requests that pass a condition.
    fn add(&mut self, conn: &Connection, condition: &str, values: &[&dyn ToSql]) -> Result<()> {
        let sql = format!("SELECT seq, id, kind FROM requests WHERE {condition}");
        query::each(conn, &sql, values, |row| {
            let (seq, id, kind): (i64, String, String) = row.try_into()?;
            if !self.seqs.contains(&seq) {
                self.seqs.push(seq);
                match kind == "message" {
                    true => self.messages.push(id),
                    false => self.quotes.push(id),
                }
            }
            Ok(())
        })
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.quotes.iter().chain(&self.messages).cloned().collect()
    }
}

/// The values of the parameters that a statement names.
pub(super) fn bind(
    statement: &mut rusqlite::Statement<'_>,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<()> {
    let json = |value: Value| value.to_string();
    let known = email.into_iter();
    let known = known.chain(subject.addresses.iter().map(String::as_str));
    let mailboxes: Vec<_> = known.map(mailbox_of).collect();
    let values: [(&str, &dyn ToSql); 5] = [
        (":email", &email),
        (":mailboxes", &json(mailboxes.into())),
        (":until", &until.to_string()),
        (":ids", &json(subject.ids().into())),
        (":seqs", &json(subject.seqs.clone().into())),
    ];
    for (name, value) in values {
        if let Some(index) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(index, value)?;
        }
    }
    Ok(())
}
