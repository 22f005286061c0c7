//! The indexes that have the requests of a filter in the order of a list.

use super::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter, WRITTEN};
use domain::request::RequestKind;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

/// An index, and the condition of the requests that it has in the order of `seq`.
#[derive(Default)]
pub(crate) struct Part {
    /// `None`: the table itself.
    pub index: Option<&'static str>,
    pub condition: String,
    /// The kind of all its requests, which the condition has; `None` where they have both.
    pub kind: Option<RequestKind>,
    /// The status of all its requests, which the condition has; `None` where they have several.
    pub status: Option<Status>,
}

impl Part {
    fn new(index: &'static str, condition: &str) -> Self {
        Self {
            index: Some(index),
            condition: condition.to_owned(),
            ..Self::default()
        }
    }

    fn of_kind(self, kind: RequestKind) -> Self {
        Self {
            condition: format!("{} AND kind = '{}'", self.condition, kind.as_str()),
            kind: Some(kind),
            ..self
        }
    }

    fn of_status(self, status: Status) -> Self {
        Self {
            condition: format!("{} AND status = '{}'", self.condition, status.as_str()),
            status: Some(status),
            ..self
        }
    }
}

impl RequestFilter {
    /// A part for each kind and status, of an index that begins with a property, the kind and the
    /// status.
    fn by_status(&self, index: &'static str, condition: &str) -> Vec<Part> {
        let of_kind = |kind| {
            let of = move |status| Part::new(index, condition).of_kind(kind).of_status(status);
            self.possible_statuses().map(of)
        };
        self.possible_kinds().flat_map(of_kind).collect()
    }

    /// The parts in which the fewest requests are read; they have no request in common, and all
    /// that pass the filter. Properties of which there are many values come first.
    pub(crate) fn parts(&self) -> Vec<Part> {
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
            return self.by_status("requests_by_assignee", "assignee IS NOT NULL");
        }
        if self.answered_by.is_some() {
            return self.by_status("requests_by_answerer", "answered_by IS NOT NULL");
        }
        if self.reason.is_some() {
            return self.by_status("requests_by_reason", "outcome = 'lost'");
        }
        if matches!(self.origin.campaign.as_deref(), Some(name) if !name.is_empty()) {
            return self.by_status("requests_by_campaign", "origin_campaign <> ''");
        }
        if self.state.is_some() {
            return self.by_status("requests_by_state", "state IS NOT NULL");
        }
        if self.service.is_some() {
            return self.by_status("requests_by_service", "TRUE");
        }
        let won = self.is_value_monthly.map(|_| Outcomes::Known(Outcome::Won));
        if let Some(Outcomes::Known(outcome)) = self.outcome.or(won) {
            let condition = format!("outcome = '{}'", outcome.as_str());
            return self.by_status("requests_by_outcome", &condition);
        }
        let is_in_index =
            self.kind.is_some() || self.origin != OriginFilter::default() || self.within.is_some();
        if is_in_index || self.possible_statuses().count() < Status::ALL.len() {
            return self.by_status("requests_by_status", "TRUE");
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
            false => self.by_status("requests_by_status", "TRUE"),
        }
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
            let part = |status| Part::new("requests_unsettled", &condition).of_status(status);
            parts.extend(open.map(part));
        }
        parts
    }
}
