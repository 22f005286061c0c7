//! Files in a bucket instead of the data folder.

use std::fs;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use super::disk::{begin, tus};
use super::kills::{CONFIG, a_start_sweeps_temporary_files, all_are_whole, kill_during_uploads};
use super::scans::{clamd, eicar, state};
use super::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::people::Person;
use crate::support::s3::TestBucket;

/// An app that stores files in a new bucket of this name, with a bucket `plans`.
async fn app_with_bucket(name: &str) -> (TestApp, Person, TestBucket) {
    let bucket = TestBucket::create(name).await;
    let (to, settings) = (bucket.address("site"), bucket.settings());
    let app = TestApp::with(|config| {
        config.files.to = to;
        config.s3 = settings;
    })
    .await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    (app, admin, bucket)
}

/// Commands with the settings of `app`.
fn commands(app: &TestApp, bucket: &TestBucket) -> Cli {
    let cli = Cli::on_data_of(app);
    let data = fs::read_to_string(cli.path("config.toml")).unwrap();
    let (to, section) = (&app.config.files.to, bucket.section());
    let file = "secret_access_key_file = \"secret\"";
    let text = format!(
        "{data}[server]\nacme_directory = \"http://127.0.0.1:1/\"\n\
         [files]\nto = \"{to}\"\n{section}{file}\n"
    );
    fs::write(cli.path("config.toml"), text).unwrap();
    fs::write(cli.path("secret"), "test secret").unwrap();
    cli
}

async fn get(app: &TestApp, admin: &Person, path: &str, range: Option<&str>) -> Response {
    let request = app.http.get(app.url(&format!("/storage/v1{path}")));
    let request = request.bearer_auth(&admin.access_token);
    match range {
        Some(range) => request.header("range", range),
        None => request,
    }
    .send()
    .await
    .unwrap()
}

/// Longer than two parts of a put.
fn long() -> Vec<u8> {
    let numbers = (0_u32..).flat_map(u32::to_le_bytes);
    let content = PDF.iter().copied().chain(numbers);
    content.take(10_485_760).collect()
}

#[tokio::test]
async fn files_in_a_bucket_are_stored_read_and_deleted_as_on_the_disk() {
    let (app, admin, bucket) = app_with_bucket("files-stored").await;
    let long = long();
    for (name, content) in [("a.pdf", PDF), ("b.pdf", PDF), ("long.pdf", &long)] {
        let stored = app.store(&admin, &format!("plans/{name}"), content).await;
        assert_eq!(stored.status(), StatusCode::OK);
    }
    assert!(app.stored_files().is_empty(), "nothing stays on the disk");
    let listed = app.store.all_objects().await.unwrap();
    let sha256 = &listed[0].sha256;
    let place = format!("site/{}/{sha256}", &sha256[..2]);
    let names = bucket.names();
    assert!(names.contains(&place), "{names:?}");
    assert_eq!(names.len(), 2, "equal bytes are stored once: {names:?}");

    let whole = get(&app, &admin, "/object/plans/long.pdf", None).await;
    assert_eq!(whole.headers()["content-length"], "10485760");
    let etag = whole.headers()["etag"].clone();
    assert!(whole.bytes().await.unwrap() == long);
    for (range, part) in [
        ("bytes=0-4", &long[..5]),
        ("bytes=6000000-6000099", &long[6_000_000..6_000_100]),
        ("bytes=-3", &long[long.len() - 3..]),
    ] {
        let answer = get(&app, &admin, "/object/plans/long.pdf", Some(range)).await;
        assert_eq!(answer.status(), StatusCode::PARTIAL_CONTENT);
        assert!(answer.bytes().await.unwrap() == part, "{range}");
    }
    let path = "/object/plans/long.pdf";
    let head = app.storage(Some(&admin), Method::HEAD, path, "").await;
    assert_eq!(head.headers()["content-length"], "10485760");
    let fresh = app
        .http
        .get(app.url(&format!("/storage/v1{path}")))
        .bearer_auth(&admin.access_token)
        .header("if-none-match", etag)
        .send();
    assert_eq!(fresh.await.unwrap().status(), StatusCode::NOT_MODIFIED);

    let prefixes = json!({"prefixes": ["a.pdf", "long.pdf"]});
    let removed = app
        .http
        .delete(app.url("/storage/v1/object/plans"))
        .bearer_auth(&admin.access_token)
        .json(&prefixes)
        .send();
    assert_eq!(removed.await.unwrap().status(), StatusCode::OK);
    assert_eq!(bucket.names(), [place]);
    let answer = get(&app, &admin, "/object/plans/b.pdf", None).await;
    assert_eq!(answer.bytes().await.unwrap(), PDF);
    let emptied = app.storage_json(&admin, "/bucket/plans/empty", json!({}));
    assert_eq!(emptied.await.status(), StatusCode::OK);
    assert!(bucket.names().is_empty());
}

#[tokio::test]
async fn while_the_bucket_cannot_be_reached_nothing_is_lost() {
    let (app, admin, bucket) = app_with_bucket("files-cut").await;
    app.store(&admin, "plans/old.pdf", PDF).await;
    let content = [PDF, b"new"].concat();
    let path = begin(&app, &admin, "new.pdf", content.len()).await;
    bucket.cut();

    let grant = app.grant().await;
    assert_eq!(app.rows("quotes").await, 1, "the request is stored");
    let answer = app.add_file(&grant, "plan.pdf", PDF).await;
    assert!(answer.headers().contains_key("retry-after"));
    refused(answer, 503, "503", "SlowDown").await;
    let answer = get(&app, &admin, "/object/plans/old.pdf", None).await;
    refused(answer, 503, "503", "SlowDown").await;
    let sent = tus(&app, &admin, Method::PATCH, &path, (0, &content)).await;
    assert_eq!(sent.status(), StatusCode::SERVICE_UNAVAILABLE);
    let head = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    assert_eq!(head.status(), StatusCode::SERVICE_UNAVAILABLE);
    let kept = app.stored_files();
    assert_eq!(kept.len(), 1, "only the resumable upload: {kept:?}");
    assert!(app.files.compare().await.is_err());

    bucket.mend();
    let head = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    let length = content.len().to_string();
    assert_eq!(head.headers()["upload-offset"], length.as_str());
    let answer = get(&app, &admin, "/object/plans/new.pdf", None).await;
    assert_eq!(answer.bytes().await.unwrap(), content);
    let again = app.add_file(&grant, "plan.pdf", PDF).await;
    assert_eq!(again.status(), StatusCode::OK, "the failed one counts not");
    assert!(app.stored_files().is_empty());
}

#[tokio::test]
async fn an_upload_that_waits_for_the_bucket_survives_a_restart() {
    let (mut app, admin, bucket) = app_with_bucket("files-restart").await;
    let path = begin(&app, &admin, "new.pdf", PDF.len()).await;
    bucket.cut();
    let sent = tus(&app, &admin, Method::PATCH, &path, (0, PDF)).await;
    assert_eq!(sent.status(), StatusCode::SERVICE_UNAVAILABLE);
    app.restart().await;
    bucket.mend();
    app.sweep().await;
    let head = tus(&app, &admin, Method::HEAD, &path, (0, b"")).await;
    assert_eq!(head.status(), StatusCode::OK);
    let answer = get(&app, &admin, "/object/plans/new.pdf", None).await;
    assert_eq!(answer.bytes().await.unwrap(), PDF);
}

#[tokio::test]
async fn a_bucket_is_listed_checked_and_swept() {
    let (app, admin, bucket) = app_with_bucket("files-checked").await;
    app.store(&admin, "plans/a.pdf", PDF).await;
    let orphan = "ab".repeat(32);
    let client = bucket.client();
    client.put(&format!("site/ab/{orphan}"), "orphan").unwrap();
    client.put("site/notes.txt", "not a content").unwrap();
    let cli = commands(&app, &bucket);
    assert!(cli.run_ok(&["files", "list"]).contains("plans/a.pdf"));
    let check = cli.run_ok(&["files", "check"]);
    assert!(
        check.contains("1 file, 0 lost, 1 content without a row"),
        "{check}"
    );
    let offline = cli.run(&["check", "--all"]).stdout;
    assert!(
        offline.contains("ok: files.to: s3://files-checked/site; not asked"),
        "{offline}"
    );
    let dns = ["check", "--online", "--all"];
    let online = cli.run(&dns).stdout;
    assert!(
        online.contains("has all of 1 content, and 1 content without a row"),
        "{online}"
    );

    app.advance_to_now();
    app.sweep().await;
    assert_eq!(bucket.names().len(), 3, "younger than an hour");
    app.clock.advance(2 * 3_600_000);
    let swept = app.sweep().await;
    assert_eq!((swept.contents, swept.bytes), (1, 6));
    assert_eq!(bucket.names().len(), 2);

    let listed: Value = serde_json::from_str(&cli.run_ok(&["files", "list", "--json"])).unwrap();
    let sha256 = listed[0]["sha256"].as_str().unwrap();
    client
        .delete(&format!("site/{}/{sha256}", &sha256[..2]))
        .unwrap();
    let error = cli.run_err(&["files", "check"]);
    assert!(error.contains("the bytes of 1 file are gone"), "{error}");
    let online = cli.run(&dns).stdout;
    assert!(
        online.contains("fault: files.to: s3://files-checked/site: the bytes of 1 file are gone"),
        "{online}"
    );
    bucket.cut();
    let online = cli.run(&dns).stdout;
    assert!(online.contains("cannot be listed"), "{online}");
    let error = cli.run_err(&["files", "check"]);
    assert!(!error.contains("test secret"), "{error}");
}

#[tokio::test]
async fn files_in_a_bucket_are_scanned() {
    let (mut app, admin, bucket) = app_with_bucket("files-scanned").await;
    let socket = app.folder.path().join("clamd.ctl");
    app.config.files.clamd = socket.to_str().unwrap().to_owned();
    app.restart().await;
    clamd(&app);
    app.store(&admin, "plans/virus.txt", &eicar()).await;
    app.store(&admin, "plans/plan.pdf", PDF).await;
    bucket.cut();
    assert!(app.files.scan_waiting().await.is_err());
    assert_eq!(state(&app, "plan.pdf").await, "scanning");
    bucket.mend();
    app.files.scan_waiting().await.unwrap();
    assert_eq!(state(&app, "plan.pdf").await, "clean");
    assert_eq!(state(&app, "virus.txt").await, "infected");
    let answer = get(&app, &admin, "/object/plans/virus.txt", None).await;
    refused(answer, 400, "403", "AccessDenied").await;
}

#[tokio::test]
async fn a_killed_server_leaves_each_file_in_the_bucket_whole_or_absent() {
    let bucket = TestBucket::create("files-killed").await;
    let cli = Cli::new();
    let (to, section) = (bucket.address("site"), bucket.section());
    let file = "secret_access_key_file = \"secret\"";
    let text = format!("{CONFIG}[files]\nto = \"{to}\"\n{section}{file}\n");
    fs::write(cli.path("config.toml"), text).unwrap();
    fs::write(cli.path("secret"), "test secret").unwrap();
    let acknowledged = kill_during_uploads(&cli).await;
    all_are_whole(&cli, &acknowledged, |sha256| {
        let name = format!("site/{}/{sha256}", &sha256[..2]);
        bucket.client().get(&name).unwrap().to_vec()
    });
    a_start_sweeps_temporary_files(&cli).await;
}
