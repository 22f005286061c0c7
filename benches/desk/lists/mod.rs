//! Pages of the quote list and of the inbox on a thousand, a hundred thousand and a million quotes
//! and as many messages, and the export of the million quotes compared with the sqlite3 shell.

mod export;
mod inbox;
mod rows;

use std::time::{Duration, Instant};

use domain::request::quote::Status;
use store::Store;
use store::lists::quote_list::QuoteQuery;
use tokio::runtime::Runtime;

use export::export;
use inbox::{deep_inbox, inbox_listings};
use rows::fill;

use crate::server;
use crate::table::{Budget, Table};

/// Quotes in each database, and as many messages.
const SIZES: [u32; 3] = [1_000, 100_000, 1_000_000];
/// The longest that a page of each takes, in milliseconds.
const BUDGETS_MS: [u64; 3] = [25, 25, 400];
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
        compare(table, &format!("list, {what}"), &slowest);
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
        compare(table, &format!("inbox, {what}"), &slowest);
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

/// The slowest in twenty reads of each database, against its budget.
fn compare(table: &mut Table, what: &str, slowest: &[Duration]) {
    for ((took, size), budget) in slowest.iter().zip(SIZES).zip(BUDGETS_MS) {
        let budget = Duration::from_millis(budget);
        table.row(
            &format!("{what}, {size} quotes, p95"),
            format!("{took:?}"),
            format!("budget: {budget:?}"),
            took.as_secs_f64() / budget.as_secs_f64(),
            Budget::AtMost(1.0),
        );
    }
}

/// The 95th percentile of the times of each page, of which the first read is one. They are read in
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
        waits[READS * 95 / 100]
    };
    waits.into_iter().map(percentile).collect()
}
