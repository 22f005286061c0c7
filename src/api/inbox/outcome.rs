//! The outcome of a request, and follow-ups: reminders of it.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::changes::{ChangedRequest, changed};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::Time;
use domain::request::outcome::{Outcome, REASONS, parse_cents};
use domain::request::quote::refused_move;
use domain::text::clean;
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid, too_long};
use http::request::strict_json::StrictJson;
use store::inbox::changes::outcomes::{NewOutcome, OutcomeValue};

/// Maximum length of the remark, in code points.
const MAX_WORDS: usize = 500;
/// Maximum distance of the time, in seconds: a year and a day.
const MAX_SECONDS: i64 = 367 * 24 * 60 * 60;

/// The outcome of a request.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeChange {
    /// Null to delete it.
    #[serde(deserialize_with = "Option::deserialize")]
    outcome: Option<Outcome>,
    /// For a lost request: `price`, `competitor`, `timing`, `no_answer`, `cannot_serve` or `other`.
    reason: Option<String>,
    /// Up to 500 characters.
    words: Option<String>,
    /// In dollars, as in `1250` or `1,250.50`.
    value: Option<String>,
    /// What the value is for: `month` or `total`.
    per: Option<String>,
}

/// The time of a reminder.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct FollowUpChange {
    /// Up to a year from now; null to end the follow-up.
    at: Option<Time>,
}

/// The calls about outcomes.
pub struct OutcomeApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl OutcomeApi {
    /// Record the outcome of a request
    ///
    /// Of a request that is closed or won; 409 for another one. It can be undone for a minute.
    #[oai(path = "/:id/outcome", method = "put", operation_id = "setOutcome")]
    async fn set(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<OutcomeChange>,
    ) -> AdminResult<ChangedRequest> {
        let outcome = body.0.parse()?;
        let done = desk
            .store
            .set_outcome(id.0, outcome, desk.actor(), desk.now)
            .await;
        changed(desk.times, done, |present| refused_move(present, None))
    }

    /// Be reminded of a request
    ///
    /// It needs no attention until then, and returns with a mark; a call or a reply ends the
    /// follow-up. An emergency that was not reached by phone can wait for an hour. It can be undone
    /// for a minute. 409 for a closed request.
    #[oai(path = "/:id/follow-up", method = "put", operation_id = "setFollowUp")]
    async fn follow_up(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<FollowUpChange>,
    ) -> AdminResult<ChangedRequest> {
        let at = reminder("at", body.0.at, desk.now)?;
        let done = desk.store.follow_up(id.0, at, desk.actor(), desk.now);
        changed(desk.times, done.await, |present| {
            refused_move(present, None)
        })
    }
}

impl OutcomeChange {
    fn parse(self) -> Result<Option<NewOutcome>, Problem> {
        let Some(outcome) = self.outcome else {
            return Ok(None);
        };
        let reason = not_blank(self.reason);
        let is_known = |reason: &String| REASONS.contains(&reason.as_str());
        match outcome {
            Outcome::Lost if !reason.as_ref().is_some_and(is_known) => {
                return Err(invalid("reason", "Choose why it was lost."));
            }
            Outcome::Won | Outcome::NotCustomer if reason.is_some() => {
                return Err(invalid("reason", "Only a lost request has a reason."));
            }
            _ => {}
        }
        let words = clean(&self.words.unwrap_or_default(), true);
        if let Some(detail) = too_long("remark", &words, MAX_WORDS) {
            return Err(invalid("words", detail));
        }
        Ok(Some(NewOutcome {
            outcome,
            reason,
            words: not_blank(Some(words)),
            value: parse_value(not_blank(self.value), self.per.as_deref(), outcome)?,
        }))
    }
}

/// The text without surrounding spaces; `None` if nothing is left.
fn not_blank(text: Option<String>) -> Option<String> {
    let text = text?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}

fn parse_value(
    value: Option<String>,
    per: Option<&str>,
    outcome: Outcome,
) -> Result<Option<OutcomeValue>, Problem> {
    let Some(value) = value else {
        return Ok(None);
    };
    if outcome == Outcome::NotCustomer {
        return Err(invalid("value", "Only a customer's request has a value."));
    }
    let detail = "Write the value in dollars, as in 1250 or 1,250.50.";
    let cents = parse_cents(&value).ok_or_else(|| invalid("value", detail))?;
    let per = match per {
        Some("month") => "month",
        Some("total") => "total",
        _ => {
            return Err(invalid(
                "per",
                "Choose whether the value is per month or in total.",
            ));
        }
    };
    Ok(Some(OutcomeValue { cents, per }))
}

/// Refuses a time of a reminder that has passed, or is more than a year away.
pub(super) fn reminder(member: &str, at: Option<Time>, now: Time) -> Result<Option<Time>, Problem> {
    if at.is_some_and(|at| at <= now) {
        return Err(invalid(member, "This time has passed. Choose a later one."));
    }
    if at.is_some_and(|at| at > now.plus_seconds(MAX_SECONDS)) {
        return Err(invalid(member, "Choose a time within a year."));
    }
    Ok(at)
}
