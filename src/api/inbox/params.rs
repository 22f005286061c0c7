//! The inbox's filters as parameters of a query string.

use serde_json::Value;

use super::parts::Inbox;
use crate::desk::Desk;
use crate::filter_params::{Day, FilterParams, Parameter, User, days, enum_parameters, parameters};
use domain::figures::source::{Source, plain_name};
use domain::request::RequestKind;
use domain::request::outcome::{Outcome, REASONS};
use domain::request::quote::Status;
use domain::us_state;
use http::request::problem::{Problem, bad_parameter};
use store::lists::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter};
use store::lists::query::Sort;

enum_parameters!(RequestKind, Status, Source, FollowUps, ValueTime);

domain::text_enum! {
    /// What the value of a won request is for.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum ValueTime {
        Month = "month",
        Total = "total",
    }
}

parameters! {
    /// The parameters that select requests.
    struct RequestParams {
        /// `quote` or `message`.
        kind: RequestKind,
        /// Only requests with this status.
        status: Status,
        /// Only requests that contain all these words; the last word may be a prefix. A reference
        /// is a word too.
        q: String,
        /// Only requests for this service, as in `fire-watch`.
        service: String,
        /// Only quotes for a location in this state, as in `TX`.
        state: State,
        /// `me`, `nobody` or a user id.
        assignee: User,
        /// Only requests received on this day or later, `YYYY-MM-DD` in the company's time zone; of
        /// won requests, those that were won then.
        from: Day,
        /// Only requests received, or won, on this day or earlier.
        to: Day,
        /// Whether the due time has passed without an answer: `true` or `false`.
        overdue: bool,
        /// Whether they are held as spam; default `false`. Discarded ones are listed with the
        /// status `cancelled` only.
        held: bool,
        /// Merged into another request; default `false`.
        duplicate: bool,
        /// Whether the visitor wants a call right away.
        emergency: bool,
        /// Whether the customer was answered.
        answered: bool,
        /// Answered requests only: whether within the promised time.
        within: bool,
        /// Who has answered first: `me`, `unknown` or a user id.
        answered_by: User,
        /// Where the first visit came from, as figures count it.
        source: Source,
        /// The campaign of the first visit, as figures name it.
        campaign: String,
        /// The page on which the first visit began, as figures name it; `unknown` for none.
        entry_page: String,
        /// Won requests with a value: `month` or `total`.
        value: ValueTime,
        /// Whether they are open and not answered, have a reply that failed, have a message of the
        /// customer that was not answered or opened, or are to be followed up now.
        attention: bool,
        /// Whether the customer has written something that nobody has opened.
        unread: bool,
        /// Whether they are pending or in progress.
        open: bool,
        /// `waiting`: a reminder is set for later; `due`: its time has come.
        follow_up: FollowUps,
        /// `won`, `lost`, `not_customer`, or `unknown` for closed ones without an outcome.
        outcome: Outcomes,
        /// Lost requests only: the reason, as in `price`, or `none`.
        reason: Reason,
    }
}

/// The postal code of a state, in capitals.
struct State(&'static str);

impl Parameter for State {
    fn expected() -> String {
        "the postal code of a state, as in TX".to_owned()
    }

    fn parse(text: &str) -> Option<Self> {
        us_state::parse_code(text).map(Self)
    }
}

impl Parameter for Outcomes {
    const VALUES: &[&str] = &["won", "lost", "not_customer", "unknown"];

    fn parse(text: &str) -> Option<Self> {
        match text {
            "unknown" => Some(Self::Unknown),
            known => Outcome::parse(known).map(Self::Known),
        }
    }
}

/// The reason of a loss; empty for none.
struct Reason(String);

impl Parameter for Reason {
    fn expected() -> String {
        format!("one of {}, none", REASONS.join(", "))
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Self(String::new())),
            known => REASONS.contains(&known).then(|| Self(known.to_owned())),
        }
    }
}

/// The filter and the words of a search, seen by the caller. Errors: 400 that names the parameter.
pub fn read(
    params: &FilterParams,
    desk: &Desk<Inbox<'_>>,
) -> Result<(RequestFilter, String), Problem> {
    let me = desk.caller.user.id.as_str();
    let params = RequestParams::read(params)?;
    let (since, until) = days(desk.time_zone, params.from, params.to)?;
    let hidden = match (params.duplicate, params.held) {
        (Some(true), _) => Hidden::Duplicate,
        (_, Some(true)) => Hidden::Spam,
        _ => Hidden::No,
    };
    let statuses = match params.status {
        Some(status) => vec![status],
        // Discarded requests are held and cancelled: they are listed only on request.
        None if hidden == Hidden::Spam => {
            vec![Status::Pending, Status::InProgress, Status::Completed]
        }
        None => Vec::new(),
    };
    let filter = RequestFilter {
        kind: params.kind,
        statuses,
        service: params.service,
        state: params.state.map(|State(code)| code),
        assignee: params.assignee.map(|user| match user {
            User::None => Assignee::Nobody,
            user => Assignee::User(user.id(me)),
        }),
        since,
        until,
        overdue: params.overdue,
        hidden,
        emergency: params.emergency,
        attention: params.attention,
        answered: params.answered,
        unread: params.unread,
        open: params.open,
        follow_up: params.follow_up,
        outcome: params.outcome,
        reason: params.reason.map(|Reason(reason)| reason),
        answered_by: params.answered_by.map(|user| user.id(me)),
        origin: OriginFilter {
            source: params.source,
            campaign: params.campaign.as_deref().map(plain_name),
            entry_page: params.entry_page.map(|page| match page.as_str() {
                "unknown" => String::new(),
                page => plain_name(page),
            }),
        },
        within: params.within,
        is_value_monthly: params.value.map(|value| value == ValueTime::Month),
        viewer: me.to_owned(),
        times: desk.times,
        now: desk.now,
    };
    Ok((filter, params.q.unwrap_or_default()))
}

/// Adds the parameters to the calls of the API description that take them.
pub fn describe_requests(spec: &mut Value) {
    for path in [
        "/api/admin/inbox",
        "/api/admin/inbox/ids",
        "/api/admin/export",
    ] {
        RequestParams::describe(spec, path);
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
