//! Durable posts: through the whole product at 1 and 64 connections, beside the raw limit of SQLite in this process and beside the peer.

use std::time::{Duration, Instant};

use guardpost::store::Store;
use rusqlite::{Connection, OpenFlags, params};

use crate::load::{self, Until};
use crate::server;
use crate::table::{Budget, Table};

/// How long each load runs.
const TIME: Duration = Duration::from_secs(8);

pub fn measure(table: &mut Table) {
    let raw = [raw(1), raw(64)];
    for (connections, raw) in [(1, raw[0]), (64, raw[1])] {
        let ours = ours(connections);
        let what = format!("posts, {connections} connections");
        let figure = format!(
            "{:.0}/s, p50 {:?}, p99 {:?}",
            ours.rate, ours.median, ours.p99
        );
        assert_eq!(ours.others, 0, "every post is taken");
        table.row(
            &what,
            figure,
            format!("raw SQLite, {connections} a commit: {raw:.0}/s"),
            ours.rate / raw,
            Budget::None,
        );
    }
}

/// A post of the `n`th visitor.
pub fn request(n: u32) -> Vec<u8> {
    let [_, a, b, c] = n.to_be_bytes();
    let body = format!(
        r#"{{"first_name":"Maria","last_name":"O’Brien","email":"maria{n}@property.example","phone":"(713) 555-{:04}","company":"Bayou Property & Sons","service_type":"fire-watch","location":"Houston, TX, lot {n}","start_date":"2026-12-01","duration":"1-week","description":"Panel is down on floors 3 to 9, two guards around the clock until the contractor is done","emergency_contact":true}}"#,
        n % 10_000
    );
    format!(
        "POST /api/quotes HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\nx-forwarded-for: 10.{a}.{b}.{c}\r\nidempotency-key: 00000000-0000-7000-8000-{n:012}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn ours(connections: usize) -> load::Found {
    let folder = server::folder();
    let server = server::guardpost(&folder.path().join("data"));
    load::run(server.address, connections, Until::Time(TIME), 201, request)
}

/// Quotes with their notices a second, `batch` in a commit, by nothing but SQLite on the product's own tables: what no product on it can exceed.
fn raw(batch: usize) -> f64 {
    let folder = server::folder();
    let file = folder.path().join("raw.db");
    drop(Store::open(&file).unwrap());
    let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.pragma_update(None, "synchronous", "FULL").unwrap();
    let mut quote = conn
        .prepare("INSERT INTO quotes (id, created_at, updated_at, first_name, last_name, email, phone, service_type, duration, start_date, location, emergency_contact) VALUES (?1, ?2, ?2, 'Maria', 'Lee', 'maria@property.example', '7135550188', 'fire-watch', '1-week', '2026-12-01', 'Houston, TX', 1)")
        .unwrap();
    let mut notice = conn
        .prepare("INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at) VALUES (?1, ?2, 'quote', ?3, '{}', ?2)")
        .unwrap();
    let start = Instant::now();
    let mut n = 0_u64;
    while start.elapsed() < TIME / 2 {
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        for _ in 0..batch {
            n += 1;
            let (id, letter) = (
                format!("0192f1de-7b5a-7000-8000-{n:012}"),
                format!("0192f1de-7b5a-7000-9000-{n:012}"),
            );
            let at = format!("2026-11-21T03:04:05.{:03}Z", n % 1000);
            quote.execute(params![id, at]).unwrap();
            notice.execute(params![letter, at, id]).unwrap();
        }
        conn.execute_batch("COMMIT").unwrap();
    }
    n as f64 / start.elapsed().as_secs_f64()
}
