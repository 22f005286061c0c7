//! The indexes that have the requests of a filter in the order of a list.

use super::conditions::WRITTEN;
use super::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter};
use domain::request::RequestKind;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

/// An index, and the condition of the requests that it has in the order of `seq`.
#[derive(Default)]
pub(crate) struct Part {
    /// `None`: the table itself.
    pub index: Option<&'static str>,
    pub condition: String,
    /// The status of all its requests; `None` where they have several.
    pub status: Option<Status>,
}

impl Part {
    fn new(index: &'static str, condition: &str) -> Self {
        Self {
            index: Some(index),
            condition: condition.to_owned(),
            status: None,
        }
    }

    fn of_status(index: &'static str, condition: &str, status: Status) -> Self {
        Self {
            condition: format!("{condition} AND status = '{}'", status.as_str()),
            status: Some(status),
            ..Self::new(index, "")
        }
    }
}

impl RequestFilter {
    /// The statuses of the requests that may pass.
    fn possible_statuses(&self) -> impl Iterator<Item = Status> {
        let is_closed =
            self.outcome.is_some() || self.is_value_monthly.is_some() || self.reason.is_some();
        let is_closed = is_closed.then_some(false);
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
    /// that pass the filter. Properties of which there are many values come first.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let by_status = |index, condition| {
            let of = |status| Part::of_status(index, condition, status);
            self.possible_statuses().map(of).collect()
        };
        if self.has_overdue_parts() {
            let late = format!(
                "open = 1 AND {WRITTEN} AND unanswered < {}",
                self.next_overdue_end()
            );
            let mut parts = self.unsettled_parts();
            parts.push(Part::new("requests_unanswered", &late));
            return parts;
        }
        // Duplicates are held, too.
        if self.hidden != Hidden::No {
            return vec![Part::new("requests_held", "held IS NOT NULL")];
        }
        match &self.follow_up {
            Some(FollowUps::Waiting) => {
                let waits = "follow_up_at IS NOT NULL AND follow_up_due = 0";
                return vec![Part::new("requests_waiting", waits)];
            }
            Some(FollowUps::Due | FollowUps::DueOf(_) | FollowUps::DueOfOthers(_)) => {
                return vec![Part::new("requests_due", "follow_up_due = 1")];
            }
            Some(FollowUps::NotDue) | None => {}
        }
        if self.unread == Some(true) {
            return vec![Part::new("requests_unread", "unread = 1")];
        }
        if self.written == Some(true) {
            return vec![Part::new("requests_unanswered", WRITTEN)];
        }
        if self.open == Some(true) && self.answered == Some(false) {
            return self.unsettled_parts();
        }
        if self.attention == Some(true) {
            let mut parts = self.unsettled_parts();
            parts.push(Part::new(
                "requests_attention",
                "attention = 1 AND answered_at IS NOT NULL",
            ));
            return parts;
        }
        // The value is in the conditions.
        if let Some(Assignee::User(_)) = &self.assignee {
            return by_status("requests_by_assignee", "assignee IS NOT NULL");
        }
        if self.answered_by.is_some() {
            return by_status("requests_by_answerer", "answered_by IS NOT NULL");
        }
        if self.reason.is_some() {
            return by_status("requests_by_reason", "outcome = 'lost'");
        }
        if matches!(self.origin.campaign.as_deref(), Some(name) if !name.is_empty()) {
            return by_status("requests_by_campaign", "origin_campaign <> ''");
        }
        if self.state.is_some() {
            return by_status("requests_by_state", "state IS NOT NULL");
        }
        if self.service.is_some() {
            return by_status("requests_by_service", "TRUE");
        }
        let won = self.is_value_monthly.map(|_| Outcomes::Known(Outcome::Won));
        if let Some(Outcomes::Known(outcome)) = self.outcome.or(won) {
            let condition = format!("outcome = '{}'", outcome.as_str());
            return by_status("requests_by_outcome", &condition);
        }
        let is_in_index =
            self.kind.is_some() || self.origin != OriginFilter::default() || self.within.is_some();
        if is_in_index || self.possible_statuses().count() < Status::ALL.len() {
            return self.parts_by_status();
        }
        vec![Part {
            condition: "TRUE".to_owned(),
            ..Part::default()
        }]
    }

    /// The parts in which requests are counted without reading their rows.
    pub(crate) fn counted_parts(&self) -> Vec<Part> {
        let parts = self.parts();
        match parts.iter().all(|part| part.index.is_some()) {
            true => parts,
            false => self.parts_by_status(),
        }
    }

    /// A part for each kind and status.
    fn parts_by_status(&self) -> Vec<Part> {
        let of_kind = |kind: RequestKind| {
            let condition = format!("kind = '{}'", kind.as_str());
            let of = move |status| Part::of_status("requests_by_status", &condition, status);
            self.possible_statuses().map(of)
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
            let condition = format!(
                "open = 1 AND answered_at IS NULL AND emergency_contact = {}{end}",
                u8::from(emergency)
            );
            let open = self.possible_statuses().filter(|status| status.is_open());
            parts.extend(open.map(|it| Part::of_status("requests_unsettled", &condition, it)));
        }
        parts
    }
}
