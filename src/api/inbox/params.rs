//! Reads the inbox's filters from a query string.

use serde_json::Value;

use crate::filter_params::{FilterParams, bad_parameter, describe};
use domain::figures::source::{Source, plain_name};
use domain::request::RequestKind;
use domain::request::outcome::{Outcome, REASONS};
use domain::request::quote::Status;
use domain::us_state;
use http::AppState;
use http::request::problem::Problem;
use store::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter, Sort};

/// Name and description of each query parameter that selects requests.
const PARAMETERS: [(&str, &str); 25] = [
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
        "Only requests received on this day or later, `YYYY-MM-DD` in the company's time zone; \
         of won requests, those that were won then.",
    ),
    (
        "to",
        "Only requests received, or won, on this day or earlier.",
    ),
    (
        "overdue",
        "Whether the due time has passed without an answer: `true` or `false`.",
    ),
    (
        "held",
        "Whether they are held as spam; default `false`. Discarded ones are listed with the \
         status `cancelled` only.",
    ),
    ("duplicate", "Merged into another request; default `false`."),
    ("emergency", "Whether the visitor wants a call right away."),
    ("answered", "Whether the customer was answered."),
    (
        "within",
        "Answered requests only: whether within the promised time.",
    ),
    (
        "answered_by",
        "Who has answered first: `me`, `unknown` or a user id.",
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
    ("value", "Won requests with a value: `month` or `total`."),
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
    (
        "reason",
        "Lost requests only: the reason, as in `price`, or `none`.",
    ),
];

/// For another `source`.
const SOURCES: &str = "`source` is a source of figures, as in search.";

impl FilterParams {
    /// The filter, seen by the user `me`. Errors: 400 that names the parameter.
    pub fn parse(&self, app: &AppState, me: &str) -> Result<RequestFilter, Problem> {
        let kinds = "`kind` is quote or message.";
        let statuses = "`status` is one of pending, in_progress, completed, cancelled.";
        let states = "`state` is the postal code of a state, as in TX.";
        let outcomes = "`outcome` is won, lost, not_customer or unknown.";
        let reasons = format!("`reason` is one of {}, none.", REASONS.join(", "));
        let status = self.get("status", statuses, Status::parse)?;
        let (since, until) = self.days(&app.time_zone)?;
        let is_set = |name| Ok::<_, Problem>(self.flag(name)? == Some(true));
        let hidden = match (is_set("duplicate")?, is_set("held")?) {
            (true, _) => Hidden::Duplicate,
            (false, true) => Hidden::Spam,
            (false, false) => Hidden::No,
        };
        let user = |id: &str| match id {
            "me" => me.to_owned(),
            id => id.to_owned(),
        };
        Ok(RequestFilter {
            kind: self.get("kind", kinds, RequestKind::parse)?,
            statuses: match status {
                Some(status) => vec![status],
                // Discarded requests are held and cancelled: they are listed only on request.
                None if hidden == Hidden::Spam => {
                    vec![Status::Pending, Status::InProgress, Status::Completed]
                }
                None => Vec::new(),
            },
            service: self.text("service").map(str::to_owned),
            state: self.get("state", states, us_state::parse_code)?,
            assignee: self.text("assignee").map(|text| match text {
                "nobody" => Assignee::Nobody,
                id => Assignee::User(user(id)),
            }),
            since,
            until,
            overdue: self.flag("overdue")?,
            hidden,
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
            reason: self.get("reason", &reasons, |text| match text {
                "none" => Some(String::new()),
                known => REASONS.contains(&known).then(|| known.to_owned()),
            })?,
            answered_by: self.text("answered_by").map(|text| match text {
                "unknown" => String::new(),
                id => user(id),
            }),
            origin: OriginFilter {
                source: self.get("source", SOURCES, Source::parse)?,
                campaign: self.text("campaign").map(plain_name),
                entry_page: self.text("entry_page").map(|page| match page {
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
}

/// Adds the parameters to the calls of the API description that take `FilterParams` for requests.
pub fn describe_requests(spec: &mut Value) {
    for path in [
        "/api/admin/inbox",
        "/api/admin/inbox/ids",
        "/api/admin/export",
    ] {
        describe(spec, path, &PARAMETERS);
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
