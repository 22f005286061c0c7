//! The filter of a list, and the range of `seq` that it covers. `conditions` makes SQL of it.

use domain::clock::Time;
use domain::figures::source::Source;
use domain::ids::first_seq;
use domain::request::RequestKind;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

/// A request whose customer waits for an answer to a further message.
pub(super) const WRITTEN: &str = "unanswered IS NOT NULL AND answered_at IS NOT NULL";

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

/// Requests by whether the lists have them, as the column `hidden` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// Those of the lists.
    #[default]
    No,
    /// Held as spam.
    Spam,
    /// Merged into another request.
    Duplicate,
}

/// Requests by where their customer's first visit came from. An empty text is that of unknown ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OriginFilter {
    pub source: Option<Source>,
    pub campaign: Option<String>,
    pub entry_page: Option<String>,
}

impl OriginFilter {
    /// Conditions with their values.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = (&'static str, String)> {
        let source = self.source.map(|source| source.as_str().to_owned());
        [
            ("origin_source = ?", source),
            ("origin_campaign = ?", self.campaign.clone()),
            ("origin_entry_page = ?", self.entry_page.clone()),
        ]
        .into_iter()
        .filter_map(|(condition, value)| Some((condition, value?)))
    }
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
    pub hidden: Hidden,
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
    /// Lost for this reason; empty for those without one.
    pub reason: Option<String>,
    /// The id of the user who has reached the customer first; empty if that is not known.
    pub answered_by: Option<String>,
    /// By the origin of the first visit, as figures count it.
    pub origin: OriginFilter,
    /// Answered, and within the promised time or not.
    pub within: Option<bool>,
    /// Won with a recorded value: for a month, or else once.
    pub is_value_monthly: Option<bool>,
    /// The id of the user who reads: their follow-ups come first.
    pub viewer: String,
    /// Response-time targets.
    pub times: AnswerTimes,
    /// The current time, for `overdue`.
    pub now: Time,
}

/// A half-open range of `seq`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeqRange {
    pub first: i64,
    pub end: i64,
}

impl SeqRange {
    pub(crate) const ALL: Self = Self {
        first: i64::MIN,
        end: i64::MAX,
    };

    /// The part of it below `seq`.
    pub(crate) fn below(self, seq: i64) -> Self {
        let end = self.end.min(seq);
        Self { end, ..self }
    }

    /// The part of it above `seq`.
    pub(crate) fn above(self, seq: i64) -> Self {
        let first = self.first.max(seq.saturating_add(1));
        Self { first, ..self }
    }
}

impl RequestFilter {
    pub(super) fn possible_kinds(&self) -> impl Iterator<Item = RequestKind> {
        let is_asked = |kind: &RequestKind| self.kind.is_none_or(|asked| asked == *kind);
        RequestKind::ALL.into_iter().filter(is_asked)
    }

    /// Whether only won requests pass: `since` and `until` are times of signing then.
    pub(super) fn is_won(&self) -> bool {
        self.outcome == Some(Outcomes::Known(Outcome::Won)) || self.is_value_monthly.is_some()
    }

    /// The statuses of the requests that may pass. An outcome counts while the request is closed,
    /// unless it is won.
    pub(super) fn possible_statuses(&self) -> impl Iterator<Item = Status> {
        let is_closed = self.outcome.is_some() && !self.is_won() || self.reason.is_some();
        let is_closed = is_closed.then_some(false);
        let open = [self.open, is_closed, self.overdue.filter(|asked| *asked)];
        Status::ALL.into_iter().filter(move |status| {
            let is_asked = self.statuses.is_empty() || self.statuses.contains(status);
            is_asked && open.iter().flatten().all(|open| status.is_open() == *open)
        })
    }

    /// The range of `seq` that the times of receipt cover; of overdue requests, up to the newest
    /// that may be overdue.
    pub(crate) fn range(&self) -> SeqRange {
        let range = match self.is_won() {
            true => SeqRange::ALL,
            false => SeqRange {
                first: self.since.map_or(i64::MIN, first_seq),
                end: self.until.map_or(i64::MAX, first_seq),
            },
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
    pub(crate) fn overdue_end(&self, emergency: bool) -> i64 {
        first_seq(self.now.plus_millis(1 - self.times.millis(emergency)))
    }

    /// Messages whose event is below this have passed their due time. They are later than their
    /// request.
    pub(crate) fn next_overdue_end(&self) -> i64 {
        first_seq(self.now.plus_millis(1 - self.times.next_millis()))
    }
}
