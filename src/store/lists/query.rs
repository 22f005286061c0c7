//! The query of a page of the inbox: filter, order and cursor. A cursor is a tag for its kind and
//! the `seq` of the last request on the page.

use std::fmt;

use super::filter::RequestFilter;
use crate::{Error, Result};
use domain::request::Request;

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

/// How the requests of a list are found, also for the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CursorKind {
    /// Without a search, newest first.
    Time,
    /// By whole words, newest first.
    Words,
    /// By whole words and the last one as a prefix, newest first.
    Prefix,
}

impl CursorKind {
    const fn tag(self) -> char {
        match self {
            Self::Time => 't',
            Self::Words => 'w',
            Self::Prefix => 'b',
        }
    }

    /// The cursor after the request at `seq`.
    pub(crate) fn after(self, seq: i64) -> String {
        format!("{}{seq}", self.tag())
    }
}

impl InboxQuery {
    /// The kind of the cursor, one of `kinds`, and its `seq`; `None` for a first page. Errors:
    /// `Conflict` for a cursor of another list.
    pub(crate) fn position(&self, kinds: &[CursorKind]) -> Result<Option<(CursorKind, i64)>> {
        let Some(cursor) = &self.cursor else {
            return Ok(None);
        };
        let parse = |kind: &CursorKind| {
            let seq = cursor.strip_prefix(kind.tag())?.parse().ok()?;
            Some((*kind, seq))
        };
        let found = kinds.iter().find_map(parse);
        found.map(Some).ok_or_else(foreign_cursor)
    }
}

/// The error for a cursor of another list.
pub(crate) fn foreign_cursor() -> Error {
    Error::Conflict("this cursor does not belong to this list".into())
}

/// A page of a list.
pub(crate) struct Page {
    pub requests: Vec<Request>,
    /// The cursor of the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

/// Cuts the rows to the page and makes the cursor of the next page.
pub(crate) fn paginate(
    mut requests: Vec<Request>,
    limit: usize,
    cursor: impl Fn(&Request) -> String,
) -> Page {
    let has_more = requests.len() > limit;
    requests.truncate(limit);
    let last = requests.last().filter(|_| has_more);
    let next_cursor = last.map(cursor);
    Page {
        requests,
        next_cursor,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CursorKind, InboxQuery};
    use domain::email::message_id::MessageIds;
    use domain::email::reply_address::ReplyAddresses;
    use domain::offer::link::OfferKeys;
    use domain::request::status_link::StatusLinks;

    const KINDS: [CursorKind; 3] = [CursorKind::Time, CursorKind::Words, CursorKind::Prefix];

    fn position(cursor: String, kinds: &[CursorKind]) -> Option<(CursorKind, i64)> {
        let query = InboxQuery {
            cursor: Some(cursor),
            ..InboxQuery::default()
        };
        query.position(kinds).ok().flatten()
    }

    proptest! {
        #[test]
        fn a_cursor_is_valid_for_its_kind_of_list_only(seq in any::<i64>(), kind in 0..3_usize) {
            let kind = KINDS[kind];
            for other in KINDS {
                let expected = (other == kind).then_some((kind, seq));
                prop_assert_eq!(position(kind.after(seq), &[other]), expected);
            }
        }

        #[test]
        fn a_text_is_rejected_or_names_a_position(text in "[twben+0-9 -]{0,22}|.*") {
            if let Some((kind, seq)) = position(text.clone(), &KINDS) {
                let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                prop_assert_eq!(text.chars().next(), kind.after(seq).chars().next());
                prop_assert_eq!(digits.parse(), Ok(seq));
            }
        }
    }

    #[test]
    #[ignore = "just fuzz-parsers"]
    fn fuzz_cursors_and_signed_names() {
        let key = [1; 32];
        let statuses = StatusLinks::new(&key).unwrap();
        let offers = OfferKeys::new(&key, &key).unwrap();
        let addresses = ReplyAddresses::new(&key, "office@guard.example").unwrap();
        let ids = MessageIds::new(&key).unwrap();
        let seeds = [
            CursorKind::Prefix.after(i64::MAX),
            statuses.path("GP-2K7Q"),
            offers.path("O-2K7Q", 3),
            addresses.address("GP-2K7Q").unwrap(),
            ids.id(28_723_683_921_088, "guard.example"),
        ]
        .map(String::into_bytes);
        let bound = std::time::Duration::from_secs(1);
        fuzzing::fuzz("names", &seeds, &[], bound, |bytes| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let last = text.rsplit('/').next().unwrap_or_default();
            let _ = (statuses.verify(last), offers.verify(last));
            let _ = (addresses.find(&text), ids.read(&text));
            position(text, &KINDS);
        });
    }
}
