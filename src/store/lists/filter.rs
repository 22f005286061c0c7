//! The filter of a list. `conditions` makes SQL of it.

use domain::clock::Time;
use domain::figures::source::Source;
use domain::request::RequestKind;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assignee {
    /// Unassigned.
    Nobody,
    /// The user with this id.
    User(String),
}

domain::text_enum! {
    /// Requests by their reminder.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FollowUps {
        /// The time has not come.
        Waiting = "waiting",
        /// The time has come.
        Due = "due",
    }
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
