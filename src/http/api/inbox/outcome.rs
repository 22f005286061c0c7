//! The outcome of a completed or cancelled request.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;

use super::actor::actor;
use super::changes::{ChangedRequest, changed};
use super::errors::unknown_request;
use crate::AppState;
use crate::api::tags::Tag;
use crate::request::client_address::Client;
use crate::request::error_responses::AdminError;
use crate::request::problem::{Problem, invalid};
use crate::request::require_admin::Admin;
use crate::request::strict_json::{StrictJson, UniqueKeys};
use domain::request::outcome::{Outcome, REASONS, parse_cents};
use domain::request::quote::refused_move;
use domain::text::clean;
use store::{NewOutcome, OutcomeValue};

/// Maximum length of the remark, in code points.
const MAX_WORDS: usize = 500;

/// The outcome of a request.
#[derive(Object)]
#[oai(rename = "OutcomeChange")]
struct OutcomeBody {
    /// `won`, `lost` or `not_customer`; null to delete it.
    outcome: Option<String>,
    /// For a lost request: `price`, `competitor`, `timing`, `no_answer`, `cannot_serve` or `other`.
    reason: Option<String>,
    /// Up to 500 characters.
    words: Option<String>,
    /// In dollars, as in `1250` or `1,250.50`.
    value: Option<String>,
    /// What the value is for: `month` or `total`.
    per: Option<String>,
}

/// The calls about outcomes.
pub struct OutcomeApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl OutcomeApi {
    /// Record the outcome of a request
    ///
    /// Of a completed or cancelled request; 409 for an open one. It can be undone for a minute.
    #[oai(path = "/:id/outcome", method = "put", operation_id = "setOutcome")]
    async fn set(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, OutcomeBody>,
    ) -> Result<Json<ChangedRequest>, AdminError> {
        let outcome = parse(&body.0)?;
        let (by, now) = (actor(admin, client), app.clock.now());
        let done = app.store.set_outcome(id.0, outcome, by, now).await;
        let done = done.map_err(unknown_request)?;
        let done = changed(&app, done, |present| refused_move(present, None))?;
        Ok(Json(done))
    }
}

fn parse(body: &UniqueKeys) -> Result<Option<NewOutcome>, Problem> {
    let text = |member: &str| {
        body.text(member)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let outcome = match body.0.get("outcome") {
        Some(Value::Null) => return Ok(None),
        _ => body.text("outcome").and_then(Outcome::parse),
    };
    let wrong = || invalid("outcome", "`outcome` is won, lost or not_customer.");
    let outcome = outcome.ok_or_else(wrong)?;
    let reason = text("reason").map(str::to_owned);
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
    let words = clean(text("words").unwrap_or_default(), true);
    if words.chars().count() > MAX_WORDS {
        return Err(invalid(
            "words",
            "A remark can have at most 500 characters.",
        ));
    }
    Ok(Some(NewOutcome {
        outcome,
        reason,
        words: Some(words).filter(|words| !words.is_empty()),
        value: parse_value(text("value"), text("per"), outcome)?,
    }))
}

fn parse_value(
    value: Option<&str>,
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
    let cents = parse_cents(value).ok_or_else(|| invalid("value", detail))?;
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
