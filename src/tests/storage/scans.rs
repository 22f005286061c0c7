//! The virus scan, against a scripted clamd on a real socket.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::people::Person;

/// The harmless file that every virus scanner reports, in two halves: no scanner of the machine
/// shall report this source.
const EICAR: [&str; 2] = [
    r"X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-",
    "STANDARD-ANTIVIRUS-TEST-FILE!$H+H*",
];

pub fn eicar() -> Vec<u8> {
    EICAR.concat().into_bytes()
}

/// Reads a command as clamd does; returns the file, or `None` if the command ends early.
fn read_command(stream: &mut impl Read) -> Option<Vec<u8>> {
    let mut command = [0; 10];
    stream.read_exact(&mut command).ok()?;
    assert_eq!(&command, b"zINSTREAM\0");
    let mut content = Vec::new();
    loop {
        let mut length = [0; 4];
        stream.read_exact(&mut length).ok()?;
        match u32::from_be_bytes(length) {
            0 => return Some(content),
            length => {
                let mut chunk = vec![0; length as usize];
                stream.read_exact(&mut chunk).ok()?;
                content.extend(chunk);
            }
        }
    }
}

/// What clamd says about a file.
fn verdict(content: &[u8]) -> &'static [u8] {
    let has = |mark: &[u8]| content.windows(mark.len()).any(|part| part == mark);
    match () {
        () if has(&eicar()) => b"stream: Win.Test.EICAR_HDB-1 FOUND\0",
        () if has(b"over the limit") => b"INSTREAM size limit exceeded. ERROR\0",
        () => b"stream: OK\0",
    }
}

/// A clamd on a Unix socket in the data folder of `app`; counts what it has scanned.
pub fn clamd(app: &TestApp) -> Arc<AtomicUsize> {
    let listener = UnixListener::bind(app.folder.path().join("clamd.ctl")).unwrap();
    let scanned = Arc::new(AtomicUsize::new(0));
    let count = scanned.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            if let Some(content) = read_command(&mut stream) {
                count.fetch_add(1, Ordering::SeqCst);
                stream.write_all(verdict(&content)).unwrap();
            }
        }
    });
    scanned
}

/// An app with a scanner configured, which may not run yet.
async fn app_with_scanner() -> (TestApp, Person) {
    let mut app = TestApp::start().await;
    let socket = app.folder.path().join("clamd.ctl");
    app.config.files.clamd = socket.to_str().unwrap().to_owned();
    app.restart().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    (app, admin)
}

pub async fn state(app: &TestApp, name: &str) -> &'static str {
    let objects = app.store.all_objects().await.unwrap();
    let found = objects.into_iter().find(|object| object.name == name);
    found.unwrap().scan.as_str()
}

async fn read(app: &TestApp, admin: &Person, name: &str) -> reqwest::Response {
    let path = format!("/object/plans/{name}");
    app.storage(Some(admin), Method::GET, &path, "").await
}

#[tokio::test]
async fn an_infected_file_is_stored_but_never_handed_out() {
    let (app, admin) = app_with_scanner().await;
    clamd(&app);
    for (name, content) in [("virus.txt", &eicar()[..]), ("plan.pdf", PDF)] {
        let stored = app.store(&admin, &format!("plans/{name}"), content).await;
        assert_eq!(stored.status(), StatusCode::OK);
        assert_eq!(state(&app, name).await, "scanning");
    }
    app.files.scan_waiting().await.unwrap();
    assert_eq!(state(&app, "plan.pdf").await, "clean");
    assert_eq!(state(&app, "virus.txt").await, "infected");
    assert_eq!(read(&app, &admin, "plan.pdf").await.status(), 200);
    let answer = read(&app, &admin, "virus.txt").await;
    refused(answer, 400, "403", "AccessDenied").await;
    let signed = app
        .storage_json(
            &admin,
            "/object/sign/plans/virus.txt",
            json!({"expiresIn": 60}),
        )
        .await;
    let signed: Value = signed.json().await.unwrap();
    let link = signed["signedURL"].as_str().unwrap();
    let answer = app.storage(None, Method::GET, link, "").await;
    refused(answer, 400, "403", "AccessDenied").await;
    // The same bytes under another name, by a copy and by another upload.
    let copy = json!({"bucketId": "plans", "sourceKey": "virus.txt", "destinationKey": "copy.txt"});
    app.storage_json(&admin, "/object/copy", copy).await;
    app.store(&admin, "plans/again.txt", &eicar()).await;
    for name in ["copy.txt", "again.txt"] {
        refused(read(&app, &admin, name).await, 400, "403", "AccessDenied").await;
    }
    let listed = Cli::on_data_of(&app).run_ok(&["files", "list"]);
    assert!(listed.contains("infected  text/plain"), "{listed}");
    assert!(listed.contains("clean  application/pdf"), "{listed}");
}

#[tokio::test]
async fn neither_a_request_nor_its_file_waits_for_the_scanner() {
    let (app, admin) = app_with_scanner().await;
    let grant = app.grant().await;
    let stored = app.add_file(&grant, "a.pdf", PDF).await;
    assert_eq!(stored.status(), StatusCode::OK);
    assert!(app.files.scan_waiting().await.is_err(), "nobody listens");
    let key = format!("{}/a.pdf", grant.quote_id);
    assert_eq!(state(&app, &key).await, "scanning");
    let path = format!("/object/quotes/{key}");
    let answer = app.storage(Some(&admin), Method::GET, &path, "").await;
    assert_eq!(answer.status(), StatusCode::OK);
    clamd(&app);
    app.files.scan_waiting().await.unwrap();
    assert_eq!(state(&app, &key).await, "clean");
}

#[tokio::test]
async fn equal_contents_are_scanned_once() {
    let (app, admin) = app_with_scanner().await;
    let scanned = clamd(&app);
    for name in ["a.pdf", "b.pdf"] {
        app.store(&admin, &format!("plans/{name}"), PDF).await;
    }
    app.files.scan_waiting().await.unwrap();
    assert_eq!(scanned.load(Ordering::SeqCst), 1);
    assert_eq!(state(&app, "b.pdf").await, "clean");
}

#[tokio::test]
async fn a_file_over_the_limits_of_the_scanner_is_not_scanned() {
    let (app, admin) = app_with_scanner().await;
    clamd(&app);
    let content = [PDF, b"over the limit"].concat();
    app.store(&admin, "plans/big.pdf", &content).await;
    app.store(&admin, "plans/plan.pdf", PDF).await;
    app.files.scan_waiting().await.unwrap();
    assert_eq!(state(&app, "big.pdf").await, "unscanned");
    assert_eq!(state(&app, "plan.pdf").await, "clean");
}

#[tokio::test]
async fn a_peer_that_hangs_up_or_speaks_nonsense_gives_no_verdict() {
    for reply in [
        &b""[..],
        b"stream: OK, perhaps\0",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ] {
        let mut app = TestApp::start().await;
        let peer = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        app.config.files.clamd = peer.local_addr().unwrap().to_string();
        app.restart().await;
        std::thread::spawn(move || {
            let (mut stream, _) = peer.accept().unwrap();
            read_command(&mut stream);
            stream.write_all(reply).unwrap();
        });
        let admin = app.admin().await;
        app.bucket(&admin, "plans").await;
        app.store(&admin, "plans/a.pdf", PDF).await;
        app.files.scan_waiting().await.unwrap();
        assert_eq!(state(&app, "a.pdf").await, "scanning");
    }
}

/// Minutes until the next try of a file without a verdict.
const WAITS: [i64; 4] = [1, 5, 30, 120];

#[tokio::test]
async fn a_slow_file_holds_no_other_up_and_is_given_up_in_the_end() {
    let mut app = TestApp::start().await;
    let socket = app.folder.path().join("clamd.ctl");
    app.config.files.clamd = socket.to_str().unwrap().to_owned();
    app.config.files.clamd_seconds = 1;
    app.restart().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let listener = UnixListener::bind(socket).unwrap();
    let tries = Arc::new(AtomicUsize::new(0));
    let count = tries.clone();
    std::thread::spawn(move || {
        let mut unanswered = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let content = read_command(&mut stream).unwrap();
            match content.ends_with(b"slow") {
                // It is still being scanned when the server has no more patience, and later the
                // scanner hangs up.
                true if count.fetch_add(1, Ordering::SeqCst) == 0 => unanswered.push(stream),
                true => drop(stream),
                false => stream.write_all(b"stream: OK\0").unwrap(),
            }
        }
    });
    app.store(&admin, "plans/slow.pdf", &[PDF, b"slow"].concat())
        .await;
    app.store(&admin, "plans/plan.pdf", PDF).await;
    for (tried, minutes) in (1..).zip(WAITS) {
        app.files.scan_waiting().await.unwrap();
        assert_eq!(state(&app, "plan.pdf").await, "clean");
        assert_eq!(state(&app, "slow.pdf").await, "scanning");
        app.clock.advance(minutes * 60_000 - 1);
        app.files.scan_waiting().await.unwrap();
        assert_eq!(
            tries.load(Ordering::SeqCst),
            tried,
            "not before {minutes} minutes"
        );
        app.clock.advance(1);
    }
    app.files.scan_waiting().await.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), WAITS.len() + 1);
    assert_eq!(state(&app, "slow.pdf").await, "unscanned");
    let listed = Cli::on_data_of(&app).run_ok(&["files", "list"]);
    assert!(listed.contains("unscanned  application/pdf"), "{listed}");
    app.clock.advance(86_400_000);
    app.files.scan_waiting().await.unwrap();
    assert_eq!(tries.load(Ordering::SeqCst), WAITS.len() + 1, "given up");
}

#[tokio::test]
async fn files_stored_without_a_scanner_are_scanned_when_there_is_one() {
    let mut app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    app.store(&admin, "plans/a.pdf", PDF).await;
    assert_eq!(state(&app, "a.pdf").await, "unscanned");
    let socket = app.folder.path().join("clamd.ctl");
    app.config.files.clamd = socket.to_str().unwrap().to_owned();
    app.restart().await;
    clamd(&app);
    let task = tokio::spawn(app.files.clone().run_scans());
    while state(&app, "a.pdf").await != "clean" {
        tokio::task::yield_now().await;
    }
    // A file that is stored during the wait wakes the task.
    app.store(&admin, "plans/b.txt", &eicar()).await;
    while state(&app, "b.txt").await != "infected" {
        tokio::task::yield_now().await;
    }
    task.abort();
    app.config.files.clamd.clear();
    app.restart().await;
    app.store(&admin, "plans/c.pdf", &[PDF, b"c"].concat())
        .await;
    assert_eq!(state(&app, "c.pdf").await, "unscanned");
    refused(
        read(&app, &admin, "b.txt").await,
        400,
        "403",
        "AccessDenied",
    )
    .await;
}
