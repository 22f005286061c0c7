//! Measures each list, order, search and count: `cargo test -p guardpost-store measure -- --ignored
//! --nocapture`, among `GUARDPOST_MEASURED` requests (100,000 without it).

use std::time::Instant;

use rusqlite::Connection;

use crate::Store;
use crate::database::count_cache::{CountCache, Counter};
use crate::lists::filter::{Assignee, FollowUps, Hidden, OriginFilter, Outcomes, RequestFilter};
use crate::lists::list::list;
use crate::lists::query::{InboxQuery, Sort};
use crate::search::index;
use crate::search::nearest::nearest;
use domain::clock::Time;
use domain::figures::source::Source;
use domain::request::RequestKind;
use domain::request::due_time::AnswerTimes;
use domain::request::outcome::Outcome;
use domain::request::quote::Status;

/// Requests of five years: two in a hundred are open.
const FILL: &str = "
  CREATE TEMP TABLE wanted (nth INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT);
  INSERT INTO wanted VALUES (0, 'fire-watch', 'TX', 'Maria'), (1, 'unarmed', 'CA', 'James'),
    (2, 'fire-watch', 'TX', 'Linh'), (3, 'armed', 'FL', 'Omar'), (4, 'mobile-patrol', 'NY', 'Ana'),
    (5, 'concierge', 'WY', 'Grace'), (6, 'unarmed', 'TX', 'Pedro');
  WITH RECURSIVE n (n, r) AS (SELECT 1, 1 UNION ALL
    SELECT n + 1, r * 48271 % 2147483647 FROM n WHERE n < ?1)
  INSERT INTO requests (seq, kind, id, reference, ordinal, created_at, updated_at, status,
    first_name, last_name, email, phone, number, service, location, state, start_date, duration,
    description, emergency_contact, assignee, answered_at, answered_by, outcome, outcome_cents,
    outcome_per, outcome_reason, origin_source, origin_campaign, origin_entry_page)
  SELECT (1650000000000 + n * (157680000000 / ?1)) * 16, iif(n % 3 = 0, 'message', 'quote'),
    'id' || n, 'GP-' || n, n, '2026-11-21T00:00:00.000Z', '2026-11-21T00:00:00.000Z',
    CASE WHEN r % 100 = 0 THEN 'pending' WHEN r % 100 = 1 THEN 'in_progress'
      WHEN r % 100 < 20 THEN 'cancelled' ELSE 'completed' END,
    c, 'Name' || char(97 + r % 26, 97 + r / 26 % 26, 97 + r / 676 % 26),
    'person' || n || '@site' || (n % 5000) || '.example', '713555' || printf('%04d', r % 10000),
    '+1713555' || printf('%04d', r % 10000), a,
    'Houston, ' || b || ', ' || (r % 9000) || ' Main Street', b,
    '2026-' || printf('%02d-%02d', 1 + r % 12, 1 + r % 28), '1-week',
    'We need a guard at the warehouse until the panel works, two at night. '
      || iif(n % (?1 / 5) = 1, 'zanzibar', 'Call before you come.'),
    r % 20 = 3, iif(r % 100 = 0, NULL, 'person ' || (r % 25)),
    iif(r % 100 = 0, NULL, '2027-01-01T00:00:00.000Z'),
    iif(r % 100 = 0, NULL, 'person ' || (r % 25)),
    iif(r % 100 < 2, NULL, iif(r % 100 < 20, 'lost', 'won')),
    iif(r % 100 < 20, NULL, r % 1000000), iif(r % 100 < 20, NULL, 'month'),
    iif(r % 100 BETWEEN 2 AND 19, 'price', NULL), iif(r % 4 = 0, 'ad', 'search'),
    iif(r % 10 = 0, 'brand', ''), '/fire-watch'
  FROM n CROSS JOIN wanted ON wanted.nth = r / 7 % 7";

macro_rules! filter {
    ($($field:ident: $value:expr),*) => {
        RequestFilter {
            $($field: $value,)*
            times: AnswerTimes::new(24, 30).with_next_answer(4),
            now: Time::from_millis(1_807_680_000_000),
            viewer: "person 3".to_owned(),
            ..RequestFilter::default()
        }
    };
}

fn filters() -> Vec<(&'static str, RequestFilter)> {
    let origin = |source, campaign: Option<&str>| OriginFilter {
        source,
        campaign: campaign.map(str::to_owned),
        ..OriginFilter::default()
    };
    let user = |n: u8| Some(Assignee::User(format!("person {n}")));
    vec![
        ("newest", filter!()),
        ("quotes", filter!(kind: Some(RequestKind::Quote))),
        ("needs attention", filter!(attention: Some(true))),
        ("pending", filter!(statuses: vec![Status::Pending])),
        ("of nobody", filter!(assignee: Some(Assignee::Nobody))),
        (
            "of a person, open",
            filter!(assignee: user(3), open: Some(true)),
        ),
        ("state", filter!(state: Some("TX"))),
        ("state without a request", filter!(state: Some("AK"))),
        (
            "state, service and person",
            filter!(state: Some("WY"), service: Some("concierge".into()), assignee: user(3)),
        ),
        ("overdue", filter!(overdue: Some(true))),
        ("unread", filter!(unread: Some(true))),
        ("reminders", filter!(follow_up: Some(FollowUps::Due))),
        ("won", filter!(outcome: Some(Outcomes::Known(Outcome::Won)))),
        ("lost for a reason", filter!(reason: Some("hours".into()))),
        ("within", filter!(within: Some(true))),
        (
            "answered by",
            filter!(answered_by: Some("person 99".into())),
        ),
        (
            "campaign",
            filter!(origin: origin(Some(Source::Ad), Some("brand"))),
        ),
        ("no campaign", filter!(origin: origin(None, Some("none")))),
        (
            "a month",
            filter!(since: Time::parse("2026-01-01"), until: Time::parse("2026-02-01")),
        ),
        ("held", filter!(hidden: Hidden::Spam)),
    ]
}

/// The processor time of this thread, in milliseconds: other work of the machine is not in it.
fn processor_time() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    times.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6
}

fn measure(what: &str, mut read: impl FnMut() -> usize) {
    let (begun, mut times, mut rows) = (processor_time(), Vec::new(), 0);
    for _ in 0..20 {
        let begun = Instant::now();
        rows = read();
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    let mean = (processor_time() - begun) / 20.0;
    times.sort_by(f64::total_cmp);
    println!(
        "{what:40} {rows:7} rows, processor {mean:6.1} ms, p50 {:6.1} ms, p95 {:6.1} ms",
        times[9], times[18]
    );
}

#[tokio::test]
#[ignore = "a measurement"]
#[expect(
    clippy::disallowed_methods,
    reason = "run by hand, with the number of requests"
)]
async fn measure_lists() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
    let size = std::env::var("GUARDPOST_MEASURED").unwrap_or_else(|_| "100000".into());
    let size: u32 = size.parse().unwrap();
    let fill = move |conn: &Connection| {
        for sql in FILL.split_inclusive(';') {
            match sql.contains("?1") {
                true => conn.execute(sql, [size])?,
                false => conn.execute(sql, [])?,
            };
        }
        Ok(())
    };
    store.write(fill).await.unwrap();
    while store
        .write(|conn| {
            index::index_pending(conn)?;
            Ok(index::is_pending(conn)?)
        })
        .await
        .unwrap()
    {}
    let read = |conn: &Connection| {
        let page = |filter: &RequestFilter, search: &str, sort: Option<&str>| {
            let query = InboxQuery {
                filter: filter.clone(),
                search: search.to_owned(),
                sort: sort.and_then(Sort::parse),
                limit: 50,
                cursor: None,
            };
            list(conn, &query).unwrap().page.requests.len()
        };
        let count = |filter: &RequestFilter| {
            let cache = &CountCache::default();
            let counter = Counter { cache, version: 1 };
            counter.by_status(conn, filter).unwrap().total() as usize
        };
        for (what, filter) in filters() {
            measure(what, || page(&filter, "", None));
            measure(&format!("{what}, counted"), || count(&filter));
        }
        let all = filter!();
        measure("views", || {
            let cache = &CountCache::default();
            Counter { cache, version: 1 }
                .views(conn, "person 3")
                .unwrap()
                .mine as usize
        });
        for sort in [
            "received", "due", "-due", "start", "-start", "value", "-value",
        ] {
            measure(&format!("sorted by {sort}"), || page(&all, "", Some(sort)));
        }
        let attention = filter!(attention: Some(true));
        measure("needs attention by -due", || {
            page(&attention, "", Some("-due"))
        });
        let (pending, rare) = (&filters()[3].1, &filters()[8].1);
        for search in [
            "houston",
            "hou",
            "houst",
            "houston secur",
            "zanzibar",
            "zanzi",
            "713555",
            "pe",
            "person123",
            "nowhere",
            "house wathc",
        ] {
            measure(&format!("search {search}"), || page(&all, search, None));
        }
        for search in ["houston", "houst", "zanzibar"] {
            measure(&format!("search {search}, pending"), || {
                page(pending, search, None)
            });
            measure(&format!("search {search}, rare filter"), || {
                page(rare, search, None)
            });
            measure(&format!("search {search}, attention"), || {
                page(&attention, search, None)
            });
        }
        measure("nearest", || {
            nearest(conn, &["housotn".to_owned()])
                .unwrap()
                .unwrap_or_default()
                .len()
        });
        Ok(())
    };
    store.read(read).await.unwrap();
}
