//! Reads the inbox's filters from a query string.

use std::collections::HashMap;

use poem::http::StatusCode;
use poem::{FromRequest, Request, RequestBody};
use serde_json::{Value, json};

use domain::figures::source::{Source, plain_name};
use domain::request::RequestKind;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use domain::us_state;
use http::AppState;
use http::request::problem::Problem;
use store::{Assignee, FollowUps, OriginFilter, Outcomes, RequestFilter, Sort};

/// Name and description of each query parameter that selects requests.
const PARAMETERS: [(&str, &str); 22] = [
    ("kind", "`quote` or `message`."),
    ("status", "Only requests with this status."),
    (
        "q",
        "Only requests that contain all these words; the last word may be a prefix. A reference \
         is a word too.",
    ),
    (
        "service",
        "Only requests for this service, as in `fire-watch`.",
    ),
    (
        "state",
        "Only quotes for a location in this state, as in `TX`.",
    ),
    ("assignee", "`me`, `nobody` or a user id."),
    (
        "from",
        "Only requests received on this day or later, `YYYY-MM-DD` in the company's time zone.",
    ),
    ("to", "Only requests received on this day or earlier."),
    (
        "overdue",
        "Whether the due time has passed without an answer: `true` or `false`.",
    ),
    (
        "held",
        "Whether they are held as spam; default `false`. Discarded ones are listed with the \
         status `cancelled` only.",
    ),
    ("emergency", "Whether the visitor wants a call right away."),
    ("answered", "Whether the customer was answered."),
    (
        "within",
        "Answered requests only: whether within the promised time.",
    ),
    (
        "source",
        "Where the first visit came from, as figures count it: `direct`, `search`, `social`, \
         `website`, `ad`, `email`, `campaign`, `phone` or `own`.",
    ),
    (
        "campaign",
        "The campaign of the first visit, as figures name it.",
    ),
    (
        "entry_page",
        "The page on which the first visit began, as figures name it; `unknown` for none.",
    ),
    (
        "value",
        "Won requests with a recorded value: `month` or `total`.",
    ),
    (
        "attention",
        "Whether they are open and not answered, have a reply that failed, have a message of the \
         customer that was not answered or opened, or are to be followed up now.",
    ),
    (
        "unread",
        "Whether the customer has written something that nobody has opened.",
    ),
    ("open", "Whether they are pending or in progress."),
    (
        "follow_up",
        "`waiting`: a reminder is set for later; `due`: its time has come.",
    ),
    (
        "outcome",
        "`won`, `lost`, `not_customer`, or `unknown` for closed ones without an outcome.",
    ),
];

/// For another `source`.
const SOURCES: &str = "`source` is a source of figures, as in search.";

/// The parameters of a query string that select requests, for every call that lists them. An empty
/// value counts as absent; of repeated parameters the first counts.
pub struct FilterParams(HashMap<String, String>);

impl<'a> FromRequest<'a> for FilterParams {
    async fn from_request(request: &'a Request, _: &mut RequestBody) -> poem::Result<Self> {
        let pairs: Vec<(String, String)> = request.params().unwrap_or_default();
        let mut first = HashMap::new();
        for (name, value) in pairs {
            first.entry(name).or_insert(value);
        }
        first.retain(|_, value| !value.is_empty());
        Ok(Self(first))
    }
}

impl FilterParams {
    /// The words to search for.
    pub fn search(&self) -> String {
        self.0.get("q").cloned().unwrap_or_default()
    }

    /// The filter, seen by the user `me`. Errors: 400 that names the parameter.
    pub fn parse(&self, app: &AppState, me: &str) -> Result<RequestFilter, Problem> {
        let kinds = "`kind` is quote or message.";
        let statuses = "`status` is one of pending, in_progress, completed, cancelled.";
        let states = "`state` is the postal code of a state, as in TX.";
        let outcomes = "`outcome` is won, lost, not_customer or unknown.";
        let zone = &app.time_zone;
        let status = self.get("status", statuses, Status::parse)?;
        let since = self.get("from", "`from` is a day, as in 2026-11-21.", |day| {
            zone.start_of_day(day)
        })?;
        let until = self.get("to", "`to` is a day, as in 2026-11-21.", |day| {
            zone.end_of_day(day)
        })?;
        if since
            .zip(until)
            .is_some_and(|(since, until)| since >= until)
        {
            return Err(bad_parameter("from", "`from` is after `to`."));
        }
        let held = self.flag("held")?.unwrap_or(false);
        Ok(RequestFilter {
            kind: self.get("kind", kinds, RequestKind::parse)?,
            statuses: match status {
                Some(status) => vec![status],
                // Discarded requests are held and cancelled: they are listed only on request.
                None if held => vec![Status::Pending, Status::InProgress, Status::Completed],
                None => Vec::new(),
            },
            service: self.0.get("service").cloned(),
            state: self.get("state", states, us_state::parse_code)?,
            assignee: self.0.get("assignee").map(|text| match text.as_str() {
                "nobody" => Assignee::Nobody,
                "me" => Assignee::User(me.to_owned()),
                id => Assignee::User(id.to_owned()),
            }),
            since,
            until,
            overdue: self.flag("overdue")?,
            held,
            emergency: self.flag("emergency")?,
            attention: self.flag("attention")?,
            answered: self.flag("answered")?,
            written: None,
            unread: self.flag("unread")?,
            open: self.flag("open")?,
            follow_up: self.get(
                "follow_up",
                "`follow_up` is waiting or due.",
                |text| match text {
                    "waiting" => Some(FollowUps::Waiting),
                    "due" => Some(FollowUps::Due),
                    _ => None,
                },
            )?,
            outcome: self.get("outcome", outcomes, |text| match text {
                "unknown" => Some(Outcomes::Unknown),
                known => Outcome::parse(known).map(Outcomes::Known),
            })?,
            origin: OriginFilter {
                source: self.get("source", SOURCES, Source::parse)?,
                campaign: self.0.get("campaign").map(|name| plain_name(name)),
                entry_page: self.0.get("entry_page").map(|page| match page.as_str() {
                    "unknown" => String::new(),
                    page => plain_name(page),
                }),
            },
            within: self.flag("within")?,
            is_value_monthly: self.get(
                "value",
                "`value` is month or total.",
                |text| match text {
                    "month" => Some(true),
                    "total" => Some(false),
                    _ => None,
                },
            )?,
            viewer: me.to_owned(),
            times: app.answer_times,
            now: app.clock.now(),
        })
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, Problem> {
        let detail = format!("`{name}` is true or false.");
        self.get(name, &detail, |text| text.parse().ok())
    }

    /// The value of a parameter. `detail` is the message for a value that `parse` rejects.
    fn get<T>(
        &self,
        name: &str,
        detail: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.get(name) else {
            return Ok(None);
        };
        let value = parse(text);
        value.map(Some).ok_or_else(|| bad_parameter(name, detail))
    }
}

/// Adds the parameters to the calls of the API description that take `FilterParams`.
pub fn describe(spec: &mut Value) {
    for path in [
        "/api/admin/inbox",
        "/api/admin/inbox/ids",
        "/api/admin/export",
    ] {
        let Some(parameters) = spec["paths"][path]["get"]["parameters"].as_array_mut() else {
            continue;
        };
        let filters = PARAMETERS.iter().map(|(name, description)| {
            json!({
                "name": name,
                "schema": { "type": "string" },
                "in": "query",
                "description": description,
                "required": false,
                "deprecated": false,
                "explode": true,
            })
        });
        parameters.splice(0..0, filters);
    }
}

/// The order of a list; an empty text counts as absent. Errors: 400.
pub fn parse_sort(text: Option<&str>) -> Result<Option<Sort>, Problem> {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let orders = "`sort` is received, due, start or value, with `-` before it for downwards.";
    let sort = Sort::parse(text);
    sort.map(Some).ok_or_else(|| bad_parameter("sort", orders))
}

/// 400 that names a parameter.
pub fn bad_parameter(name: &str, detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail).with_field(name)
}
