//! The query of a page of the inbox: which requests, in which order, from which cursor. A cursor is
//! a tag for its kind and the `seq` of the last request on the page.

use super::index_words::{
    ANSWERED, ASSIGNED, EMERGENCY, HELD, MESSAGE, REPLY_FAILED, assignee_word, service_word,
    state_status_word, state_word, status_word,
};
use super::request_columns::IndexedColumns;
use super::{Error, Result};
use crate::domain::clock::Time;
use crate::domain::due_time::AnswerTimes;
use crate::domain::ids::first_seq;
use crate::domain::quote::Status;
use crate::domain::request::{Request, RequestKind};
use crate::domain::us_state;

/// Whose requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignee {
    /// Those that nobody has taken.
    Nobody,
    /// Those of the user with this id.
    User(String),
}

/// Which requests. Everything that is `None` or empty does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestFilter {
    /// Quotes or messages.
    pub kind: Option<RequestKind>,
    /// In one of these statuses.
    pub statuses: Vec<Status>,
    /// For this service.
    pub service: Option<String>,
    /// For a location in the state with this postal code, in capitals.
    pub state: Option<&'static str>,
    /// Of this person.
    pub assignee: Option<Assignee>,
    /// Received at this time or later.
    pub since: Option<Time>,
    /// Received before this time.
    pub until: Option<Time>,
    /// Whether the due time has passed without an answer.
    pub overdue: Option<bool>,
    /// Whether they are held as spam.
    pub held: bool,
    /// Whether the visitor wants a call right away.
    pub emergency: Option<bool>,
    /// Whether they are open, and not answered or with a reply that failed.
    pub attention: Option<bool>,
    /// The promised times.
    pub times: AnswerTimes,
    /// The current time, for `overdue`.
    pub now: Time,
}

/// A page of the inbox: newest first, or by due time if `attention` is asked for.
#[derive(Clone, Debug, Default)]
pub struct InboxQuery {
    /// Which requests.
    pub filter: RequestFilter,
    /// Only requests that contain all these words; the last may be the prefix of one.
    pub search: String,
    /// Requests per page.
    pub limit: usize,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
}

/// How the requests of a list are found. The next page is found in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CursorKind {
    /// Without a search, newest first.
    Time,
    /// By whole words, newest first.
    Words,
    /// By whole words and the last one as a prefix, newest first.
    Prefix,
    /// By due time; the last request was an emergency.
    DueEmergency,
    /// By due time; the last request was not an emergency.
    DueNormal,
}

impl CursorKind {
    const fn tag(self) -> char {
        match self {
            Self::Time => 't',
            Self::Words => 'w',
            Self::Prefix => 'b',
            Self::DueEmergency => 'e',
            Self::DueNormal => 'n',
        }
    }

    /// The cursor after the request at `seq`.
    pub(super) fn after(self, seq: i64) -> String {
        format!("{}{seq}", self.tag())
    }
}

impl InboxQuery {
    /// The kind of the cursor, one of `kinds`, and its `seq`; none for a first page.
    ///
    /// # Errors
    /// `Conflict` for a cursor of another list.
    pub(super) fn position(&self, kinds: &[CursorKind]) -> Result<Option<(CursorKind, i64)>> {
        let Some(cursor) = &self.cursor else {
            return Ok(None);
        };
        let parse = |kind: &CursorKind| {
            let seq = cursor.strip_prefix(kind.tag())?.parse().ok()?;
            Some((*kind, seq))
        };
        let found = kinds.iter().find_map(parse);
        found
            .map(Some)
            .ok_or_else(|| Error::Conflict("this cursor does not belong to this list".into()))
    }
}

/// A half-open range of `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeqRange {
    pub first: i64,
    pub end: i64,
}

impl SeqRange {
    /// The part of it below `seq`.
    pub(super) fn below(self, seq: i64) -> Self {
        let end = self.end.min(seq);
        Self { end, ..self }
    }

    /// The part of it above `seq`.
    pub(super) fn above(self, seq: i64) -> Self {
        let first = self.first.max(seq.saturating_add(1));
        Self { first, ..self }
    }
}

impl RequestFilter {
    /// The range of `seq` that the times of receipt cover; of overdue requests, up to the newest
    /// that may be overdue.
    pub(super) fn range(&self) -> SeqRange {
        let range = SeqRange {
            first: self.since.map_or(i64::MIN, first_seq),
            end: self.until.map_or(i64::MAX, first_seq),
        };
        match self.overdue {
            Some(true) => range.below(self.overdue_end(true).max(self.overdue_end(false))),
            _ => range,
        }
    }

    /// Requests below this `seq` have passed their due time.
    pub(super) fn overdue_end(&self, emergency: bool) -> i64 {
        first_seq(self.now.plus_millis(1 - self.times.millis(emergency)))
    }

    /// Whether a request passes the filter.
    pub(super) fn matches(&self, request: &IndexedColumns<'_>) -> bool {
        let is_open = matches!(request.status, Status::Pending | Status::InProgress);
        let needs_attention = is_open && (!request.answered || request.reply_failed);
        let is_overdue =
            || is_open && !request.answered && request.seq < self.overdue_end(request.emergency);
        let is_assigned = |assignee: &Assignee| match assignee {
            Assignee::Nobody => request.assignee.is_none(),
            Assignee::User(id) => request.assignee == Some(id.as_str()),
        };
        let state = |state| us_state::of_location(request.location) == Some(state);
        request.held == self.held
            && self.kind.is_none_or(|kind| request.kind == kind)
            && (self.statuses.is_empty() || self.statuses.contains(&request.status))
            && self
                .emergency
                .is_none_or(|asked| request.emergency == asked)
            && self.attention.is_none_or(|asked| needs_attention == asked)
            && self.overdue.is_none_or(|asked| is_overdue() == asked)
            && self
                .service
                .as_deref()
                .is_none_or(|asked| request.service == asked)
            && self.assignee.as_ref().is_none_or(is_assigned)
            && self.state.is_none_or(state)
    }

    /// Whether the search index finds the requests sooner than a walk through the tables.
    pub(super) fn has_properties(&self) -> bool {
        !self.statuses.is_empty()
            || self.held
            || self.service.is_some()
            || self.state.is_some()
            || self.assignee.is_some()
            || self.attention.is_some()
            || self.overdue == Some(true)
            || self.emergency == Some(true)
    }

    /// The FTS5 query of the requests that pass the filter and contain all words: each of `whole`,
    /// and `condition`. What depends on the time is not in it (`range`, `overdue`).
    pub(super) fn expression(&self, whole: &[String], condition: Option<&str>) -> String {
        let word = |status: &Status| match self.state {
            Some(state) => state_status_word(state, *status),
            None => status_word(*status).to_owned(),
        };
        let any = |statuses: &[Status]| {
            let words: Vec<_> = statuses.iter().map(word).collect();
            format!("({})", words.join(" OR "))
        };
        let is_open = self.attention == Some(true) || self.overdue == Some(true);
        let has_status = is_open || !self.statuses.is_empty();
        let mut all = Vec::new();
        if !self.statuses.is_empty() {
            all.push(any(&self.statuses));
        }
        if is_open {
            all.push(any(&[Status::Pending, Status::InProgress]));
        }
        if self.attention == Some(false) {
            let closed = any(&[Status::Completed, Status::Cancelled]);
            all.push(format!("({closed} OR {})", settled()));
        }
        if let Some(Assignee::User(id)) = &self.assignee {
            all.push(assignee_word(id));
        }
        // A word of a status tells the state as well.
        all.extend(self.state.filter(|_| !has_status).map(state_word));
        all.extend(self.service.as_deref().map(service_word));
        let flags = [
            (self.kind == Some(RequestKind::Message), MESSAGE),
            (self.emergency == Some(true), EMERGENCY),
            (self.held, HELD),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set);
        all.extend(flags.map(|(_, word)| word.to_owned()));
        all.extend(words_expression(whole, condition));
        if all.is_empty() {
            all.push(any(&Status::ALL));
        }
        let excluded = [
            (self.kind == Some(RequestKind::Quote), MESSAGE),
            (self.emergency == Some(false), EMERGENCY),
            (!self.held, HELD),
            (self.assignee == Some(Assignee::Nobody), ASSIGNED),
            (self.overdue == Some(true), ANSWERED),
            (self.attention == Some(true), &settled()),
        ];
        let excluded = excluded.into_iter().filter(|(is_set, _)| *is_set);
        let excluded = excluded.map(|(_, word)| format!(" NOT {word}"));
        format!("({}){}", all.join(" AND "), excluded.collect::<String>())
    }
}

/// The FTS5 conditions of all words: each of `whole`, and `condition`.
pub(super) fn words_expression(whole: &[String], condition: Option<&str>) -> Vec<String> {
    let whole = whole.iter().map(|word| format!("\"{word}\""));
    whole.chain(condition.map(str::to_owned)).collect()
}

/// The FTS5 query of the requests whose customer was reached by the last reply too.
fn settled() -> String {
    format!("({ANSWERED} NOT {REPLY_FAILED})")
}

/// Cuts the rows to the page and makes the cursor of the next page.
pub(super) fn paginate(
    mut rows: Vec<Request>,
    limit: usize,
    kind: impl Fn(&Request) -> CursorKind,
) -> (Vec<Request>, Option<String>) {
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| has_more);
    let next_cursor = last.map(|request| kind(request).after(request.seq));
    (rows, next_cursor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CursorKind, InboxQuery};

    const KINDS: [CursorKind; 5] = [
        CursorKind::Time,
        CursorKind::Words,
        CursorKind::Prefix,
        CursorKind::DueEmergency,
        CursorKind::DueNormal,
    ];

    fn position(cursor: String, kinds: &[CursorKind]) -> Option<(CursorKind, i64)> {
        let query = InboxQuery {
            cursor: Some(cursor),
            ..InboxQuery::default()
        };
        query.position(kinds).ok().flatten()
    }

    proptest! {
        #[test]
        fn a_cursor_is_valid_for_its_kind_of_list_only(seq in any::<i64>(), kind in 0..5_usize) {
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
}
