//! The rows of the databases, inserted with SQL for speed.

use std::path::Path;

use domain::clock::Time;
use domain::ids;
use domain::request::quote::Status;
use rusqlite::{Connection, params_from_iter};
use store::Store;
use store::lists::quote_list::QuoteQuery;
use tokio::runtime::Runtime;

use super::RARE;

/// A database of `size` quotes and as many messages over three years, most of the quotes completed,
/// with services, states and people as a company has them. Inserted with SQL for speed; the store
/// indexes them.
pub(super) fn fill(runtime: &Runtime, folder: &Path, size: u32) -> Store {
    eprintln!("  writing {size} quotes …");
    std::fs::create_dir_all(folder).unwrap();
    let store = Store::open(&folder.join("guardpost.db")).unwrap();
    for chunk in 0..size.div_ceil(10_000) {
        let numbers = chunk * 10_000..size.min((chunk + 1) * 10_000);
        let written = runtime.block_on(store.write(move |conn| {
            let mut insert = conn.prepare_cached(INSERT)?;
            let mut insert_message = conn.prepare_cached(INSERT_MESSAGE)?;
            for n in numbers {
                let quote = quote(n, size);
                insert_message.execute(params_from_iter(message(&quote)))?;
                insert.execute(params_from_iter(quote))?;
            }
            Ok(())
        }));
        written.unwrap();
    }
    let rows = |conn: &Connection| {
        Ok(conn.query_row("SELECT count(*) FROM quotes", [], |row| {
            row.get::<_, u32>(0)
        })?)
    };
    assert_eq!(runtime.block_on(store.read(rows)).unwrap(), size);
    let indexed = QuoteQuery {
        search: RARE.to_owned(),
        limit: 1,
        ..QuoteQuery::default()
    };
    while runtime
        .block_on(store.quotes(indexed.clone()))
        .unwrap()
        .incomplete
    {}
    store
}

const INSERT: &str = "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at,
    status, first_name, last_name, email, phone, location, start_date, duration, description,
    service, state, emergency_contact, assignee, answered_at, outcome, origin_campaign)
     VALUES (?1 * 16, 'quote', ?2, 'GP-' || ?1, ?3, ?3, ?4, ?5, ?6, ?7, ?8,
     ?9, '2026-12-01', '1-week', ?10, ?11, ?12, ?1 / 7 % 20 = 0,
     iif(?4 = 'pending', NULL, 'person ' || (?1 / 11 % 25)), iif(?4 = 'pending', NULL, ?3),
     CASE ?4 WHEN 'completed' THEN 'won' WHEN 'cancelled' THEN 'lost' END,
     iif(?1 / 13 % 10 = 0, 'brand', ''))";

const SERVICES: [&str; 8] = [
    "fire-watch",
    "fire-watch",
    "fire-watch",
    "unarmed",
    "unarmed",
    "armed",
    "mobile-patrol",
    "concierge",
];
/// A third of the requests are for the first ones.
const STATES: [&str; 24] = [
    "TX", "TX", "TX", "TX", "CA", "CA", "FL", "FL", "NY", "IL", "PA", "OH", "GA", "NC", "MI", "NJ",
    "VA", "WA", "AZ", "TN", "MO", "LA", "NM", "WY",
];

const INSERT_MESSAGE: &str = "INSERT INTO requests (seq, kind, id, reference, created_at,
    updated_at, first_name, last_name, email, phone, service, description)
     VALUES (?1 * 16 + 8, 'message', ?2, 'GP-' || ?1, ?3, ?3, ?4, ?5, ?6, ?7, 'fire-watch', ?8)";

/// The values of `INSERT_MESSAGE`: a message of the visitor of a quote, in the same millisecond.
fn message(quote: &[String; 12]) -> [&str; 8] {
    let [
        seq,
        id,
        at,
        _,
        first_name,
        last_name,
        email,
        phone,
        location,
        ..,
    ] = quote;
    [seq, id, at, first_name, last_name, email, phone, location]
}

/// The values of `INSERT`.
fn quote(n: u32, size: u32) -> [String; 12] {
    let names = [
        "Maria", "James", "Linh", "Omar", "Keisha", "Anna", "Pedro", "Grace",
    ];
    let sites = [
        "tower",
        "warehouse",
        "clinic",
        "campus",
        "garage",
        "terminal",
        "hotel",
    ];
    let wanted = [
        "armed security at night",
        "fire watch until the panel works",
        "a patrol of the lot",
        "concierge for the lobby",
    ];
    let pick =
        |from: &[&str], by: u32| from[(n.wrapping_mul(by) / 7) as usize % from.len()].to_owned();
    let rare = if n % (size / 5) == 1 { RARE } else { "calm" };
    let step = 3 * 365 * 86_400_000 / i64::from(size);
    let at = Time::parse("2023-11-21")
        .unwrap()
        .plus_millis(step * i64::from(n));
    let status = match n % 50 {
        0 => Status::Pending,
        1 => Status::InProgress,
        2..8 => Status::Cancelled,
        _ => Status::Completed,
    };
    let area = [713, 281, 832, 346][n as usize % 4];
    [
        at.millis().to_string(),
        ids::new(at).to_string(),
        at.to_string(),
        status.as_str().to_owned(),
        pick(&names, 2_654_435_761),
        format!("Name{}", letters(n % 20_000)),
        format!("person{n}@site{}.example", n % 5000),
        format!("({area}) 555-{:04}", n.wrapping_mul(48_271) % 10_000),
        format!("Houston, TX, {} Main Street", n % 9000),
        format!(
            "We need {} at the {} {rare}",
            pick(&wanted, 40_503),
            pick(&sites, 2_246_822_519)
        ),
        pick(&SERVICES, 3_266_489_917),
        pick(&STATES, 668_265_263),
    ]
}

/// A number as letters, for names.
fn letters(n: u32) -> String {
    n.to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}
