//! The result of an erasure.

use poem_openapi::Object;
use serde_json::Value;

use domain::account::Metadata;

/// How many rows an erasure deletes, or has deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Object)]
pub struct Erased {
    /// Quote requests.
    pub quotes: usize,
    /// Contact messages.
    pub messages: usize,
    /// Emails about them, sent ones too.
    pub emails: usize,
    /// Files attached to them.
    pub files: usize,
    /// Requests in the search index.
    pub search_entries: usize,
    /// Entries of their history.
    pub history: usize,
    /// Offers that the visitor has accepted. They are agreements, which the law wants kept: an
    /// erasure deletes neither them nor their receipts.
    pub kept_agreements: usize,
    /// The ids of the deleted emails: their files in `mail/` contain them.
    #[oai(skip)]
    pub email_ids: Vec<i64>,
    /// The ids of the deleted requests.
    #[oai(skip)]
    pub request_ids: Vec<String>,
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
