//! The filter of a list as SQL conditions.

use rusqlite::types::Value;

use super::filter::{Assignee, FollowUps, Outcomes, RequestFilter};
use domain::ids::{SEQS_PER_MILLI, first_seq};
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

/// That a message is unanswered after the first answer (`Request::unanswered_message`).
const UNANSWERED: &str = "(unanswered IS NOT NULL AND answered = 1)";

/// That an answer is due (`Request::has_due_time`).
pub(super) const HAS_DUE_TIME: &str =
    "open = 1 AND (answered = 0 OR unanswered IS NOT NULL) AND hidden = 0";

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

    /// Adds a value; returns its parameter.
    pub(crate) fn parameter(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Adds a condition on one value, which stands for its question mark.
    pub(crate) fn bind(&mut self, condition: &str, value: impl Into<Value>) {
        let parameter = self.parameter(value);
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
    /// All conditions. They read columns of the index `requests_listed` only, so that requests are
    /// passed over and counted without their rows.
    pub(crate) fn conditions(&self) -> Conditions {
        let mut all = Conditions::default();
        all.add(format!("hidden = {}", self.hidden as u8));
        for (time, received, won) in [
            (self.since, "seq >= ?", "won_at >= ?"),
            (self.until, "seq < ?", "won_at < ?"),
        ] {
            match time {
                Some(time) if self.is_won() => all.bind(won, time.to_string()),
                Some(time) => all.bind(received, first_seq(time)),
                None => {}
            }
        }
        if let Some(kind) = self.kind {
            all.add(format!("kind = '{}'", kind.as_str()));
        }
        if !self.statuses.is_empty() {
            let statuses: Vec<_> = self.statuses.iter().copied().map(Status::as_str).collect();
            all.add(format!("status IN ('{}')", statuses.join("', '")));
        }
        all.flag(self.open, "open = 1");
        if let Some(open) = self.is_open() {
            all.add(format!("open = {}", u8::from(open)));
        }
        all.flag(self.attention, "attention = 1");
        all.flag(self.answered, "answered = 1");
        all.flag(self.unread, "unread = 1");
        all.flag(self.emergency, "emergency_contact = 1");
        all.flag(self.overdue, &self.is_overdue());
        if let Some(service) = &self.service {
            all.bind("service = ?", service.clone());
        }
        if let Some(state) = self.state {
            all.bind("state = ?", state.to_owned());
        }
        match &self.assignee {
            Some(Assignee::User(id)) => all.bind("assignee = ?", id.clone()),
            Some(Assignee::Nobody) => all.add("assignee IS NULL"),
            None => {}
        }
        match self.follow_up {
            Some(FollowUps::Waiting) => all.add("follow_up_at IS NOT NULL AND follow_up_due = 0"),
            Some(FollowUps::Due) => all.add("follow_up_due = 1"),
            None => {}
        }
        for (condition, value) in self.origin.conditions() {
            all.bind(condition, value);
        }
        self.add_outcome(&mut all);
        if let Some(within) = self.within {
            // Whole minutes count, as in figures.
            let (emergency, other) = (self.times.millis(true), self.times.millis(false));
            all.add("answer_minutes IS NOT NULL");
            all.flag(
                Some(within),
                &format!(
                    "answer_minutes < iif(emergency_contact = 1, {emergency}, {other}) / 60000"
                ),
            );
        }
        if let Some(user) = &self.answered_by {
            all.bind("answered_by = ?", user.clone());
        }
        all
    }

    /// Whether all are open, or all are closed.
    pub(super) fn is_open(&self) -> Option<bool> {
        let have = |is_open: bool| {
            let mut statuses = self.statuses.iter();
            !self.statuses.is_empty() && statuses.all(|status| status.is_open() == is_open)
        };
        if [self.open, self.attention, self.overdue].contains(&Some(true)) || have(true) {
            Some(true)
        } else if self.open == Some(false) || have(false) || self.has_outcome() {
            Some(false)
        } else {
            None
        }
    }

    /// Whether an outcome is asked for that counts while the request is closed: any but `won`.
    fn has_outcome(&self) -> bool {
        self.outcome.is_some() && !self.is_won() || self.reason.is_some()
    }

    fn add_outcome(&self, all: &mut Conditions) {
        if self.has_outcome() {
            all.add("open = 0");
        }
        match self.outcome {
            Some(Outcomes::Known(outcome)) => all.add(format!("outcome = '{}'", outcome.as_str())),
            Some(Outcomes::Unknown) => all.add("coalesce(outcome, '') = ''"),
            None => {}
        }
        if let Some(reason) = &self.reason {
            all.add("outcome = 'lost'");
            all.bind("coalesce(outcome_reason, '') = ?", reason.clone());
        }
        if let Some(is_monthly) = self.is_value_monthly {
            all.add("outcome = 'won' AND outcome_cents IS NOT NULL");
            all.flag(Some(is_monthly), "outcome_per IS 'month'");
        }
    }

    /// Whether only won requests pass: `since` and `until` are times of signing then.
    fn is_won(&self) -> bool {
        self.outcome == Some(Outcomes::Known(Outcome::Won)) || self.is_value_monthly.is_some()
    }

    /// When the next answer is due, in the unit of `seq` (`AnswerTimes::due_of`).
    pub(crate) fn due(&self) -> String {
        let seqs = |millis: i64| millis * SEQS_PER_MILLI;
        format!(
            "iif({UNANSWERED}, unanswered + {}, seq + iif(emergency_contact = 1, {}, {}))",
            seqs(self.times.next_millis()),
            seqs(self.times.millis(true)),
            seqs(self.times.millis(false)),
        )
    }

    /// That the due time of an open request has passed without an answer.
    pub(crate) fn is_overdue(&self) -> String {
        format!(
            "{HAS_DUE_TIME} AND {} < {}",
            self.due(),
            self.first_in_time()
        )
    }

    /// Due times below this have passed.
    fn first_in_time(&self) -> i64 {
        first_seq(self.now.plus_millis(1))
    }

    /// The keys by which requests that need attention are ordered, upwards: emergencies without a
    /// call that reached the customer, earliest due first; then due follow-ups, those of the reader
    /// first; then overdue requests, newest due first; then the rest, earliest due first. Of those
    /// that are due at the same time, emergencies come first, and further messages last.
    pub(crate) fn urgency(&self, all: &mut Conditions) -> Vec<String> {
        let viewer = all.parameter(self.viewer.clone());
        let (due, late) = (self.due(), self.first_in_time());
        let part = format!(
            "CASE WHEN emergency_contact = 1 AND answered = 0 THEN 0
               WHEN follow_up_due = 1 THEN iif(follow_up_by = {viewer}, 1, 2)
               WHEN {due} < {late} THEN 3 ELSE 4 END"
        );
        let soonest = format!("iif({part} = 3, -({due}), {due})");
        let clock = format!("iif({UNANSWERED}, 2, emergency_contact = 0)");
        vec![part, soonest, clock]
    }
}
