//! The filter of a list as SQL: conditions, and the index that has the requests in their order.

use rusqlite::types::Value;

use super::filter::{Assignee, FollowUps, OriginFilter, Outcomes, RequestFilter};
use domain::ids::SEQS_PER_MILLI;
use domain::request::RequestKind;
use domain::request::quote::Status;

/// A request whose customer waits for an answer to a further message.
const WRITTEN: &str = "unanswered IS NOT NULL AND answered_at IS NOT NULL";

/// Conditions that all hold, and the values of their parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    sql: Vec<String>,
    pub values: Vec<Value>,
}

impl Conditions {
    pub(crate) fn add(&mut self, condition: impl Into<String>) {
        self.sql.push(condition.into());
    }

    /// Adds a condition on one value, which stands for its question mark.
    pub(crate) fn bind(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        let parameter = format!("?{}", self.values.len());
        self.add(condition.replace('?', &parameter));
    }

    fn flag(&mut self, asked: Option<bool>, condition: &str) {
        match asked {
            Some(true) => self.add(format!("({condition})")),
            Some(false) => self.add(format!("NOT ({condition})")),
            None => {}
        }
    }

    pub(crate) fn sql(&self) -> String {
        self.sql.join(" AND ")
    }
}

/// An index, and the condition of the requests that it has in the order of `seq`.
pub(crate) struct Part {
    /// `None`: the table itself.
    pub index: Option<&'static str>,
    pub condition: String,
}

impl RequestFilter {
    /// The conditions on columns that `request_counts` has too.
    pub(crate) fn counted(&self) -> Conditions {
        let mut all = Conditions::default();
        all.add(format!("hidden = {}", u8::from(self.held)));
        if let Some(kind) = self.kind {
            all.add(format!("kind = '{}'", kind.as_str()));
        }
        if !self.statuses.is_empty() {
            let asked: Vec<_> = self.statuses.iter().map(|status| status.as_str()).collect();
            all.add(format!("status IN ('{}')", asked.join("', '")));
        }
        all.flag(self.open, "open = 1");
        all.flag(self.attention, "attention = 1");
        all.flag(self.answered, "answered = 1");
        all.flag(self.emergency, "emergency_contact = 1");
        if let Some(service) = &self.service {
            all.bind("service = ?", service.clone());
        }
        if let Some(state) = self.state {
            all.bind("state = ?", state.to_owned());
        }
        match &self.assignee {
            Some(Assignee::User(id)) => all.bind("assignee = ?", id.clone()),
            Some(Assignee::Nobody) => all.add("coalesce(assignee, '') = ''"),
            None => {}
        }
        // An outcome counts while the request is closed.
        match self.outcome {
            Some(Outcomes::Known(outcome)) => {
                all.add(format!("open = 0 AND outcome = '{}'", outcome.as_str()));
            }
            Some(Outcomes::Unknown) => all.add("open = 0 AND coalesce(outcome, '') = ''"),
            None => {}
        }
        all
    }

    /// Whether there are no other conditions than the `counted` ones.
    pub(crate) fn is_counted(&self) -> bool {
        let others = [self.overdue, self.written, self.unread];
        others.iter().all(Option::is_none)
            && self.follow_up.is_none()
            && self.origin == OriginFilter::default()
            && self.within.is_none()
            && self.is_value_monthly.is_none()
            && self.since.is_none()
            && self.until.is_none()
    }

    /// Whether the conditions of `parts` say that the requests are overdue.
    fn has_overdue_parts(&self) -> bool {
        self.overdue == Some(true) && !self.held
    }

    /// All conditions but those of the range of `seq`, and of `parts` unless the requests are read
    /// by their words.
    pub(crate) fn conditions(&self, is_by_words: bool) -> Conditions {
        let mut all = self.counted();
        all.flag(self.written, WRITTEN);
        all.flag(self.unread, "unread = 1");
        if !self.has_overdue_parts() || is_by_words {
            all.flag(self.overdue, &self.is_overdue());
        }
        match &self.follow_up {
            Some(FollowUps::Waiting) => all.add("follow_up_at IS NOT NULL AND follow_up_due = 0"),
            Some(FollowUps::Due) => all.add("follow_up_due = 1"),
            Some(FollowUps::DueOf(user)) => {
                all.bind("follow_up_due = 1 AND follow_up_by = ?", user.clone());
            }
            Some(FollowUps::DueOfOthers(user)) => {
                all.bind(
                    "follow_up_due = 1 AND coalesce(follow_up_by, '') <> ?",
                    user.clone(),
                );
            }
            Some(FollowUps::NotDue) => all.add("follow_up_due = 0"),
            None => {}
        }
        for (condition, value) in self.origin.conditions() {
            all.bind(condition, value);
        }
        if let Some(within) = self.within {
            all.add("answered_at IS NOT NULL");
            all.flag(Some(within), &self.is_within());
        }
        if let Some(is_monthly) = self.is_value_monthly {
            all.add("open = 0 AND outcome = 'won' AND outcome_cents IS NOT NULL");
            all.flag(Some(is_monthly), "outcome_per IS 'month'");
        }
        all
    }

    /// Of an answered request: whole minutes count, as in figures.
    fn is_within(&self) -> String {
        let (emergency, other) = (self.times.millis(true), self.times.millis(false));
        format!(
            "(CAST(round(unixepoch(answered_at, 'subsec') * 1000) AS INTEGER)
               - seq / {SEQS_PER_MILLI}) / 60000
             < iif(emergency_contact = 1, {emergency}, {other}) / 60000"
        )
    }

    fn is_overdue(&self) -> String {
        let (next, emergency, other) = (
            self.next_overdue_end(),
            self.overdue_end(true),
            self.overdue_end(false),
        );
        format!(
            "open = 1 AND iif({WRITTEN}, unanswered < {next},
             answered_at IS NULL AND seq < iif(emergency_contact = 1, {emergency}, {other}))"
        )
    }

    /// The statuses of the requests that may pass.
    fn possible_statuses(&self) -> impl Iterator<Item = Status> {
        let is_closed = self.outcome.is_some().then_some(false);
        let open = [self.open, is_closed, self.overdue.filter(|asked| *asked)];
        let open = open.into_iter().flatten().next();
        Status::ALL.into_iter().filter(move |status| {
            let is_asked = self.statuses.is_empty() || self.statuses.contains(status);
            is_asked && open.is_none_or(|open| status.is_open() == open)
        })
    }

    fn possible_kinds(&self) -> impl Iterator<Item = RequestKind> {
        let is_asked = |kind: &RequestKind| self.kind.is_none_or(|asked| asked == *kind);
        RequestKind::ALL.into_iter().filter(is_asked)
    }

    /// The parts in which the fewest requests are read; they have no request in common, and all
    /// that pass the filter. Rare properties come first.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let part = |index, condition: &str| Part {
            index: Some(index),
            condition: condition.to_owned(),
        };
        let by_status = |index: &'static str, condition: &str| {
            let of = |status: Status| format!("{condition} AND status = '{}'", status.as_str());
            self.possible_statuses()
                .map(|status| part(index, &of(status)))
                .collect()
        };
        if self.has_overdue_parts() {
            let late = format!(
                "open = 1 AND {WRITTEN} AND unanswered < {}",
                self.next_overdue_end()
            );
            let mut parts = self.unsettled_parts();
            parts.push(part("requests_unanswered", &late));
            return parts;
        }
        if self.held {
            return vec![part("requests_held", "held IS NOT NULL")];
        }
        match &self.follow_up {
            Some(FollowUps::Waiting) => {
                let waits = "follow_up_at IS NOT NULL AND follow_up_due = 0";
                return vec![part("requests_waiting", waits)];
            }
            Some(FollowUps::Due | FollowUps::DueOf(_) | FollowUps::DueOfOthers(_)) => {
                return vec![part("requests_due", "follow_up_due = 1")];
            }
            Some(FollowUps::NotDue) | None => {}
        }
        if self.unread == Some(true) {
            return vec![part("requests_unread", "unread = 1")];
        }
        if self.written == Some(true) {
            return vec![part("requests_unanswered", WRITTEN)];
        }
        if self.attention == Some(true) {
            let mut parts = self.unsettled_parts();
            parts.push(part(
                "requests_attention",
                "attention = 1 AND answered_at IS NOT NULL",
            ));
            return parts;
        }
        if let Some(Outcomes::Known(outcome)) = self.outcome {
            let condition = format!("outcome = '{}'", outcome.as_str());
            return by_status("requests_by_outcome", &condition);
        }
        // The value is in the conditions.
        if let Some(Assignee::User(_)) = &self.assignee {
            return by_status("requests_by_assignee", "assignee IS NOT NULL");
        }
        if self.state.is_some() {
            return by_status("requests_by_state", "state IS NOT NULL");
        }
        if self.service.is_some() {
            return by_status("requests_by_service", "TRUE");
        }
        if self.kind.is_some() || self.possible_statuses().count() < Status::ALL.len() {
            return self.parts_by_status();
        }
        vec![Part {
            index: None,
            condition: "TRUE".to_owned(),
        }]
    }

    /// A part for each kind and status.
    pub(crate) fn parts_by_status(&self) -> Vec<Part> {
        let of_kind = |kind: RequestKind| {
            self.possible_statuses().map(move |status| Part {
                index: Some("requests_by_status"),
                condition: format!(
                    "kind = '{}' AND status = '{}'",
                    kind.as_str(),
                    status.as_str()
                ),
            })
        };
        self.possible_kinds().flat_map(of_kind).collect()
    }

    /// The open requests without an answer; of overdue ones, those whose time has passed.
    fn unsettled_parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for emergency in [true, false] {
            if self.answered == Some(true) || self.emergency == Some(!emergency) {
                continue;
            }
            let end = match self.has_overdue_parts() {
                true => format!(" AND seq < {}", self.overdue_end(emergency)),
                false => String::new(),
            };
            let open = self.possible_statuses().filter(|status| status.is_open());
            parts.extend(open.map(|status| Part {
                index: Some("requests_unsettled"),
                condition: format!(
                    "open = 1 AND answered_at IS NULL AND emergency_contact = {} AND status = '{}'
                     {end}",
                    u8::from(emergency),
                    status.as_str()
                ),
            }));
        }
        parts
    }
}
