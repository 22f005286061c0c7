//! What is stored about one person, found by the email address of the requests: for an answer to
//! the person, and for erasure.

mod erase;
mod export;
mod rules;
mod subject;

use rusqlite::Connection;
use serde_json::Value;

use self::erase::{count_files, email_ids, erase_subject};
use self::subject::Subject;
use super::accounts::audit;
use super::search::merge;
use super::{Result, Store};
use crate::domain::account::Metadata;
use crate::domain::clock::Time;

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

/// Deletes what is stored about the person until `until`. The words of the requests stay in pages
/// of the search index until `purge_words`.
pub(super) fn erase_rows(conn: &Connection, email: &str, until: Time) -> Result<Erased> {
    let subject = Subject::find(conn, email, until)?;
    erase_subject(conn, &subject, Some(email), until)
}

/// Merges the whole search index, which removes the words of deleted entries from its pages.
pub(super) fn purge_words(conn: &Connection) -> Result<()> {
    Ok(merge::optimize(conn)?)
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

impl Store {
    /// What `erase_person` would delete.
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

    /// Erases everything about the person until `until` in one transaction, with a row in the audit
    /// for `by`, then removes the words from the search index and the log of the database.
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
    pub async fn purge_erased(&self) -> Result<()> {
        self.purge_index().await
    }

    /// Whether an account has this email address: erasure leaves it alone.
    pub async fn has_account(&self, email: String) -> Result<bool> {
        self.read(move |conn| {
            let find = "SELECT EXISTS (SELECT 1 FROM users WHERE email = ?1 COLLATE NOCASE)";
            Ok(conn.query_row(find, [email], |row| row.get(0))?)
        })
        .await
    }
}
