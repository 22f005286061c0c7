//! Two server processes on one database file, as during an overlapping deployment: quotes are
//! stored once, rate limits hold across both, and each email is sent once.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::StatusCode;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::{ask, quote, visitor};

/// Starts both at the same time on a folder that does not exist yet.
fn start_two(cli: &Cli) -> [ServerProcess; 2] {
    std::thread::scope(|both| {
        let starts = [(); 2].map(|()| both.spawn(|| ServerProcess::start(cli, &[])));
        starts.map(|start| start.join().unwrap())
    })
}

fn count(data: &Path, sql: &str) -> i64 {
    let conn =
        Connection::open_with_flags(data.join("guardpost.db"), OpenFlags::SQLITE_OPEN_READ_ONLY)
            .unwrap();
    conn.busy_timeout(Duration::from_secs(5)).unwrap();
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_share_one_database_without_loss_or_duplicates() {
    let cli = Cli::new();
    let data = cli.path("data");
    let servers = start_two(&cli);
    let origins = servers.each_ref().map(ServerProcess::origin);
    let http = reqwest::Client::new();
    let at = |n: u32| origins[n as usize % 2].as_str();
    let key = |n: u32| format!("key-{n:08}");

    // Sixty concurrent visitors, alternating between the processes.
    let leads: Vec<_> = (0..60)
        .map(|n| {
            (
                n,
                visitor(n),
                key(n),
                quote(json!({"location": format!("Lot {n}")})),
            )
        })
        .collect();
    let answers = join_all(
        leads
            .iter()
            .map(|(n, who, key, lead)| ask(&http, at(*n), who, Some(key), lead)),
    )
    .await;
    let mut ids = HashSet::new();
    for answer in answers {
        let answer = answer.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
        let receipt: Value = answer.json().await.unwrap();
        assert!(ids.insert(receipt["id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(count(&data, "SELECT count(*) FROM quotes"), 60);

    // One key at both processes at once stores one quote.
    let lead = quote(json!({"location": "One lot"}));
    let twice = join_all((0..10).map(|n| {
        ask(
            &http,
            at(n),
            "198.51.100.1",
            Some("key-of-one-quote"),
            &lead,
        )
    }))
    .await;
    for answer in twice {
        let receipt: Value = answer.unwrap().json().await.unwrap();
        ids.insert(receipt["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 61);

    // One visitor at both processes at once is accepted three times.
    let many: Vec<_> = (100..130)
        .map(|n| (n, key(n), quote(json!({"location": format!("Lot {n}")}))))
        .collect();
    let responses = join_all(
        many.iter()
            .map(|(n, key, lead)| ask(&http, at(*n), "198.51.100.2", Some(key), lead)),
    )
    .await;
    let accepted = responses
        .into_iter()
        .filter(|answer| answer.as_ref().unwrap().status() == StatusCode::CREATED)
        .count();
    assert_eq!(accepted, 3);
    assert_eq!(count(&data, "SELECT count(*) FROM quotes"), 64);

    // Both delivery workers send; in the end each email is in the folder once.
    let delivered = async {
        let due = "SELECT count(*) FROM outbox WHERE state = 'due' AND kind <> 'requests'";
        while count(&data, due) > 0 {
            http.get(format!("{}/healthz", at(0))).send().await.unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(30), delivered)
        .await
        .expect("the emails are sent");
    let emails: Vec<_> = std::fs::read_dir(data.join("mail"))
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    // Of 64 quotes 30 have an email of their own, the others are in one list. There is one
    // acknowledgement, because all give the same address.
    assert_eq!(emails.len(), 31, "{emails:?}");
    assert_eq!(
        count(
            &data,
            "SELECT count(*) FROM outbox WHERE state = 'sent' AND attempts = 1"
        ),
        31
    );
    let listed = "SELECT sum(notice ->> 'count') FROM outbox WHERE kind = 'requests'";
    assert_eq!(count(&data, listed), 34);
}
