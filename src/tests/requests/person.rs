//! Erasure and export of a visitor's data.

use std::fs;
use std::path::Path;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::visitors::quote;

const MARIA: &str = "maria@property.example";

/// Two requests and a message of Maria, one request of another person.
async fn with_requests() -> TestApp {
    let app = TestApp::start().await;
    for location in ["Zyxwvut Court", "Qwopaskl Lane"] {
        let description = "The xylophagous beetle is back";
        app.stored(json!({"location": location, "description": description}))
            .await;
    }
    app.stored(json!({"email": "other@else.example", "location": "Elm Street"}))
        .await;
    let message = json!({
        "first_name": "María", "last_name": "O’Brien", "email": "MARIA@property.example",
        "phone": "(713) 555-0188", "company": "", "service": "fire-watch",
        "details": "Call me about the quagmire",
    });
    let sent = app
        .http
        .post(app.url("/api/contact"))
        .header("x-forwarded-for", "198.51.100.7")
        .json(&message)
        .send()
        .await
        .unwrap();
    assert_eq!(sent.status(), StatusCode::CREATED);
    app
}

async fn found(app: &TestApp, token: &str, words: &str) -> usize {
    let list = app
        .http
        .get(app.url(&format!("/api/admin/quotes?q={words}")));
    let list = list.bearer_auth(token).send().await.unwrap();
    let list: Value = list.json().await.unwrap();
    list["quotes"].as_array().unwrap().len()
}

/// Whether a file below `folder` contains `text`.
fn is_written(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_written(&path, text);
        }
        let bytes = fs::read(&path).unwrap();
        bytes
            .windows(text.len())
            .any(|part| part.eq_ignore_ascii_case(text.as_bytes()))
    })
}

#[tokio::test]
async fn an_erased_person_is_gone_from_every_table_page_and_file() {
    let app = with_requests().await;
    let token = app.admin().await.access_token;
    assert_eq!(found(&app, &token, "zyxwvut").await, 1);
    let cli = Cli::on_data_of(&app);
    // After upgrades that were killed, one that was rolled back, and a killed backup.
    let leftovers = [
        "guardpost.db.schema-3",
        "guardpost.db.newer",
        "guardpost.db.newer-wal",
        ".migration-aZ3",
        ".snapshot-aZ3/guardpost.db",
    ];
    let leftovers = leftovers.map(|name| app.folder.path().join(name));
    for path in &leftovers {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "Zyxwvut").unwrap();
    }

    let plan = cli.run_ok(&["person", "erase", MARIA]);
    for line in [
        "2 quote requests",
        "1 message",
        "3 emails",
        "Nothing was changed",
        "--yes",
    ] {
        assert!(plan.contains(line), "{line}: {plan}");
    }
    assert_eq!(app.rows("quotes").await, 3);
    assert!(is_written(app.folder.path(), "Zyxwvut"));

    let done = cli.run_ok(&["person", "erase", &MARIA.to_uppercase(), "--yes"]);
    assert!(done.contains("3 files of copies of the database"), "{done}");
    assert!(leftovers.iter().all(|path| !path.exists()));
    assert!(
        done.contains("Erased:") && done.contains("the search words of"),
        "{done}"
    );
    assert_eq!(app.rows("quotes").await, 1);
    assert_eq!(app.rows("contact_messages").await, 0);
    assert_eq!(app.rows("outbox").await, 1);
    for words in ["zyxwvut", "xylophagous", "qwopaskl"] {
        assert_eq!(found(&app, &token, words).await, 0, "{words}");
    }
    assert_eq!(found(&app, &token, "elm").await, 1);
    app.store.close().await;
    for text in ["Zyxwvut", "xylophagous", "quagmire", MARIA] {
        assert!(!is_written(app.folder.path(), text), "{text}");
    }
    assert!(is_written(app.folder.path(), "Elm Street"));
    assert!(
        cli.run_ok(&["person", "erase", MARIA])
            .contains("Nothing is stored about")
    );
    assert!(
        cli.run_err(&["person", "erase", "maria"])
            .contains("not an email address")
    );
}

#[tokio::test]
async fn the_dry_run_counts_attached_files() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    for name in ["a.pdf", "b.pdf"] {
        let added = app.add_file(&grant, name, b"%PDF-1.7 a plan").await;
        assert_eq!(added.status(), StatusCode::OK);
    }
    let cli = Cli::on_data_of(&app);
    let plan = cli.run_ok(&["person", "erase", MARIA]);
    assert!(plan.contains("2 attached files"), "{plan}");
    let done = cli.run_ok(&["person", "erase", MARIA, "--yes"]);
    assert!(done.contains("2 attached files"), "{done}");
    assert_eq!(app.rows("objects").await, 0);
}

#[tokio::test]
async fn written_emails_of_an_erased_person_are_removed() {
    let app = with_requests().await;
    let folder = app.folder.path().join("mail");
    let mailer = outbox::mailer::Folder::open(&folder).unwrap();
    let worker = app.delivery_worker(std::sync::Arc::new(mailer));
    while worker.deliver_due().await.unwrap() > 0 {}
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
    let cli = Cli::on_data_of(&app);
    let done = cli.run_ok(&["person", "erase", MARIA, "--yes"]);
    assert!(done.contains("3 files in mail/"), "{done}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[tokio::test]
async fn an_export_holds_everything_about_the_person_and_nothing_else() {
    let app = with_requests().await;
    let cli = Cli::on_data_of(&app);
    let export: Value = serde_json::from_str(&cli.run_ok(&["person", "export", MARIA])).unwrap();
    let tables = &export["tables"];
    let rows = |table: &str| tables[table].as_array().unwrap().len();
    assert_eq!(
        (rows("quotes"), rows("contact_messages"), rows("outbox")),
        (2, 1, 3)
    );
    assert_eq!(
        tables["contact_messages"][0]["details"],
        "Call me about the quagmire"
    );
    assert!(!export.to_string().contains("Elm Street"));
    let none: Value =
        serde_json::from_str(&cli.run_ok(&["person", "export", "x@y.example"])).unwrap();
    assert_eq!(none["tables"], json!({}));
}

#[tokio::test]
async fn a_request_made_after_an_erasure_stays() {
    let app = with_requests().await;
    let erased = app
        .store
        .erase_person(MARIA.to_owned(), app.clock.now(), None);
    assert_eq!(erased.await.unwrap().quotes, 2);
    app.clock.advance(1000);
    let answer = app.ask("198.51.100.9", None, &quote(json!({}))).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    let at = app.clock.now().plus_millis(-1000);
    assert_eq!(
        app.store
            .erase_person(MARIA.to_owned(), at, None)
            .await
            .unwrap()
            .quotes,
        0
    );
    assert_eq!(app.rows("quotes").await, 2);
}

const DAY: i64 = 24 * 60 * 60 * 1000;

#[tokio::test]
async fn closed_requests_are_deleted_after_their_time() {
    use domain::request::quote::Status;
    use store::accounts::actor::Actor;
    use store::database::maintenance::Job;
    let app = TestApp::with(|config| config.retention.closed_days = 30).await;
    let closed = app.stored(json!({"location": "Closed Court"})).await;
    let open = app.stored(json!({"location": "Open Road"})).await;
    app.run_outbox().await;
    let by = Actor {
        user_id: "admin".into(),
        client: "client".into(),
    };
    let moved = app
        .store
        .move_quote(closed.clone(), Status::Cancelled, by, app.clock.now());
    moved.await.unwrap();
    let jobs = app.maintenance();
    app.clock.advance(29 * DAY);
    jobs.run_due().await;
    assert_eq!(app.rows("quotes").await, 2);
    app.clock.advance(2 * DAY);
    jobs.run_due().await;
    assert!(app.store.quote(closed).await.is_err());
    assert_eq!(app.store.quote(open).await.unwrap().location, "Open Road");
    assert_eq!(app.rows("outbox").await, 1);
    let run = app.store.last_run(Job::Retention).await.unwrap().unwrap();
    assert!(
        run.detail
            .starts_with("1 requests closed for 30 days deleted"),
        "{run:?}"
    );

    let copy = app.folder.path().join("guardpost.db.schema-3");
    fs::write(&copy, "").unwrap();
    let written = std::time::Duration::from_millis(app.clock.now().millis().unsigned_abs());
    let file = fs::File::options().write(true).open(&copy).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + written)
        .unwrap();
    app.clock.advance(29 * DAY);
    jobs.run_due().await;
    assert!(copy.exists());
    app.clock.advance(2 * DAY);
    jobs.run_due().await;
    assert!(!copy.exists(), "kept for 30 days");

    let keeping = TestApp::start().await;
    keeping.maintenance().run_due().await;
    let run = keeping
        .store
        .last_run(Job::Retention)
        .await
        .unwrap()
        .unwrap();
    assert!(run.ok && run.detail.contains("are kept"), "{run:?}");
    assert!(keeping.store.last_run(Job::Backup).await.unwrap().is_none());
}
