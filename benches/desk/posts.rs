//! Durable posts: through the server at 1 and 64 connections, compared with the limit of SQLite in
//! this process and with the baseline.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, params};
use store::Store;

use crate::load::{self, Until};
use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// How long each load runs.
const TIME: Duration = Duration::from_secs(8);

pub fn measure(table: &mut Table) {
    for (connections, least) in [(1, 1.0), (64, 6.0)] {
        let start = |folder: &Path| server::guardpost(&folder.join("data"));
        let ours = through(start, connections, request);
        let one = through(start, connections, from_one_address);
        let what = format!("posts, {connections} at once");
        let raw = raw(connections);
        table.row(
            &format!("{what}, beside SQLite"),
            ours.summary(),
            format!("{connections} a commit in process: {raw:.0}/s"),
            ours.found.rate / raw,
            Budget::None,
        );
        table.row(
            &format!("{what}, from one address"),
            one.summary(),
            "each from another".to_owned(),
            one.found.rate / ours.found.rate,
            Budget::None,
        );
        if let Some(baseline) = baseline() {
            let baseline = through(baseline, connections, request);
            table.row(
                &format!("{what}, compared with the baseline"),
                ours.summary(),
                format!("Fastify and better-sqlite3: {}", baseline.summary()),
                ours.found.rate / baseline.found.rate,
                Budget::AtLeast(least),
            );
            table.row(
                &format!("{what}, processor time of a post"),
                format!("{:.0} µs", ours.processor),
                format!("{:.0} µs", baseline.processor),
                ours.processor / baseline.processor,
                Budget::None,
            );
        }
    }
}

/// The measurement of a server under load.
struct Measured {
    found: load::Found,
    /// Microseconds of processor time for each post.
    processor: f64,
}

impl Measured {
    fn summary(&self) -> String {
        format!(
            "{:.0}/s, p50 {:?}, p99 {:?}",
            self.found.rate, self.found.median, self.found.p99
        )
    }
}

fn through(
    start: impl FnOnce(&Path) -> Server,
    connections: usize,
    request: fn(u32) -> Vec<u8>,
) -> Measured {
    let folder = server::folder();
    let server = start(folder.path());
    // Warm-up.
    load::run(
        server.address,
        connections,
        Until::Time(TIME / 4),
        201,
        request,
    );
    let before = server.processor();
    let found = load::run(server.address, connections, Until::Time(TIME), 201, request);
    assert_eq!(found.others, 0, "every post is taken");
    let processor = (server.processor() - before) * 1e6 / found.answers as f64;
    Measured { found, processor }
}

/// The baseline, if its packages are installed.
fn baseline() -> Option<impl FnOnce(&Path) -> Server> {
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/baseline");
    if !baseline.join("node_modules/better-sqlite3").exists() {
        eprintln!("  not measured: the baseline; npm --prefix benches/baseline install");
        return None;
    }
    Some(move |folder: &Path| {
        let mut command = Command::new("node");
        command
            .env("NODE_ENV", "production")
            .arg(baseline.join("server.js"))
            .arg(folder.join("baseline.db"));
        server::announced(command, |line| {
            line.trim().strip_prefix("http://")?.parse().ok()
        })
    })
}

/// A post of the `n`th visitor.
pub fn request(n: u32) -> Vec<u8> {
    let [_, a, b, c] = n.to_be_bytes();
    post(n, &format!("x-forwarded-for: 10.{a}.{b}.{c}\r\n"), true)
}

/// The same, no emergency.
pub fn calm_request(n: u32) -> Vec<u8> {
    let [_, a, b, c] = n.to_be_bytes();
    post(n, &format!("x-forwarded-for: 10.{a}.{b}.{c}\r\n"), false)
}

/// The `n`th post of one visitor, who has a high limit.
fn from_one_address(n: u32) -> Vec<u8> {
    post(n, "", true)
}

fn post(n: u32, sender: &str, is_emergency: bool) -> Vec<u8> {
    let body = serde_json::json!({
        "first_name": "Maria",
        "last_name": "O’Brien",
        "email": format!("maria{n}@property.example"),
        "phone": format!("(713) 555-{:04}", n % 10_000),
        "company": "Bayou Property & Sons",
        "service_type": "fire-watch",
        "location": format!("Houston, TX, lot {n}"),
        "start_date": "2099-12-01",
        "duration": "1-week",
        "description": "Panel is down on floors 3 to 9, two guards around the clock until the \
                        contractor is done",
        "emergency_contact": is_emergency,
    })
    .to_string();
    format!(
        "POST /api/quotes HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n\
         {sender}idempotency-key: 00000000-0000-7000-8000-{n:012}\r\ncontent-length: {}\r\n\r\n\
         {body}",
        body.len()
    )
    .into_bytes()
}

/// Quotes with their notices per second, `batch` per commit, with SQLite alone on the same tables:
/// the upper limit of any server on it.
fn raw(batch: usize) -> f64 {
    let folder = server::folder();
    let file = folder.path().join("raw.db");
    drop(Store::open(&file).unwrap());
    let conn = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    conn.pragma_update(None, "synchronous", "FULL").unwrap();
    let mut quote = conn
        .prepare(
            "INSERT INTO requests (kind, id, reference, created_at, updated_at, first_name, \
                  last_name, email, phone, service, duration, start_date, location, \
                  emergency_contact) VALUES ('quote', ?1, 'GP-2K7Q', ?2, ?2, 'Maria', 'Lee', \
                  'maria@property.example', '7135550188', 'fire-watch', '1-week', '2099-12-01', \
                  'Houston, TX', 1)",
        )
        .unwrap();
    let mut notice = conn
        .prepare(
            "INSERT INTO outbox (created_at, kind, subject_id, notice, due_at) \
                  VALUES (?1, 'quote', ?2, '{}', ?1)",
        )
        .unwrap();
    let start = Instant::now();
    let mut n = 0_u64;
    while start.elapsed() < TIME / 2 {
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        for _ in 0..batch {
            n += 1;
            let id = format!("0192f1de-7b5a-7000-8000-{n:012}");
            let at = format!("2026-11-21T03:04:05.{:03}Z", n % 1000);
            quote.execute(params![id, at]).unwrap();
            notice.execute(params![at, id]).unwrap();
        }
        conn.execute_batch("COMMIT").unwrap();
    }
    n as f64 / start.elapsed().as_secs_f64()
}
