//! Quote requests and their status transitions (specification sections 3 and 4).

use std::fmt;

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::attribution::Attribution;
use crate::clock::Time;
use crate::form::{ExtraFields, FieldError, Form, RawValue, none_if_empty, take_extra_fields};
use crate::spam::Texts;

/// A cleaned and validated quote request, before it is stored.
#[derive(Clone, Debug)]
pub struct NewQuote {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: String,
    pub company: Option<String>,
    pub service_type: String,
    pub location: String,
    pub start_date: String,
    pub duration: String,
    pub description: Option<String>,
    pub emergency_contact: bool,
    pub extra_fields: ExtraFields,
    pub attribution: Option<Attribution>,
}

impl NewQuote {
    /// Cleans and validates raw fields by the quote form's rules (specification section 5).
    /// `earliest` is the first start date to accept; see `earliest_start`. Errors: one message per
    /// invalid field.
    pub fn parse<'a, E: Into<RawValue<'a>>>(
        form: &Form,
        raw: impl Fn(&str) -> E,
        attribution: Option<Attribution>,
        earliest: &str,
    ) -> Result<Self, Vec<FieldError>> {
        let mut values = form.validate(raw, earliest)?;
        let mut take = |key: &str| values.remove(key).unwrap_or_default();
        Ok(Self {
            first_name: take("first_name"),
            last_name: take("last_name"),
            email: take("email"),
            phone: take("phone"),
            company: none_if_empty(take("company")),
            service_type: take("service_type"),
            location: take("location"),
            start_date: take("start_date"),
            duration: take("duration"),
            description: none_if_empty(take("description")),
            emergency_contact: take("emergency_contact") == "true",
            extra_fields: take_extra_fields(values),
            attribution,
        })
    }

    /// The input of the spam signals.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            first_name: &self.first_name,
            last_name: &self.last_name,
            email: &self.email,
            phone: &self.phone,
            company: self.company.as_deref().unwrap_or_default(),
            location: &self.location,
            message: self.description.as_deref().unwrap_or_default(),
            is_urgent: self.emergency_contact,
        }
    }
}

/// The first start date that is accepted at `now`: the UTC day a day ago. The visitor's own day,
/// which the browser checks, may be behind the server's; a form without JavaScript may be sent
/// late.
pub fn earliest_start(now: Time) -> String {
    now.plus_seconds(-24 * 60 * 60).day()
}

crate::text_enum! {
    /// The status of a quote request or a contact message, in the order of the workflow.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Enum)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum Status {
        /// New, not yet accepted.
        Pending = "pending",
        /// Accepted.
        InProgress = "in_progress",
        /// Done.
        Completed = "completed",
        /// Rejected.
        Cancelled = "cancelled",
    }
}

impl Status {
    /// Whether the request is neither completed nor cancelled.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }

    /// Whether an admin may change this status to `next`: Accept, Reject and Complete only
    /// (specification section 4).
    pub const fn can_transition_to(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Pending, Self::InProgress | Self::Cancelled)
                | (Self::InProgress, Self::Completed)
        )
    }
}

/// Why a status cannot change from `present` to `next`, for people.
pub fn refused_move(present: Status, next: Option<Status>) -> String {
    let words = |status: Status| status.as_str().replace('_', " ");
    match next {
        Some(next) if next != present => {
            format!(
                "This is {} and cannot be changed to {}.",
                words(present),
                words(next)
            )
        }
        _ => format!("Already {}.", words(present)),
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A stored quote.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct Quote {
    /// UUIDv7.
    pub id: String,
    /// When it was submitted, RFC 3339 UTC with milliseconds.
    pub created_at: Time,
    /// When its status last changed.
    pub updated_at: Time,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// The email address.
    pub email: String,
    /// The phone number.
    pub phone: String,
    /// The visitor's company, null if none.
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service_type: String,
    /// The duration's value, as in `1-month`.
    pub duration: String,
    /// The first day, `YYYY-MM-DD`.
    pub start_date: String,
    /// The location to be guarded.
    pub location: String,
    /// The visitor's description, null if none.
    pub description: Option<String>,
    /// The status.
    pub status: Status,
    /// Whether the visitor wants a call right away.
    pub emergency_contact: bool,
    /// Attribution of the visit, null if unknown.
    pub attribution: Option<Attribution>,
    /// Short, for use on the phone, as `GP-2K7Q`.
    pub reference: String,
}

/// The reply to an accepted submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The stored row's id.
    pub id: String,
    /// The request's reference.
    pub reference: String,
    /// When it was stored.
    pub created_at: Time,
}

#[cfg(test)]
mod tests {
    use super::{Status, Time, earliest_start};

    #[test]
    fn a_start_today_is_accepted_in_every_time_zone() {
        // Noon in UTC is midnight in Baker Island (UTC-12), where the day has just begun.
        for (now, earliest) in [
            ("2026-11-21T00:00:00.000Z", "2026-11-20"),
            ("2026-11-21T11:59:59.999Z", "2026-11-20"),
            ("2026-11-21T23:59:59.999Z", "2026-11-20"),
            ("2027-01-01T05:00:00.000Z", "2026-12-31"),
        ] {
            assert_eq!(earliest_start(Time::parse(now).unwrap()), earliest);
        }
    }

    #[test]
    fn only_accept_reject_and_complete_are_valid_transitions() {
        let transitions: Vec<_> = Status::ALL
            .into_iter()
            .flat_map(|from| Status::ALL.map(|to| (from, to)))
            .filter(|(from, to)| from.can_transition_to(*to))
            .map(|(from, to)| format!("{from} to {to}"))
            .collect();
        assert_eq!(
            transitions,
            [
                "pending to in_progress",
                "pending to cancelled",
                "in_progress to completed"
            ]
        );
    }
}
