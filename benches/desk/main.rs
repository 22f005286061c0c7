//! `just bench`: measures performance against references in the same run and prints one table. Run
//! by hand only. `cargo bench --bench desk -- posts lists` runs only those parts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement that cannot go on should stop"
)]

mod alarms;
mod before;
mod lifecycle;
mod lists;
mod live;
mod load;
mod pages;
mod posts;
mod server;
mod table;

use table::Table;

type Part = (&'static str, fn(&mut Table));

const PARTS: &[Part] = &[
    ("pages", pages::measure),
    ("posts", posts::measure),
    ("lists", lists::measure),
    ("live", live::measure),
    ("alarms", alarms::measure),
    ("lifecycle", lifecycle::measure),
    ("before", before::measure),
];

fn main() {
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let mut table = Table::default();
    for (name, measure) in PARTS {
        if asked.is_empty() || asked.iter().any(|part| part == name) {
            eprintln!("measuring {name} …");
            measure(&mut table);
        }
    }
    table.print();
}
