//! Pages of the inbox that are measured.

use domain::clock::Time;
use domain::figures::source::Source;
use domain::request::RequestKind;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use store::Store;
use store::lists::filter::{Assignee, OriginFilter, Outcomes, RequestFilter};
use store::lists::query::{InboxQuery, Sort};
use tokio::runtime::Runtime;

/// Pages of the inbox, with their counts.
pub fn inbox_listings() -> Vec<(&'static str, InboxQuery)> {
    let inbox = |filter: RequestFilter| InboxQuery {
        filter: RequestFilter {
            times: AnswerTimes::new(24, 30),
            now: Time::parse("2026-11-21").unwrap(),
            ..filter
        },
        limit: 50,
        ..InboxQuery::default()
    };
    let all = RequestFilter::default;
    let half = || RequestFilter {
        since: Time::parse("2025-05-21"),
        ..all()
    };
    let sorted = |sort: &str| InboxQuery {
        sort: Sort::parse(sort),
        ..inbox(all())
    };
    let of_campaign = |campaign: &str| OriginFilter {
        campaign: Some(campaign.to_owned()),
        ..OriginFilter::default()
    };
    vec![
        ("first", inbox(all())),
        ("deep", inbox(all())),
        (
            "messages",
            inbox(RequestFilter {
                kind: Some(RequestKind::Message),
                ..all()
            }),
        ),
        (
            "attention",
            inbox(RequestFilter {
                attention: Some(true),
                ..all()
            }),
        ),
        (
            "pending, of nobody",
            inbox(RequestFilter {
                statuses: vec![Status::Pending],
                assignee: Some(Assignee::Nobody),
                ..all()
            }),
        ),
        (
            "state",
            inbox(RequestFilter {
                state: Some("TX"),
                ..all()
            }),
        ),
        (
            "common word",
            InboxQuery {
                search: "houston".to_owned(),
                ..inbox(all())
            },
        ),
        ("by due time", sorted("due")),
        ("by first day", sorted("start")),
        ("by value, the highest first", sorted("-value")),
        (
            "state, service and person",
            inbox(RequestFilter {
                state: Some("WY"),
                service: Some("concierge".to_owned()),
                assignee: Some(Assignee::User("person 3".to_owned())),
                ..all()
            }),
        ),
        (
            "outcome and service",
            inbox(RequestFilter {
                outcome: Some(Outcomes::Known(Outcome::Won)),
                service: Some("fire-watch".to_owned()),
                ..all()
            }),
        ),
        (
            "overdue",
            inbox(RequestFilter {
                overdue: Some(true),
                ..all()
            }),
        ),
        ("half of the days", inbox(half())),
        (
            "half of the days, state",
            inbox(RequestFilter {
                state: Some("TX"),
                ..half()
            }),
        ),
        (
            "half of the days, service",
            inbox(RequestFilter {
                service: Some("unarmed".to_owned()),
                ..half()
            }),
        ),
        (
            "half of the days, quotes of a service",
            inbox(RequestFilter {
                kind: Some(RequestKind::Quote),
                service: Some("fire-watch".to_owned()),
                ..half()
            }),
        ),
        (
            "half of the days, quotes of a source",
            inbox(RequestFilter {
                kind: Some(RequestKind::Quote),
                origin: OriginFilter {
                    source: Some(Source::Direct),
                    ..OriginFilter::default()
                },
                ..half()
            }),
        ),
        (
            "campaign",
            inbox(RequestFilter {
                origin: of_campaign("brand"),
                ..all()
            }),
        ),
        (
            "campaign of no request",
            inbox(RequestFilter {
                origin: of_campaign("none"),
                ..all()
            }),
        ),
        (
            "half of the days, campaign",
            inbox(RequestFilter {
                origin: of_campaign("brand"),
                ..half()
            }),
        ),
        (
            "half of the days, campaign and state",
            inbox(RequestFilter {
                origin: of_campaign("brand"),
                state: Some("TX"),
                ..half()
            }),
        ),
    ]
}

/// The page in the middle of the inbox.
pub fn deep_inbox(runtime: &Runtime, store: &Store, size: u32) -> InboxQuery {
    let half = InboxQuery {
        limit: size as usize,
        ..InboxQuery::default()
    };
    let cursor = runtime.block_on(store.inbox(half)).unwrap().next_cursor;
    InboxQuery {
        limit: 50,
        cursor,
        ..InboxQuery::default()
    }
}
