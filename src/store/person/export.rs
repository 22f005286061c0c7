//! Everything that is stored about a person, as JSON.

use rusqlite::types::ValueRef;
use serde_json::{Map, Value};

use super::rules::RULES;
use super::rules::Rule::{Delete, DeleteUnless};
use super::subject::{Subject, bind};
use super::{ALWAYS, AuditedBy};
use crate::{Result, Store};
use domain::account::Metadata;

/// A row as a JSON object.
fn row_json(row: &rusqlite::Row<'_>, columns: &[String]) -> rusqlite::Result<Value> {
    let mut object = Map::new();
    for (index, column) in columns.iter().enumerate() {
        let value = match row.get_ref(index)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => number.into(),
            ValueRef::Real(number) => number.into(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
            ValueRef::Blob(bytes) => hex::encode(bytes).into(),
        };
        object.insert(column.clone(), value);
    }
    Ok(Value::Object(object))
}

/// The rows of quotes and those of messages, with the names that their forms have.
fn of_each_kind(rows: Vec<Value>) -> [Vec<Value>; 2] {
    let [mut quotes, mut messages] = [Vec::new(), Vec::new()];
    for mut row in rows {
        let is_message = row["kind"] == "message";
        let (list, column, name) = match is_message {
            true => (&mut messages, "description", "details"),
            false => (&mut quotes, "service", "service_type"),
        };
        row[name] = row[column].take();
        if let Some(columns) = row.as_object_mut() {
            columns.remove(column);
        }
        list.push(row);
    }
    [quotes, messages]
}

impl Store {
    /// Every row about the person with this email address, as a JSON object of tables. The notices
    /// of emails are left out: those of accounts contain sealed codes.
    pub async fn export_person(&self, email: String) -> Result<Value> {
        let email = email.to_ascii_lowercase();
        self.read(move |conn| {
            let subject = Subject::find(conn, &email, ALWAYS)?;
            let mut tables = Map::new();
            for (table, rule) in RULES {
                let (Delete(condition) | DeleteUnless(condition, _)) = rule;
                let mut find = conn.prepare(&format!("SELECT * FROM {table} WHERE {condition}"))?;
                let columns: Vec<String> =
                    find.column_names().into_iter().map(str::to_owned).collect();
                bind(&mut find, &subject, Some(&email), ALWAYS)?;
                let (mut rows, mut list) = (find.raw_query(), Vec::new());
                while let Some(row) = rows.next()? {
                    let mut object = row_json(row, &columns)?;
                    if let Some(object) = object.as_object_mut() {
                        object.remove("notice");
                    }
                    list.push(object);
                }
                let lists = match *table {
                    "requests" => {
                        let [quotes, messages] = of_each_kind(list);
                        vec![("quotes", quotes), ("contact_messages", messages)]
                    }
                    table => vec![(table, list)],
                };
                for (table, list) in lists {
                    if !list.is_empty() {
                        tables.insert(table.to_owned(), Value::Array(list));
                    }
                }
            }
            Ok(Value::Object(tables))
        })
        .await
    }

    /// Records in the audit that a person's data was exported.
    pub async fn audit_export(&self, by: AuditedBy) -> Result<()> {
        self.write(move |conn| by.record(conn, "person_exported", &Metadata::default()))
            .await
    }
}
