//! Why a change or its undo is refused.

use domain::request::quote::Status;
use http::request::problem::{Problem, invalid};
use store::inbox::changes::Refusal;
use store::inbox::changes::undo::UndoRefusal;

/// The problem of a refused change. `illegal` says why a move from a status is refused.
pub(in crate::inbox) fn problem(refusal: Refusal, illegal: impl Fn(Status) -> String) -> Problem {
    match refusal {
        Refusal::Move { present } => Problem::conflict(illegal(present)).with_status(present),
        Refusal::Taken(person) => {
            let detail = format!("{} has taken this request.", person.shown());
            Problem::conflict(detail).with_assignee(person)
        }
        Refusal::UnknownPerson => {
            let detail = "There is no admin with this id. Choose a person from the list.";
            invalid("assignee", detail)
        }
        Refusal::Held => {
            Problem::conflict("This request is held as spam. Release it first.").with_code("held")
        }
        Refusal::Closed => {
            Problem::conflict("This request is closed. Reopen it to be reminded of it.")
                .with_code("closed")
        }
        Refusal::Open => {
            Problem::conflict("This request is still open. Complete or reject it first.")
                .with_code("open")
        }
        Refusal::Edited { field, present } => {
            let value = if present.is_empty() {
                "nothing"
            } else {
                &present
            };
            let detail =
                format!("A colleague has changed this to {value}. Save again to replace it.");
            invalid(field, detail)
        }
        Refusal::Unreachable { field } => {
            invalid(field, "Keep a phone number or an email address.")
        }
        Refusal::EmergencyWaits => {
            let detail = "This customer is waiting for a call. Choose a time within the next hour.";
            invalid("at", detail)
        }
    }
}

pub(super) fn explain(refusal: &UndoRefusal) -> String {
    match refusal {
        UndoRefusal::Nothing => "You have changed nothing here that can be undone.".to_owned(),
        UndoRefusal::TooLate => {
            "A change can be undone for a minute, an email for ten seconds.".to_owned()
        }
        UndoRefusal::ChangedSince { by } => {
            let name = by.as_deref().unwrap_or("A colleague");
            format!("{name} has changed this request since, so it stays as it is.")
        }
    }
}
