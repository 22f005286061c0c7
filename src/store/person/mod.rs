//! The stored data of one person, found by the email address of the requests: for export and
//! erasure.

mod addresses;
mod erase;
mod erased;
mod export;
mod purge;
mod rules;
mod subject;

use rusqlite::Connection;

use self::erase::{count_agreements, count_files, email_ids, erase_subject};
pub use self::erased::Erased;
use self::subject::Subject;
use super::accounts::audit;
use super::search::index;
use super::{Result, Store, query};
use domain::account::Metadata;
use domain::clock::Time;

/// The year 9999, later than any request: for an erasure now, regardless of the clock.
pub const ALWAYS: Time = Time::from_millis(253_399_622_400_000);

/// The actor of an export or erasure, for the audit, which must not contain the address itself.
#[derive(Clone, Debug)]
pub struct AuditedBy {
    /// A user's id, or `operator`.
    pub actor: String,
    /// The keyed hash of the client's address.
    pub client: Option<String>,
    /// The keyed hash of the person's address.
    pub person: String,
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

/// Deletes the data of the person until `until`. The words of the requests stay in pages of the
/// search index until `purge_words`.
pub(super) fn erase_rows(conn: &Connection, email: &str, until: Time) -> Result<Erased> {
    let subject = Subject::find(conn, email, until)?;
    erase_subject(conn, &subject, Some(email), until)
}

/// Merges the whole search index, which removes the words of deleted entries from its pages.
pub(super) fn purge_words(conn: &Connection) -> Result<()> {
    Ok(index::optimize(conn)?)
}

/// Every email address that a request has or had, in lower case, once each.
pub(super) fn all_addresses(conn: &Connection) -> Result<Vec<String>> {
    let sql = "SELECT lower(email) FROM requests
        UNION SELECT lower(detail ->> '$.from.email') FROM events
          WHERE verb = 'edited' AND detail ->> '$.from.email' IS NOT NULL
        UNION SELECT lower(detail ->> '$.to.email') FROM events
          WHERE verb = 'edited' AND detail ->> '$.to.email' IS NOT NULL";
    query::all(conn, sql, [], |row| row.get(0))
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
                kept_agreements: count_agreements(conn, &subject, Some(&email), until)?,
            })
        })
        .await
    }

    /// Erases the data of the person until `until` in one transaction, with a row in the audit for
    /// `by`, then removes the words from the search index and the WAL.
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

    /// Erases up to `limit` requests that were completed or cancelled before `before`, with their
    /// emails. Call `purge_erased` after the last batch.
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

    /// Removes the words of erased requests from the search index and from the WAL.
    pub async fn purge_erased(&self) -> Result<()> {
        self.purge_index().await
    }

    /// Whether an account has this email address; erasure keeps it.
    pub async fn has_account(&self, email: String) -> Result<bool> {
        self.read(move |conn| {
            let find = "SELECT EXISTS (SELECT 1 FROM users WHERE email = ?1 COLLATE NOCASE)";
            Ok(conn.query_row(find, [email], |row| row.get(0))?)
        })
        .await
    }
}
