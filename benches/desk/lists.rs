//! Pages of the quote list and of the inbox on a thousand, a hundred thousand and a million quotes
//! and as many messages, and the export of the million quotes compared with the sqlite3 shell.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use guardpost::domain::clock::Time;
use guardpost::domain::due_time::AnswerTimes;
use guardpost::domain::ids;
use guardpost::domain::quote::Status;
use guardpost::domain::request::RequestKind;
use guardpost::store::{Assignee, InboxQuery, QuoteQuery, RequestFilter, Store};
use rusqlite::{Connection, params_from_iter};
use tokio::runtime::Runtime;

use crate::server;
use crate::table::{Budget, Table};

/// Quotes in each database; the first is the reference.
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
        let medians = medians(&pages, |(store, listing)| {
            runtime.block_on(store.quotes(listing.clone())).unwrap();
        });
        compare(table, &format!("list, {what}"), &medians);
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
        let medians = medians(&pages, |(store, listing)| {
            runtime.block_on(store.inbox(listing.clone())).unwrap();
        });
        compare(table, &format!("inbox, {what}"), &medians);
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

fn compare(table: &mut Table, what: &str, medians: &[Duration]) {
    for (median, size) in medians.iter().zip(SIZES).skip(1) {
        let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
        table.row(
            &format!("{what}, {size} quotes"),
            format!("{median:?}"),
            format!("1000 quotes: {:?}", medians[0]),
            ratio,
            Budget::AtMost(1.2),
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

/// The median time of each page. They are read in turn, so that other load affects all equally.
fn medians<P>(pages: &[P], read: impl Fn(&P)) -> Vec<Duration> {
    let mut waits = vec![Vec::with_capacity(READS); pages.len()];
    for _ in 0..READS {
        for (page, waits) in pages.iter().zip(&mut waits) {
            let start = Instant::now();
            read(page);
            waits.push(start.elapsed());
        }
    }
    let middle = |mut waits: Vec<Duration>| {
        waits.sort_unstable();
        waits[READS / 2]
    };
    waits.into_iter().map(middle).collect()
}

/// A database of `size` quotes and as many messages over three years, most of the quotes completed.
/// Inserted with SQL for
/// speed; the store indexes them.
fn fill(runtime: &Runtime, folder: &Path, size: u32) -> Store {
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
    // A running server does this within ten minutes.
    runtime.block_on(store.merge_index()).unwrap();
    store
}

const INSERT: &str = "INSERT INTO quotes (seq, id, reference, created_at, updated_at, status,
    first_name, last_name, email, phone, service_type, location, start_date, duration, description,
    emergency_contact)
     VALUES (?1 * 16, ?2, 'GP-' || ?1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, 'fire-watch',
     ?9, '2026-12-01', '1-week', ?10, 0)";

const INSERT_MESSAGE: &str = "INSERT INTO contact_messages (seq, id, reference, created_at,
    updated_at, first_name, last_name, email, phone, service, details)
     VALUES (?1 * 16 + 8, ?2, 'GP-' || ?1, ?3, ?3, ?4, ?5, ?6, ?7, 'fire-watch', ?8)";

/// The values of `INSERT_MESSAGE`: a message of the visitor of a quote, in the same millisecond.
fn message(quote: &[String; 10]) -> [&str; 8] {
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
        _,
    ] = quote;
    [seq, id, at, first_name, last_name, email, phone, location]
}

/// The values of `INSERT`.
fn quote(n: u32, size: u32) -> [String; 10] {
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
    ]
}

/// A number as letters, for names.
fn letters(n: u32) -> String {
    n.to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

fn export(table: &mut Table, folder: &Path) {
    // Earlier writes must not load the disk during the export.
    let database = std::fs::File::open(folder.join("guardpost.db")).unwrap();
    database.sync_all().unwrap();
    let ours = folder.join("ours.csv");
    let mut command = Command::new(server::binary());
    command
        .args(["export-quotes", "--format", "csv", "--force", "--output"])
        .arg(&ours)
        .arg("--data")
        .arg(folder)
        .current_dir(folder);
    let (took, memory) = timed(&mut command);
    let mut shell = Command::new("sqlite3");
    let columns = "id, created_at, updated_at, first_name, last_name, email, phone, company, \
                   service_type, duration, start_date, location, description, status, \
                   emergency_contact, attribution";
    let query = format!("SELECT {columns} FROM quotes ORDER BY seq");
    let theirs = std::fs::File::create(folder.join("theirs.csv")).unwrap();
    shell
        .args(["-readonly", "-csv", "-header"])
        .arg(folder.join("guardpost.db"))
        .arg(query)
        .stdout(theirs);
    let (reference, _) = timed(&mut shell);
    let rows = |file: &str| {
        std::fs::read(folder.join(file))
            .unwrap()
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
    };
    assert_eq!(rows("ours.csv"), rows("theirs.csv"));
    let ratio = took.as_secs_f64() / reference.as_secs_f64();
    table.row(
        "export of 1000000 quotes as CSV",
        format!("{took:.2?}, {memory:.0} MB"),
        format!("sqlite3 shell: {reference:.2?}"),
        ratio,
        Budget::AtMost(0.5),
    );
}

/// How long a command runs, and the most memory it has in use, in MB.
fn timed(command: &mut Command) -> (Duration, f64) {
    let start = Instant::now();
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut peak: f64 = 0.0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        peak = peak.max(server::memory_of(child.id()).unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(status.success());
    (start.elapsed(), peak)
}
