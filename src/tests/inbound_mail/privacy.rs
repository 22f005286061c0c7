//! What is stored of emails belongs to the person and to the request: export, erasure, retention,
//! backup, and the move to another machine.

use std::io::Read;
use std::sync::Arc;

use serde_json::Value;
use store::conversation::received::Way;

use super::desk::Desk;
use crate::backup::{back_up, put_back};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

#[tokio::test]
async fn an_erasure_takes_the_emails_of_a_person_with_their_bytes_and_an_export_shows_them() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "my secret words")).await;
    desk.receive(desk.stray(&desk.answer(2, "stray words")))
        .await;
    let store = &desk.app.store;
    let export = store
        .export_person(desk.facts.customer.clone())
        .await
        .unwrap();
    let export = export.to_string();
    assert!(
        export.contains("my secret words") && export.contains("stray words"),
        "{export}"
    );
    assert!(export.contains("message.eml"), "{export}");
    let erase = "/api/admin/person/erase";
    let address = &desk.facts.customer;
    let body = serde_json::json!({"email": address, "confirm": address});
    desk.post(erase, body).await;
    for table in [
        "received_emails",
        "events",
        "objects WHERE bucket_id = 'mail'",
    ] {
        assert_eq!(desk.app.rows(table).await, 0, "{table}");
    }
}

/// The texts of the messages of the only request.
async fn texts(app: &TestApp) -> Vec<String> {
    let read = |conn: &rusqlite::Connection| {
        let texts = "SELECT detail ->> 'text' FROM events WHERE verb = 'wrote' ORDER BY id";
        let mut find = conn.prepare(texts)?;
        let texts = find.query_map([], |row| row.get(0))?;
        Ok(texts.collect::<rusqlite::Result<_>>()?)
    };
    app.store.read(read).await.unwrap()
}

/// The bytes of the stored email.
async fn bytes(app: &TestApp) -> String {
    let sha256 = "SELECT sha256 FROM objects WHERE bucket_id = 'mail' AND name LIKE '%.eml'";
    let sha256 = app.sql_text(sha256).await;
    let mut bytes = String::new();
    let mut file = app.files.contents.file(&sha256).unwrap();
    file.read_to_string(&mut bytes).unwrap();
    bytes
}

#[tokio::test]
async fn a_restored_server_has_the_conversation_and_the_bytes_of_its_emails() {
    let desk = Desk::start().await;
    let answer = desk.answer(1, "before the backup");
    desk.receive(&answer).await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&desk.app, backups.path(), None).unwrap();
    desk.receive(desk.answer(2, "after it")).await;
    let folder = Arc::new(tempfile::tempdir().unwrap());
    put_back(&desk.app, &backup, folder.path(), None).unwrap();
    let again = desk.app.on(folder).await;
    assert_eq!(texts(&again).await, ["before the backup"]);
    assert_eq!(bytes(&again).await, answer);
    assert_eq!(
        again
            .rows("requests WHERE unread = 1 AND unanswered > 0")
            .await,
        1
    );
    // Its addresses still lead to the request.
    let next = desk.answer(3, "to the restored server").into_bytes();
    again.inbound.receive(next, Way::Pipe, None).await.unwrap();
    again.inbound.take_in_pending().await;
    assert_eq!(texts(&again).await.len(), 2);
}

#[tokio::test]
async fn the_conversation_moves_with_everything_else() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "my words")).await;
    let cli = Cli::on_data_of(&desk.app);
    cli.run_ok(&["export", "--all", "--out", "one.jsonl"]);
    cli.run_ok(&["import", "one.jsonl", "--data", "new"]);
    cli.run_ok(&["export", "--all", "--out", "two.jsonl", "--data", "new"]);
    let rows = |file: &str| {
        let text = std::fs::read_to_string(cli.path(file)).unwrap();
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.parse::<Value>().unwrap());
        let mut rows: Vec<String> = rows
            .filter(|row| row["table"] == "received_emails" || row["table"] == "events")
            .map(|row| row.to_string())
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(rows("two.jsonl"), rows("one.jsonl"));
    assert!(rows("two.jsonl").iter().any(|row| row.contains("my words")));
}

#[tokio::test]
async fn the_retention_of_closed_requests_takes_their_emails_with_the_bytes() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "my words")).await;
    let sha256 = desk
        .app
        .sql_text("SELECT sha256 FROM objects WHERE bucket_id = 'mail'");
    let sha256 = sha256.await;
    desk.app
        .sql("UPDATE requests SET status = 'completed'")
        .await;
    let day = 24 * 60 * 60 * 1000;
    let now = desk.app.clock.now().plus_millis(day);
    desk.app.store.erase_closed(now, 10).await.unwrap();
    for table in [
        "requests",
        "received_emails",
        "objects WHERE bucket_id = 'mail'",
    ] {
        assert_eq!(desk.app.rows(table).await, 0, "{table}");
    }
    desk.app.files.collect_released().await;
    assert!(
        desk.app.files.contents.file(&sha256).is_err(),
        "the bytes are gone"
    );
}
