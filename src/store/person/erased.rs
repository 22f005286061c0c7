//! The result of an erasure.

use serde_json::Value;

use domain::account::Metadata;
use domain::clock::Time;

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
    /// Offers that were accepted: they are agreements, which the law wants kept.
    pub kept_agreements: usize,
    /// The ids of the deleted emails: their files in `mail/` contain them.
    pub email_ids: Vec<i64>,
    /// The ids of the deleted requests.
    pub request_ids: Vec<String>,
    /// When the newest of them was created.
    pub newest: Option<Time>,
}

impl Erased {
    /// The numbers, for the audit.
    pub(super) fn detail(&self) -> Metadata {
        let numbers = [
            ("quotes", self.quotes),
            ("messages", self.messages),
            ("emails", self.emails),
            ("files", self.files),
            ("history", self.history),
            ("kept_agreements", self.kept_agreements),
        ];
        let pairs = numbers.map(|(name, number)| (name.to_owned(), Value::from(number)));
        pairs.into_iter().collect()
    }
}
