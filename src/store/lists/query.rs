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

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// The time of receipt.
    Received,
    /// When the next answer is due.
    Due,
    /// The first day.
    Start,
    /// The recorded value of a closed request, or the total of the offer that was sent last.
    Value,
}

impl SortKey {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Received, "received"),
        (Self::Due, "due"),
        (Self::Start, "start"),
        (Self::Value, "value"),
    ];
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
        let key = text.strip_prefix('-').unwrap_or(text);
        let known = SortKey::ALL.into_iter().find(|(_, name)| *name == key);
        known.map(|(key, _)| Self {
            key,
            is_descending: text.starts_with('-'),
        })
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = SortKey::ALL.into_iter().find(|(key, _)| *key == self.key);
        let name = known.map_or("", |(_, name)| name);
        write!(
            formatter,
            "{}{name}",
            if self.is_descending { "-" } else { "" }
        )
    }
}
