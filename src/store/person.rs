//! What is stored about one person, found by the email address of the requests: for an answer to
//! the person, and for erasure. `RULES` says for every table what becomes of its rows; a test fails
//! if a table has no rule.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql};
use serde_json::{Map, Value};

use super::{Result, Store, audit, index_merge, objects, row};
use crate::domain::account::Metadata;
use crate::domain::clock::Time;
use crate::domain::ids;

/// What an erasure does to the rows of a table.
enum Rule {
    /// Deletes the rows for which the condition holds. An export contains them.
    Delete(&'static str),
    /// Overwrites columns of the rows for which the condition holds.
    Blank(&'static str, &'static str),
    /// Nothing: rows about accounts, which `delete-user` removes.
    Account,
    /// Nothing: no data about a visitor.
    None,
}

use Rule::{Account, Blank, Delete, None as Nothing};

/// Emails about a request or to the person: the row names one of them.
const EMAILS: &str = "subject_id IN (SELECT value FROM json_each(:ids))
    OR (created_at <= :until AND (subject_id = :email COLLATE NOCASE
      OR instr(lower(notice), :email) > 0 OR instr(lower(coalesce(last_error, '')), :email) > 0))";

/// The rule of each table. Conditions may name `:email` (lower case), `:until` (a time), `:ids`
/// (JSON array of the ids of the person's requests) and `:seqs` (of their `seq`).
const RULES: &[(&str, Rule)] = &[
    (
        "old_request_ids",
        Delete("id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "quotes",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "contact_messages",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    (
        "events",
        Delete("seq IN (SELECT value FROM json_each(:seqs))"),
    ),
    ("outbox", Delete(EMAILS)),
    (
        "acknowledged",
        // As `notice_split::mailbox_of` writes it.
        Delete(
            "address = iif(instr(:email, '+') > 0, substr(:email, 1, instr(:email, '+') - 1)
               || substr(:email, instr(:email, '@')), :email)",
        ),
    ),
    (
        "submissions",
        // Kept without content: the index in memory knows its row id.
        Blank(
            "subject_id IN (SELECT value FROM json_each(:ids))",
            "fingerprint = '', client = '', key = NULL, subject_id = ''",
        ),
    ),
    (
        "objects",
        Delete(
            "bucket_id = 'quotes' AND substr(name, 1, instr(name, '/') - 1) IN (SELECT value \
             FROM json_each(:ids))",
        ),
    ),
    (
        "quote_uploads",
        Delete("quote_id IN (SELECT value FROM json_each(:ids))"),
    ),
    (
        "resumable_uploads",
        Delete("quote_id IN (SELECT value FROM json_each(:ids))"),
    ),
    ("audit", Nothing),
    ("buckets", Nothing),
    ("content_drafts", Nothing),
    ("content_pages", Nothing),
    ("content_pictures", Nothing),
    ("content_versions", Nothing),
    ("decoy_user", Nothing),
    ("decoys", Nothing),
    ("escalations", Nothing),
    ("key_files", Nothing),
    ("license_warnings", Nothing),
    ("maintenance", Nothing),
    ("media_files", Nothing),
    ("reference_key", Nothing),
    ("released_contents", Nothing),
    ("request_counts", Nothing),
    ("spent", Nothing),
    ("storage_buckets", Nothing),
    ("taps", Nothing),
    ("write_probe", Nothing),
    ("challenges", Account),
    ("factors", Account),
    ("flows", Account),
    ("identities", Account),
    ("inbox_filters", Account),
    ("known_clients", Account),
    ("one_time_tokens", Account),
    ("recovery_codes", Account),
    ("refreshes", Account),
    ("sessions", Account),
    ("user_roles", Account),
    ("users", Account),
];

/// The year 9999, later than any request: for an erasure now, whatever the clock has said.
pub const ALWAYS: Time = Time::from_millis(253_399_622_400_000);

/// How many rows an erasure deletes, or has deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erased {
    /// Quote requests.
    pub quotes: usize,
    /// Contact messages.
    pub messages: usize,
    /// Emails in the outbox, sent ones too.
    pub emails: usize,
    /// Files attached to the requests.
    pub files: usize,
    /// Entries of the search index.
    pub search_entries: usize,
    /// Entries of the history of requests.
    pub history: usize,
    /// The ids of the deleted emails: their files in `mail/` contain them.
    pub email_ids: Vec<i64>,
    /// The ids of the deleted requests.
    pub request_ids: Vec<String>,
    /// When the newest of them was made.
    pub newest: Option<Time>,
}

/// Who exports or erases a person, for the audit. The address itself must not be in it.
#[derive(Clone, Debug)]
pub struct AuditedBy {
    /// A user's id, or `operator`.
    pub actor: String,
    /// The keyed hash of the client's address.
    pub client: Option<String>,
    /// The keyed hash of the person's address.
    pub person: String,
    /// When.
    pub now: Time,
}

impl AuditedBy {
    fn record(&self, conn: &Connection, action: &str, detail: &Metadata) -> Result<()> {
        let entry = audit::Entry {
            action,
            actor: &self.actor,
            subject_id: Some(&self.person),
            client: self.client.as_deref(),
            detail,
        };
        audit::record(conn, &entry, self.now)
    }
}

impl Erased {
    /// The numbers, for the audit.
    fn detail(&self) -> Metadata {
        let numbers = [
            ("quotes", self.quotes),
            ("messages", self.messages),
            ("emails", self.emails),
            ("files", self.files),
            ("history", self.history),
        ];
        let pairs = numbers.map(|(name, number)| (name.to_owned(), Value::from(number)));
        pairs.into_iter().collect()
    }
}

/// What a person's address leads to.
#[derive(Debug, Default)]
struct Subject {
    seqs: Vec<i64>,
    quotes: Vec<String>,
    messages: Vec<String>,
    newest: Option<Time>,
}

impl Subject {
    fn find(conn: &Connection, email: &str, until: Time) -> Result<Self> {
        let mut found = Self::default();
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
        Ok(found)
    }

    /// Up to `limit` quotes and as many messages that were closed before `before`.
    fn closed(conn: &Connection, before: Time, limit: u32) -> Result<Self> {
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
        Ok(found)
    }

    fn ids(&self) -> Vec<String> {
        self.quotes.iter().chain(&self.messages).cloned().collect()
    }
}

/// The values of the parameters that a statement names.
fn bind(
    statement: &mut rusqlite::Statement<'_>,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<()> {
    let json = |value: Value| value.to_string();
    let values: [(&str, &dyn ToSql); 4] = [
        (":email", &email),
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

/// Deletes what is stored about the person until `until`. The words of the requests stay in pages
/// of the search index until `purge_words`.
pub(super) fn erase_rows(conn: &Connection, email: &str, until: Time) -> Result<Erased> {
    let subject = Subject::find(conn, email, until)?;
    erase_subject(conn, &subject, Some(email), until)
}

/// Deletes the requests of `subject` and, with `email`, what else names this address.
fn erase_subject(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<Erased> {
    let mut erased = Erased {
        quotes: subject.quotes.len(),
        messages: subject.messages.len(),
        files: count_files(conn, subject)?,
        request_ids: subject.ids(),
        newest: subject.newest,
        ..Erased::default()
    };
    let mut delete = conn.prepare("DELETE FROM request_words WHERE rowid = ?1")?;
    for seq in &subject.seqs {
        erased.search_entries += delete.execute([seq])?;
    }
    for (table, rule) in RULES {
        match rule {
            Delete(condition) => {
                if *table == "outbox" {
                    erased.email_ids = email_ids(conn, subject, email, until)?;
                }
                let sql = format!("DELETE FROM {table} WHERE {condition}");
                let mut delete = conn.prepare(&sql)?;
                bind(&mut delete, subject, email, until)?;
                let rows = delete.raw_execute()?;
                match *table {
                    "outbox" => erased.emails = rows,
                    "events" => erased.history = rows,
                    _ => {}
                }
            }
            Blank(condition, values) => {
                let mut blank =
                    conn.prepare(&format!("UPDATE {table} SET {values} WHERE {condition}"))?;
                bind(&mut blank, subject, email, until)?;
                blank.raw_execute()?;
            }
            Account | Nothing => {}
        }
    }
    Ok(erased)
}

/// The number of files attached to the quotes of `subject`.
fn count_files(conn: &Connection, subject: &Subject) -> Result<usize> {
    let mut files = 0;
    for id in subject.ids() {
        files += objects::of_quote(conn, &id)?.len();
    }
    Ok(files)
}

fn email_ids(
    conn: &Connection,
    subject: &Subject,
    email: Option<&str>,
    until: Time,
) -> Result<Vec<i64>> {
    let mut find = conn.prepare(&format!("SELECT id FROM outbox WHERE {EMAILS}"))?;
    bind(&mut find, subject, email, until)?;
    let (mut rows, mut found) = (find.raw_query(), Vec::new());
    while let Some(row) = rows.next()? {
        found.push(row.get(0)?);
    }
    Ok(found)
}

/// Merges the whole search index, which removes the words of deleted entries from its pages.
pub(super) fn purge_words(conn: &Connection) -> Result<()> {
    Ok(index_merge::optimize(conn)?)
}

/// Every email address of a request, in lower case, once each.
pub(super) fn all_addresses(conn: &Connection) -> Result<Vec<String>> {
    let mut find = conn.prepare(
        "SELECT DISTINCT lower(email) FROM quotes UNION SELECT DISTINCT lower(email) \
         FROM contact_messages",
    )?;
    let found = find.query_map([], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

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

impl Store {
    /// Every row about the person with this email address, as a JSON object of tables. The notices
    /// of emails are left out: those of accounts contain sealed codes.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn export_person(&self, email: String) -> Result<Value> {
        let email = email.to_ascii_lowercase();
        self.read(move |conn| {
            let subject = Subject::find(conn, &email, ALWAYS)?;
            let mut tables = Map::new();
            for (table, rule) in RULES {
                let Delete(condition) = rule else { continue };
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
                if !list.is_empty() {
                    tables.insert((*table).to_owned(), Value::Array(list));
                }
            }
            Ok(Value::Object(tables))
        })
        .await
    }

    /// What `erase_person` would delete.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn count_person(&self, email: String, until: Time) -> Result<Erased> {
        let email = email.to_ascii_lowercase();
        self.read(move |conn| {
            let subject = Subject::find(conn, &email, until)?;
            let email_ids = email_ids(conn, &subject, Some(&email), until)?;
            let mut entries = 0;
            let seqs = serde_json::json!(subject.seqs).to_string();
            let history =
                "SELECT count(*) FROM events WHERE seq IN (SELECT value FROM json_each(?1))";
            let history: i64 = conn.query_row(history, [seqs], |row| row.get(0))?;
            let history = usize::try_from(history).unwrap_or_default();
            let mut find = conn.prepare("SELECT 1 FROM request_words_docsize WHERE id = ?1")?;
            for seq in &subject.seqs {
                entries += usize::from(find.exists([seq])?);
            }
            Ok(Erased {
                quotes: subject.quotes.len(),
                messages: subject.messages.len(),
                emails: email_ids.len(),
                files: count_files(conn, &subject)?,
                search_entries: entries,
                history,
                email_ids,
                request_ids: subject.ids(),
                newest: subject.newest,
            })
        })
        .await
    }

    /// Records in the audit that somebody has exported what is stored about a person.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn audit_export(&self, by: AuditedBy) -> Result<()> {
        self.write(move |conn| by.record(conn, "person_exported", &Metadata::default()))
            .await
    }

    /// Erases everything about the person until `until` in one transaction, with a row in the audit
    /// for `by`, then removes the words from the search index and the log of the database.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn erase_person(
        &self,
        email: String,
        until: Time,
        by: Option<AuditedBy>,
    ) -> Result<Erased> {
        let email = email.to_ascii_lowercase();
        let erase = move |conn: &Connection| {
            let erased = erase_rows(conn, &email, until)?;
            if let Some(by) = &by {
                by.record(conn, "person_erased", &erased.detail())?;
            }
            Ok(erased)
        };
        let erased = self.write(erase).await?;
        self.purge_index().await?;
        Ok(erased)
    }

    /// Erases up to `limit` quotes and as many messages that were completed or cancelled before
    /// `before`, with their emails. Call `purge_erased` after the last batch.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn erase_closed(&self, before: Time, limit: u32) -> Result<Erased> {
        let any = move |conn: &Connection| Ok(!Subject::closed(conn, before, 1)?.seqs.is_empty());
        if !self.read(any).await? {
            return Ok(Erased::default());
        }
        let erase = move |conn: &Connection| {
            let subject = Subject::closed(conn, before, limit)?;
            erase_subject(conn, &subject, None, ALWAYS)
        };
        self.write(erase).await
    }

    /// Removes the words of erased requests from the search index and from the log of the database.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn purge_erased(&self) -> Result<()> {
        self.purge_index().await
    }

    /// Whether an account has this email address: erasure leaves it alone.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn has_account(&self, email: String) -> Result<bool> {
        self.read(move |conn| {
            let find = "SELECT EXISTS (SELECT 1 FROM users WHERE email = ?1 COLLATE NOCASE)";
            Ok(conn.query_row(find, [email], |row| row.get(0))?)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[tokio::test]
    async fn every_table_has_a_rule_for_the_erasure_of_a_person() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let stored = store.read(super::super::snapshot::tables).await.unwrap();
        let stored: BTreeSet<_> = stored.into_iter().collect();
        let ruled: BTreeSet<_> = RULES.iter().map(|(table, _)| (*table).to_owned()).collect();
        let without: Vec<_> = stored.difference(&ruled).collect();
        assert!(without.is_empty(), "add {without:?} to `RULES`");
        let gone: Vec<_> = ruled.difference(&stored).collect();
        assert!(gone.is_empty(), "no such table: {gone:?}");
    }
}
