//! `just bench`: every promise about speed, measured beside a reference in the same run, printed as one table. By hand only.
//! `cargo bench --bench desk -- posts lists` measures only those.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a measurement that cannot go on should stop"
)]

mod life;
mod lists;
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
    ("life", life::measure),
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
