//! The requests of a person, and the parameters of the rules.

use rusqlite::{Connection, ToSql};
use serde_json::Value;

use crate::domain::clock::Time;
use crate::domain::email::email_address::mailbox_of;
use crate::domain::ids;
use crate::store::Result;
use crate::store::database::row;

/// The requests and rows found by a person's address.
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) seqs: Vec<i64>,
    pub(super) quotes: Vec<String>,
    pub(super) messages: Vec<String>,
    pub(super) newest: Option<Time>,
}

impl Subject {
    pub(super) fn find(conn: &Connection, email: &str, until: Time) -> Result<Self> {
        let mut found = Self::default();
        // Requests by phone without an address are not those of one person.
        if email.is_empty() {
            return Ok(found);
        }
        let last = ids::first_seq(until.plus_millis(1));
        for (table, ids) in [
            ("quotes", &mut found.quotes),
            ("contact_messages", &mut found.messages),
        ] {
            let mut rows = conn.prepare(&format!(
                "SELECT seq, id, created_at FROM {table} WHERE email = ?1 COLLATE NOCASE \
                 AND seq < ?2"
            ))?;
            let mut rows = rows.query(rusqlite::params![email, last])?;
            while let Some(row) = rows.next()? {
                found.seqs.push(row.get(0)?);
                ids.push(row.get(1)?);
                let created_at = row::optional_time(row, "created_at")?;
                found.newest = found.newest.max(created_at);
            }
        }
        found.add_duplicates(conn)?;
        Ok(found)
    }

    /// Adds the duplicates that are shown in the requests: they are one to the office.
    fn add_duplicates(&mut self, conn: &Connection) -> Result<()> {
        let mut begin = 0;
        while begin < self.seqs.len() {
            let shown = Value::from(self.seqs[begin..].to_vec()).to_string();
            begin = self.seqs.len();
            for (table, ids) in [
                ("quotes", &mut self.quotes),
                ("contact_messages", &mut self.messages),
            ] {
                let mut rows = conn.prepare(&format!(
                    "SELECT seq, id FROM {table} WHERE merged_into IN (SELECT value \
                     FROM json_each(?1))"
                ))?;
                let mut rows = rows.query([&shown])?;
                while let Some(row) = rows.next()? {
                    let seq = row.get(0)?;
                    if !self.seqs.contains(&seq) {
                        self.seqs.push(seq);
                        ids.push(row.get(1)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// Up to `limit` quotes and as many messages that were closed before `before`.
    pub(super) fn closed(conn: &Connection, before: Time, limit: u32) -> Result<Self> {
        let mut found = Self::default();
        for (table, ids) in [
            ("quotes", &mut found.quotes),
            ("contact_messages", &mut found.messages),
        ] {
            let mut rows = conn.prepare(&format!(
                "SELECT seq, id FROM {table}
                 WHERE status IN ('completed', 'cancelled') AND updated_at < ?1 LIMIT ?2"
            ))?;
            let mut rows = rows.query(rusqlite::params![before.to_string(), limit])?;
            while let Some(row) = rows.next()? {
                found.seqs.push(row.get(0)?);
                ids.push(row.get(1)?);
            }
        }
        found.add_duplicates(conn)?;
        Ok(found)
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
    let mailbox = email.map(mailbox_of);
    let values: [(&str, &dyn ToSql); 5] = [
        (":email", &email),
        (":mailbox", &mailbox),
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
