//! The filter of a list, checked against each row, and the range of `seq` that it covers.

use crate::domain::clock::Time;
use crate::domain::ids::first_seq;
use crate::domain::request::RequestKind;
use crate::domain::request::due_time::AnswerTimes;
use crate::domain::request::outcome::Outcome;
use crate::domain::request::quote::Status;
use crate::domain::us_state;
use crate::store::inbox::columns::IndexedColumns;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignee {
    /// Unassigned.
    Nobody,
    /// The user with this id.
    User(String),
}

/// Requests by their reminder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowUps {
    /// The time has not come.
    Waiting,
    /// The time has come.
    Due,
    /// The time has come, and the reminder is this user's.
    DueOf(String),
    /// The time has come, and the reminder is another user's.
    DueOfOthers(String),
    /// All others, including those that wait.
    NotDue,
}

/// Requests by their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    Known(Outcome),
    /// Completed or cancelled without a recorded outcome.
    Unknown,
}

/// The filter. Members that are `None` or empty match all requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestFilter {
    /// Quotes or messages.
    pub kind: Option<RequestKind>,
    pub statuses: Vec<Status>,
    pub service: Option<String>,
    /// For a location in the state with this postal code, in capitals.
    pub state: Option<&'static str>,
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
    /// Whether they are open, and not answered or with a failed reply.
    pub attention: Option<bool>,
    /// Whether the customer was answered.
    pub answered: Option<bool>,
    /// Whether a further message of the customer waits for an answer.
    pub written: Option<bool>,
    /// Whether there is an unopened message.
    pub unread: Option<bool>,
    /// Whether they are pending or in progress.
    pub open: Option<bool>,
    /// By their reminder.
    pub follow_up: Option<FollowUps>,
    pub outcome: Option<Outcomes>,
    /// The id of the user who reads: their follow-ups come first.
    pub viewer: String,
    /// Response-time targets.
    pub times: AnswerTimes,
    /// The current time, for `overdue`.
    pub now: Time,
}

/// A half-open range of `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct SeqRange {
    pub first: i64,
    pub end: i64,
}

impl SeqRange {
    /// The part of it below `seq`.
    pub(in crate::store) fn below(self, seq: i64) -> Self {
        let end = self.end.min(seq);
        Self { end, ..self }
    }

    /// The part of it above `seq`.
    pub(in crate::store) fn above(self, seq: i64) -> Self {
        let first = self.first.max(seq.saturating_add(1));
        Self { first, ..self }
    }
}

impl RequestFilter {
    /// The range of `seq` that the times of receipt cover; of overdue requests, up to the newest
    /// that may be overdue.
    pub(in crate::store) fn range(&self) -> SeqRange {
        let range = SeqRange {
            first: self.since.map_or(i64::MIN, first_seq),
            end: self.until.map_or(i64::MAX, first_seq),
        };
        match self.overdue {
            Some(true) => {
                let first = self.overdue_end(true).max(self.overdue_end(false));
                range.below(first.max(self.next_overdue_end()))
            }
            _ => range,
        }
    }

    /// Requests below this `seq` have passed their due time.
    pub(in crate::store) fn overdue_end(&self, emergency: bool) -> i64 {
        first_seq(self.now.plus_millis(1 - self.times.millis(emergency)))
    }

    /// Messages whose event is below this have passed their due time. They are later than their
    /// request.
    pub(in crate::store) fn next_overdue_end(&self) -> i64 {
        first_seq(self.now.plus_millis(1 - self.times.next_millis()))
    }

    /// Whether a request passes the filter.
    pub(in crate::store) fn matches(&self, request: &IndexedColumns<'_>) -> bool {
        let is_open = request.status.is_open();
        let due_of = request.reminded();
        let is_followed_up = |asked: &FollowUps| match asked {
            FollowUps::Waiting => request.is_waiting(),
            FollowUps::Due => due_of.is_some(),
            FollowUps::DueOf(user) => due_of == Some(user.as_str()),
            FollowUps::DueOfOthers(user) => due_of.is_some_and(|by| by != user),
            FollowUps::NotDue => due_of.is_none(),
        };
        let has_ended = |asked: Outcomes| match asked {
            Outcomes::Known(outcome) => request.outcome == Some(outcome.as_str()),
            Outcomes::Unknown => !is_open && request.outcome.is_none(),
        };
        let is_past_due = || match request.unanswered {
            Some(message) => message < self.next_overdue_end(),
            None => !request.answered && request.seq < self.overdue_end(request.emergency),
        };
        let is_overdue = || is_open && is_past_due();
        let is_assigned = |assignee: &Assignee| match assignee {
            Assignee::Nobody => request.assignee.is_none(),
            Assignee::User(id) => request.assignee == Some(id.as_str()),
        };
        let state = |state| us_state::of_location(request.location) == Some(state);
        request.held == self.held
            && !request.merged
            && self.kind.is_none_or(|kind| request.kind == kind)
            && (self.statuses.is_empty() || self.statuses.contains(&request.status))
            && self
                .emergency
                .is_none_or(|asked| request.emergency == asked)
            && self.open.is_none_or(|asked| is_open == asked)
            && self.follow_up.as_ref().is_none_or(is_followed_up)
            && self.outcome.is_none_or(has_ended)
            && self
                .attention
                .is_none_or(|asked| request.needs_attention() == asked)
            && self.answered.is_none_or(|asked| request.answered == asked)
            && self
                .written
                .is_none_or(|asked| request.unanswered.is_some() == asked)
            && self.unread.is_none_or(|asked| request.unread == asked)
            && self.overdue.is_none_or(|asked| is_overdue() == asked)
            && self
                .service
                .as_deref()
                .is_none_or(|asked| request.service == asked)
            && self.assignee.as_ref().is_none_or(is_assigned)
            && self.state.is_none_or(state)
    }

    /// Whether the search index finds the requests sooner than a scan of the tables.
    pub(in crate::store) fn has_properties(&self) -> bool {
        !self.statuses.is_empty()
            || self.held
            || self.service.is_some()
            || self.state.is_some()
            || self.assignee.is_some()
            || self.attention.is_some()
            || self.answered.is_some()
            || self.written == Some(true)
            || self.unread == Some(true)
            || self.open.is_some()
            || self.follow_up.is_some()
            || self.outcome.is_some()
            || self.overdue == Some(true)
            || self.emergency == Some(true)
    }
}
