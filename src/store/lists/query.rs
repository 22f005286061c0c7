//! The query of a page of the inbox: filter, words, order and cursor.

use std::fmt;

use super::filter::RequestFilter;

/// A page of the inbox: newest first, or the most urgent first with `attention`, unless it is
/// sorted.
#[derive(Clone, Debug, Default)]
pub struct InboxQuery {
    pub filter: RequestFilter,
    /// Only requests that contain all these words; the last may be the prefix of one.
    pub search: String,
    pub sort: Option<Sort>,
    /// Requests per page.
    pub limit: usize,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
}

domain::text_enum! {
    /// What a list is sorted by.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SortKey {
        /// The time of receipt.
        Received = "received",
        /// When the next answer is due.
        Due = "due",
        /// The first day.
        Start = "start",
        /// The recorded value of a closed request, or the total of the offer that was sent last.
        Value = "value",
    }
}

/// An order: by a key, upwards or downwards. Requests without the key come last in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub is_descending: bool,
}

impl Sort {
    /// The format of the API: `due`, or `-due` for downwards.
    pub fn parse(text: &str) -> Option<Self> {
        let key = SortKey::parse(text.strip_prefix('-').unwrap_or(text))?;
        let is_descending = text.starts_with('-');
        Some(Self { key, is_descending })
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_descending { "-" } else { "" };
        write!(formatter, "{sign}{}", self.key.as_str())
    }
}
