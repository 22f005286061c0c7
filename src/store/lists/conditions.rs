//! The filter of a list as SQL conditions.

use rusqlite::types::Value;

use super::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter, WRITTEN};
use super::parts::Part;
use domain::request::quote::Status;

/// A table of counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counters {
    /// `request_counts`.
    ByPeriod,
    /// `property_counts`.
    ByProperty,
}

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

    pub(crate) fn flag(&mut self, asked: Option<bool>, condition: &str) {
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

impl RequestFilter {
    /// The conditions on columns of which counters have some (`counters`), but for what is said of
    /// the kind and the status by each of these parts.
    pub(crate) fn counted(&self, parts: &[Part]) -> Conditions {
        let mut all = Conditions::default();
        all.add(format!("hidden = {}", self.hidden as u8));
        let are_parts = |have: fn(&Part) -> bool| !parts.is_empty() && parts.iter().all(have);
        let kind = self.kind.filter(|_| !are_parts(|part| part.kind.is_some()));
        if let Some(kind) = kind {
            all.add(format!("kind = '{}'", kind.as_str()));
        }
        let statuses: Vec<_> = self.possible_statuses().map(Status::as_str).collect();
        if statuses.len() < Status::ALL.len() && !are_parts(|part| part.status.is_some()) {
            all.add(format!("status IN ('{}')", statuses.join("', '")));
        }
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
            Some(Assignee::Nobody) => all.add("assigned = 0"),
            None => {}
        }
        match self.outcome {
            Some(Outcomes::Known(outcome)) => {
                all.add(format!("outcome = '{}'", outcome.as_str()));
            }
            Some(Outcomes::Unknown) => all.add("coalesce(outcome, '') = ''"),
            None => {}
        }
        all
    }

    /// The counters with all columns of the conditions; `None` if requests have to be counted.
    pub(crate) fn counters(&self) -> Option<Counters> {
        let others = [self.overdue, self.written, self.unread];
        let is_counted = others.iter().all(Option::is_none)
            && self.follow_up.is_none()
            && self.origin == OriginFilter::default()
            && self.within.is_none()
            && self.is_value_monthly.is_none()
            && !(self.is_won() && (self.since.is_some() || self.until.is_some()))
            && self.reason.is_none()
            && self.answered_by.is_none()
            && !matches!(self.assignee, Some(Assignee::User(_)));
        let has_property = self.service.is_some() || self.state.is_some() || self.outcome.is_some();
        let has_progress = self.attention.is_some() || self.answered.is_some();
        match (is_counted, has_property, has_progress) {
            (true, false, _) => Some(Counters::ByPeriod),
            (true, true, false) => Some(Counters::ByProperty),
            _ => None,
        }
    }

    /// Whether the conditions of `parts` say that the requests are overdue.
    pub(super) fn has_overdue_parts(&self) -> bool {
        self.overdue == Some(true) && self.hidden == Hidden::No
    }

    /// All conditions but those of the range of `seq`, and those that these `parts` of the filter
    /// have. Of no parts, as when the requests are read by their words, all.
    pub(crate) fn conditions(&self, parts: &[Part]) -> Conditions {
        let mut all = self.counted(parts);
        all.flag(self.written, WRITTEN);
        all.flag(self.unread, "unread = 1");
        if !self.has_overdue_parts() || parts.is_empty() {
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
            all.add("answer_minutes IS NOT NULL");
            all.flag(Some(within), &self.is_within());
        }
        if let Some(reason) = &self.reason {
            all.add("outcome = 'lost'");
            all.bind("coalesce(outcome_reason, '') = ?", reason.clone());
        }
        if let Some(user) = &self.answered_by {
            all.bind("answered_by = ?", user.clone());
        }
        if let Some(is_monthly) = self.is_value_monthly {
            all.add("outcome = 'won' AND outcome_cents IS NOT NULL");
            all.flag(Some(is_monthly), "outcome_per IS 'month'");
        }
        if self.is_won() {
            for (condition, time) in [("won_at >= ?", self.since), ("won_at < ?", self.until)] {
                if let Some(time) = time {
                    all.bind(condition, time.to_string());
                }
            }
        }
        all
    }

    /// Of an answered request: whole minutes count, as in figures.
    fn is_within(&self) -> String {
        let (emergency, other) = (self.times.millis(true), self.times.millis(false));
        format!("answer_minutes < iif(emergency_contact = 1, {emergency}, {other}) / 60000")
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
}
