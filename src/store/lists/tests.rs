//! Lists and counts beside a scan of all requests.

use proptest::prelude::*;
use proptest::sample::select;
use rusqlite::{Connection, params, params_from_iter};

use super::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter};
use super::list::list;
use super::query::{InboxQuery, Sort};
use super::status_counts::StatusCounts;
use crate::Store;
use crate::database::count_cache::{CountCache, Counter};
use domain::clock::{DAY_MS, Time};
use domain::figures::source::Source;
use domain::ids::first_seq;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;
use domain::request::{Request, RequestKind};

const NOW: Time = Time::from_millis(1_795_824_000_000);
const STATES: [&str; 2] = ["TX", "NY"];
const SERVICES: [&str; 2] = ["fire-watch", "armed"];
const USERS: [&str; 2] = ["ann", "ben"];

/// A request of the last hundred days, before and after a change.
#[derive(Clone, Debug)]
struct Case {
    age_ms: i64,
    start: &'static str,
    kind: RequestKind,
    before: Properties,
    after: Option<Properties>,
    is_deleted: bool,
}

#[derive(Clone, Debug)]
struct Properties {
    status: Status,
    state: Option<&'static str>,
    service: &'static str,
    assignee: Option<&'static str>,
    is_emergency: bool,
    answered_after_ms: Option<i64>,
    answered_by: Option<&'static str>,
    outcome: Option<(&'static str, Option<i64>)>,
    reason: Option<&'static str>,
    is_held: bool,
    is_merged: bool,
    has_written: bool,
    source: Source,
    campaign: &'static str,
    /// Who set a reminder that is due.
    reminded_by: Option<&'static str>,
}

prop_compose! {
    fn properties()(
        status in select(&Status::ALL[..]),
        state in prop::option::of(select(&STATES[..])),
        service in select(&SERVICES[..]),
        assignee in prop::option::of(select(&USERS[..])),
        flags in any::<[bool; 4]>(),
        answered_after_ms in prop::option::of(0..2 * DAY_MS),
        answered_by in prop::option::of(select(&USERS[..])),
        outcome in prop::option::of((select(&["won", "lost"][..]), prop::option::of(1..9_i64))),
        reason in prop::option::of(select(&["price", "other"][..])),
        source in select(&[Source::Direct, Source::Search][..]),
        campaign in select(&["", "brand"][..]),
        reminded_by in prop::option::weighted(0.3, select(&USERS[..])),
    ) -> Properties {
        let [is_emergency, is_held, is_merged, has_written] = flags;
        Properties {
            status, state, service, assignee, is_emergency, answered_after_ms, answered_by, outcome,
            reason, is_held: is_held || is_merged, is_merged: is_held && is_merged, has_written,
            source, campaign, reminded_by,
        }
    }
}

prop_compose! {
    fn case()(
        age_ms in 0..100 * DAY_MS,
        start in select(&["", "2026-12-01", "2026-12-09"][..]),
        kind in select(&RequestKind::ALL[..]),
        before in properties(),
        after in prop::option::of(properties()),
        is_deleted in prop::bool::weighted(0.1),
    ) -> Case {
        Case { age_ms, start, kind, before, after, is_deleted }
    }
}

fn flag() -> impl Strategy<Value = Option<bool>> {
    prop::option::weighted(0.2, any::<bool>())
}

prop_compose! {
    fn filter()(
        kind in prop::option::weighted(0.2, select(&RequestKind::ALL[..])),
        statuses in prop::sample::subsequence(Status::ALL.to_vec(), 0..3),
        state in prop::option::weighted(0.2, select(&STATES[..])),
        service in prop::option::weighted(0.2, select(&SERVICES[..])),
        assignee in prop::option::weighted(0.3, prop::option::of(select(&USERS[..]))),
        outcome in prop::option::weighted(0.2, prop::option::of(select(&[Outcome::Won][..]))),
        ages in prop::option::weighted(0.4, (0..100_i64, 0..100_i64)),
        flags in [flag(), flag(), flag(), flag(), flag(), flag(), flag()],
        hidden in prop::option::weighted(0.2, select(&[Hidden::Spam, Hidden::Duplicate][..])),
        answered_by in prop::option::weighted(0.2, select(&["ann", ""][..])),
        reason in prop::option::weighted(0.1, select(&["price", ""][..])),
        has_source in prop::bool::weighted(0.1),
        campaign in prop::option::weighted(0.1, select(&["brand", "", "none"][..])),
        is_due in prop::bool::weighted(0.1),
        has_all_closed in prop::bool::weighted(0.1),
    ) -> RequestFilter {
        let [open, attention, answered, emergency, overdue, within, is_value_monthly] = flags;
        let day = |age: i64| NOW.plus_millis(-age * DAY_MS);
        if has_all_closed {
            return RequestFilter { kind, statuses, open, now: NOW, ..RequestFilter::default() };
        }
        RequestFilter {
            kind, statuses, state, open, attention, answered, emergency, overdue, within,
            is_value_monthly,
            hidden: hidden.unwrap_or_default(),
            answered_by: answered_by.map(str::to_owned),
            reason: reason.map(str::to_owned),
            service: service.map(str::to_owned),
            assignee: assignee.map(|user| match user {
                Some(user) => Assignee::User(user.to_owned()),
                None => Assignee::Nobody,
            }),
            outcome: outcome.map(|it| it.map_or(Outcomes::Unknown, Outcomes::Known)),
            since: ages.map(|(one, other)| day(one.max(other))),
            until: ages.filter(|(one, _)| one % 2 == 0).map(|(one, other)| day(one.min(other))),
            origin: OriginFilter {
                source: has_source.then_some(Source::Search),
                campaign: campaign.map(str::to_owned),
                ..OriginFilter::default()
            },
            follow_up: is_due.then_some(FollowUps::Due),
            viewer: "ann".to_owned(),
            times: AnswerTimes::new(24, 30).with_next_answer(4),
            now: NOW,
            ..RequestFilter::default()
        }
    }
}

/// Stores the requests, changes some, and deletes some.
fn write(conn: &Connection, cases: &[Case]) -> rusqlite::Result<()> {
    for (number, case) in (0_i64..).zip(cases) {
        let seq = first_seq(NOW.plus_millis(-case.age_ms)) / 16 * 16 + number % 16;
        conn.execute(
            "INSERT OR IGNORE INTO requests (seq, kind, id, reference, created_at, updated_at,
               first_name, last_name, email, phone, service, start_date, duration)
             VALUES (?1, ?2, ?1, '', ?3, ?3, '', '', '', '', '', ?4, '')",
            params![
                seq,
                case.kind.as_str(),
                domain::ids::time_of_seq(seq).to_string(),
                case.start,
            ],
        )?;
        set(conn, seq, &case.before)?;
        if let Some(after) = &case.after {
            set(conn, seq, after)?;
        }
        if case.is_deleted {
            conn.execute("DELETE FROM requests WHERE seq = ?1", [seq])?;
        }
    }
    Ok(())
}

fn set(conn: &Connection, seq: i64, it: &Properties) -> rusqlite::Result<()> {
    let received = domain::ids::time_of_seq(seq);
    let answered = it
        .answered_after_ms
        .map(|after| received.plus_millis(after));
    let (outcome, cents) = it.outcome.unzip();
    if let Some((at, user)) = answered.zip(it.answered_by) {
        let id: i64 = conn.query_row("SELECT count(*) FROM events", [], |row| row.get(0))?;
        conn.execute(
            "INSERT INTO events (id, seq, kind, at, actor, verb, detail)
             VALUES (?1, ?2, 'quote', ?3, ?4, 'called', '{}')",
            params![id, seq, at.to_string(), user],
        )?;
    }
    conn.execute(
        "UPDATE requests SET status = ?2, state = ?3, service = ?4, assignee = ?5,
           emergency_contact = ?6, answered_at = ?7, outcome = ?8, outcome_cents = ?9,
           outcome_per = iif(?9 % 2, 'month', 'once'), held = iif(?10, '[]', NULL),
           unanswered = iif(?11, seq + 16, NULL), origin_source = ?12, outcome_reason = ?13,
           merged_into = iif(?14, 16, NULL), origin_campaign = ?15, follow_up_by = ?16,
           follow_up_due = ?16 IS NOT NULL, follow_up_at = iif(?16 IS NULL, NULL, ?17)
         WHERE seq = ?1",
        params![
            seq,
            it.status.as_str(),
            it.state,
            it.service,
            it.assignee,
            it.is_emergency,
            answered.map(|at| at.to_string()),
            outcome,
            cents.flatten(),
            it.is_held,
            it.has_written,
            it.source.as_str(),
            it.reason,
            it.is_merged,
            it.campaign,
            it.reminded_by,
            NOW.to_string(),
        ],
    )?;
    Ok(())
}

/// What the conditions of the filter find in the table, without an index: of each request its
/// `seq` and status, in this order.
fn recount(
    conn: &Connection,
    filter: &RequestFilter,
    order: &str,
) -> rusqlite::Result<Vec<(i64, String)>> {
    let all = filter.conditions();
    let sql = format!(
        "SELECT seq, status FROM requests NOT INDEXED WHERE {} ORDER BY {order}",
        all.sql()
    );
    let mut find = conn.prepare(&sql)?;
    let found = find.query_map(params_from_iter(all.values), |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    found.collect()
}

/// A list, read in pages of seven.
fn pages(
    conn: &Connection,
    filter: &RequestFilter,
    sort: Option<&str>,
) -> crate::Result<Vec<Request>> {
    let mut query = InboxQuery {
        filter: filter.clone(),
        sort: sort.and_then(Sort::parse),
        limit: 7,
        ..InboxQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let page = list(conn, &query)?.page;
        found.extend(page.requests);
        assert!(found.len() < 1000, "a page comes again: {query:?}");
        // Later pages are as of the first one.
        query.filter.now = NOW.plus_millis(DAY_MS);
        query.cursor = page.next_cursor;
        if query.cursor.is_none() {
            return Ok(found);
        }
    }
}

/// How urgent a request is: the lowest first.
fn urgency(filter: &RequestFilter, request: &Request) -> (u8, i64, u8) {
    let due = filter.times.due_of(request).millis();
    let reminder = request.follow_up.as_ref().filter(|it| it.due);
    let emergency = request.emergency_contact;
    let clock = match request.unanswered_message() {
        Some(_) => 2,
        None => u8::from(!emergency),
    };
    match reminder {
        _ if emergency && request.answered_at.is_none() => (0, due, clock),
        Some(reminder) if reminder.by.id == filter.viewer => (1, due, clock),
        Some(_) => (2, due, clock),
        None if due <= filter.now.millis() => (3, -due, clock),
        None => (4, due, clock),
    }
}

fn check(conn: &Connection, filter: &RequestFilter) -> crate::Result<()> {
    let mut expected = StatusCounts::default();
    for (_, status) in recount(conn, &filter.of_any_status(), "seq")? {
        expected.add(Status::parse(&status).unwrap(), 1);
    }
    let cache = &CountCache::default();
    let counter = Counter { cache, version: 1 };
    assert_eq!(counter.by_status(conn, filter)?, expected, "{filter:?}");
    for sort in [
        None,
        Some("received"),
        Some("-due"),
        Some("due"),
        Some("start"),
        Some("-value"),
    ] {
        let found = pages(conn, filter, sort)?;
        let due = |request: &Request, sign: i64| match request.has_due_time() {
            true => (0, sign * filter.times.due_of(request).millis()),
            false => (1, sign * request.seq),
        };
        match sort {
            None if filter.attention == Some(true) => {
                assert!(
                    found.is_sorted_by_key(|it| urgency(filter, it)),
                    "{filter:?}"
                );
            }
            None => assert!(found.is_sorted_by_key(|it| -it.seq), "{filter:?}"),
            Some("due") => assert!(found.is_sorted_by_key(|it| due(it, 1)), "{filter:?}"),
            Some("-due") => assert!(found.is_sorted_by_key(|it| due(it, -1)), "{filter:?}"),
            Some(_) => {}
        }
        let mut seqs: Vec<i64> = found.iter().map(|request| request.seq).collect();
        let order = match sort {
            Some("start") => "start_date = '', start_date, seq",
            Some("-value") => "value_cents IS NULL, value_cents DESC, seq DESC",
            _ => "seq",
        };
        if order == "seq" {
            seqs.sort_unstable();
        }
        let expected = recount(conn, filter, order)?.into_iter();
        let expected: Vec<i64> = expected.map(|(seq, _)| seq).collect();
        assert_eq!(seqs, expected, "{sort:?} {filter:?}");
    }
    Ok(())
}

#[tokio::test]
async fn counts_are_made_once_for_all_who_look_until_requests_change() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
    let insert = |conn: &Connection, seq: i64| {
        let sql = "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at,
            first_name, last_name, email, phone, service)
            VALUES (?1, 'message', ?1, '', ?2, ?2, '', '', '', '', '')";
        conn.execute(sql, params![seq, NOW.to_string()])
    };
    let count = move |conn: &Connection| {
        let cache = &CountCache::default();
        let look = |version| Counter { cache, version }.views(conn, "ann");
        insert(conn, 16)?;
        let first = look(1)?;
        insert(conn, 32)?;
        Ok([first, look(1)?, look(2)?, look(1)?].map(|views| views.everything))
    };
    assert_eq!(store.write(count).await.unwrap(), [1, 1, 2, 2]);
    let look = async || {
        let views = |conn: &Connection, counter: &Counter<'_>| counter.views(conn, "ann");
        store.read_counted(views).await.unwrap().everything
    };
    assert_eq!(look().await, 2);
    store
        .write(move |conn| Ok(insert(conn, 48)?))
        .await
        .unwrap();
    assert_eq!(look().await, 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn each_list_and_each_count_is_what_a_scan_of_all_requests_finds_in_the_order_of_the_list(
        cases in prop::collection::vec(case(), 60),
        filters in prop::collection::vec(filter(), 60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
            let work = move |conn: &Connection| {
                write(conn, &cases)?;
                filters.iter().try_for_each(|filter| check(conn, filter))
            };
            store.write(work).await.unwrap();
        });
    }
}
