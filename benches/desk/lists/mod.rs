//! Pages of the quote list and of the inbox on a thousand, a hundred thousand and a million quotes
//! and as many messages, and the export of the million quotes compared with the sqlite3 shell.

mod export;
mod rows;

use std::time::{Duration, Instant};

use domain::clock::Time;
use domain::figures::source::Source;
use domain::request::RequestKind;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use store::Store;
use store::lists::filter::{Assignee, OriginFilter, Outcomes, RequestFilter};
use store::lists::query::InboxQuery;
use store::lists::quote_list::QuoteQuery;
use tokio::runtime::Runtime;

use export::export;
use rows::fill;

use crate::server;
use crate::table::{Budget, Table};

/// Quotes in each database, and as many messages.
const SIZES: [u32; 3] = [1_000, 100_000, 1_000_000];
/// Reads of each page in each database.
const READS: usize = 400;
/// A word in five quotes, in a database of any size.
const RARE: &str = "zanzibar";

pub fn measure(table: &mut Table) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let folder = server::folder();
    let stores: Vec<Store> = SIZES
        .iter()
        .map(|size| fill(&runtime, &folder.path().join(size.to_string()), *size))
        .collect();
    for (what, listing) in listings() {
        let pages: Vec<_> = stores
            .iter()
            .zip(SIZES)
            .map(|(store, size)| match what {
                "deep" => (store, deep(&runtime, store, size)),
                _ => (store, listing.clone()),
            })
            .collect();
        let slowest = slowest(&pages, |(store, listing)| {
            runtime.block_on(store.quotes(listing.clone())).unwrap();
        });
        compare(table, &format!("list, {what}"), &listing.search, &slowest);
    }
    for (what, listing) in inbox_listings() {
        let pages: Vec<_> = stores
            .iter()
            .zip(SIZES)
            .map(|(store, size)| match what {
                "deep" => (store, deep_inbox(&runtime, store, size)),
                _ => (store, listing.clone()),
            })
            .collect();
        let slowest = slowest(&pages, |(store, listing)| {
            runtime.block_on(store.inbox(listing.clone())).unwrap();
        });
        compare(table, &format!("inbox, {what}"), &listing.search, &slowest);
    }
    drop(stores);
    export(table, &folder.path().join(SIZES[2].to_string()));
}

fn listings() -> Vec<(&'static str, QuoteQuery)> {
    let all = QuoteQuery {
        limit: 50,
        ..QuoteQuery::default()
    };
    let words = |words: &str| QuoteQuery {
        search: words.to_owned(),
        ..all.clone()
    };
    vec![
        ("first", all.clone()),
        ("deep", all.clone()),
        (
            "in progress",
            // Twenty of a thousand quotes contain it.
            QuoteQuery {
                status: Some(Status::InProgress),
                limit: 19,
                ..all.clone()
            },
        ),
        ("common word", words("houston")),
        ("common words, the last unfinished", words("houston secur")),
        ("rare word", words(RARE)),
        ("rare word, unfinished", words("zanzi")),
        ("unfinished word", words("hou")),
        (
            "word of a status",
            QuoteQuery {
                status: Some(Status::InProgress),
                ..words("houston")
            },
        ),
        ("no such word", words("nowhere")),
        ("phone, unfinished", words("713555")),
    ]
}

/// The page in the middle of the list.
fn deep(runtime: &Runtime, store: &Store, size: u32) -> QuoteQuery {
    let half = QuoteQuery {
        limit: size as usize / 2,
        ..QuoteQuery::default()
    };
    let cursor = runtime.block_on(store.quotes(half)).unwrap().next_cursor;
    QuoteQuery {
        limit: 50,
        cursor,
        ..QuoteQuery::default()
    }
}

/// The slowest in a hundred reads of each database, against the budget of lists or of searches.
fn compare(table: &mut Table, what: &str, search: &str, slowest: &[Duration]) {
    let budget = Duration::from_millis(if search.is_empty() { 10 } else { 50 });
    for (took, size) in slowest.iter().zip(SIZES) {
        table.row(
            &format!("{what}, {size} quotes, p99"),
            format!("{took:?}"),
            format!("budget: {budget:?}"),
            took.as_secs_f64() / budget.as_secs_f64(),
            Budget::AtMost(1.0),
        );
    }
}

/// Pages of the inbox, with their counts.
fn inbox_listings() -> Vec<(&'static str, InboxQuery)> {
    let inbox = |filter: RequestFilter, limit: usize| InboxQuery {
        filter: RequestFilter {
            times: AnswerTimes::new(24, 30),
            now: Time::parse("2026-11-21").unwrap(),
            ..filter
        },
        limit,
        ..InboxQuery::default()
    };
    let all = RequestFilter::default;
    let half = || RequestFilter {
        since: Time::parse("2025-05-21"),
        ..all()
    };
    let of_campaign = |campaign: &str| OriginFilter {
        campaign: Some(campaign.to_owned()),
        ..OriginFilter::default()
    };
    vec![
        ("first", inbox(all(), 50)),
        ("deep", inbox(all(), 50)),
        (
            "messages",
            inbox(
                RequestFilter {
                    kind: Some(RequestKind::Message),
                    ..all()
                },
                50,
            ),
        ),
        (
            "attention",
            inbox(
                RequestFilter {
                    attention: Some(true),
                    ..all()
                },
                50,
            ),
        ),
        (
            "pending, of nobody",
            inbox(
                RequestFilter {
                    statuses: vec![Status::Pending],
                    assignee: Some(Assignee::Nobody),
                    ..all()
                },
                // Twenty of a thousand quotes and all messages are pending.
                50,
            ),
        ),
        (
            "state",
            inbox(
                RequestFilter {
                    state: Some("TX"),
                    ..all()
                },
                50,
            ),
        ),
        (
            "common word",
            InboxQuery {
                search: "houston".to_owned(),
                ..inbox(all(), 50)
            },
        ),
        (
            "state, service and person",
            inbox(
                RequestFilter {
                    state: Some("WY"),
                    service: Some("concierge".to_owned()),
                    assignee: Some(Assignee::User("person 3".to_owned())),
                    ..all()
                },
                50,
            ),
        ),
        (
            "outcome and service",
            inbox(
                RequestFilter {
                    outcome: Some(Outcomes::Known(Outcome::Won)),
                    service: Some("fire-watch".to_owned()),
                    ..all()
                },
                50,
            ),
        ),
        (
            "overdue",
            inbox(
                RequestFilter {
                    overdue: Some(true),
                    ..all()
                },
                50,
            ),
        ),
        ("half of the days", inbox(half(), 50)),
        (
            "half of the days, state",
            inbox(
                RequestFilter {
                    state: Some("TX"),
                    ..half()
                },
                50,
            ),
        ),
        (
            "half of the days, service",
            inbox(
                RequestFilter {
                    service: Some("unarmed".to_owned()),
                    ..half()
                },
                50,
            ),
        ),
        (
            "half of the days, quotes of a service",
            inbox(
                RequestFilter {
                    kind: Some(RequestKind::Quote),
                    service: Some("fire-watch".to_owned()),
                    ..half()
                },
                50,
            ),
        ),
        (
            "half of the days, quotes of a source",
            inbox(
                RequestFilter {
                    kind: Some(RequestKind::Quote),
                    origin: OriginFilter {
                        source: Some(Source::Direct),
                        ..OriginFilter::default()
                    },
                    ..half()
                },
                50,
            ),
        ),
        (
            "campaign",
            inbox(
                RequestFilter {
                    origin: of_campaign("brand"),
                    ..all()
                },
                50,
            ),
        ),
        (
            "campaign of no request",
            inbox(
                RequestFilter {
                    origin: of_campaign("none"),
                    ..all()
                },
                50,
            ),
        ),
        (
            "half of the days, campaign",
            inbox(
                RequestFilter {
                    origin: of_campaign("brand"),
                    ..half()
                },
                50,
            ),
        ),
        (
            "half of the days, campaign and state",
            inbox(
                RequestFilter {
                    origin: of_campaign("brand"),
                    state: Some("TX"),
                    ..half()
                },
                50,
            ),
        ),
    ]
}

/// The page in the middle of the inbox.
fn deep_inbox(runtime: &Runtime, store: &Store, size: u32) -> InboxQuery {
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

/// The 99th percentile of the times of each page, of which the first read is one. They are read in
/// turn, so that other load affects all equally.
fn slowest<P>(pages: &[P], read: impl Fn(&P)) -> Vec<Duration> {
    let mut waits = vec![Vec::with_capacity(READS); pages.len()];
    for _ in 0..READS {
        for (page, waits) in pages.iter().zip(&mut waits) {
            let start = Instant::now();
            read(page);
            waits.push(start.elapsed());
        }
    }
    let percentile = |mut waits: Vec<Duration>| {
        waits.sort_unstable();
        waits[READS * 99 / 100]
    };
    waits.into_iter().map(percentile).collect()
}
