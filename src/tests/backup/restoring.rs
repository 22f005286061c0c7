//! What a server has and sends after a restore: content, accounts, emails and erasures.

use std::fs;
use std::sync::Arc;

use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{back_up, put_back};
use crate::auth::factors::{totp_code, verify_factor, with_factor};
use crate::content::Editor;
use crate::pages::get;
use crate::storage::PDF;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn a_restored_server_shows_the_published_content_and_its_history() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let client = |name: &str| {
        json!([{
            "sample": false, "name": name, "category": "Rail", "location": "Tulsa",
            "state": "oklahoma",
        }])
    };
    editor.show(0, "clients", &client("Tulsa Rail")).await;
    editor.show(1, "clients", &client("Osage Freight")).await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    editor.show(2, "clients", &client("Later Lines")).await;

    let folder = Arc::new(tempfile::tempdir().unwrap());
    put_back(&app, &backup, folder.path(), None).unwrap();
    let again = app.on(folder).await;
    let home = get(&again, "/").await.text().await.unwrap();
    assert!(home.contains("Osage Freight") && !home.contains("Later Lines"));
    let token = again.sign_in("ada@guard.example").await.access_token;
    let back = again
        .http
        .post(again.url("/api/admin/site/back"))
        .bearer_auth(token)
        .json(&json!({ "version": 2, "to": 1 }));
    assert_eq!(back.send().await.unwrap().status(), 200);
    let home = get(&again, "/").await.text().await.unwrap();
    assert!(home.contains("Tulsa Rail"));
}

#[tokio::test]
async fn a_restored_server_knows_everybody_and_sends_nothing_twice() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let secured = with_factor(&app, admin.clone()).await;
    let old_session = secured.person.refresh_token.clone();
    app.stored(json!({"location": "Lot 1"})).await;
    fs::create_dir(app.folder.path().join("media")).unwrap();
    fs::write(app.folder.path().join("media/hero.jpg"), "a picture").unwrap();
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    // Sent after the backup was made: the copy has the email as due.
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);

    let folder = Arc::new(tempfile::tempdir().unwrap());
    let restored = put_back(&app, &backup, folder.path(), None).unwrap();
    assert_eq!(restored.prepared.held_emails, 1);
    assert!(restored.prepared.sessions >= 1);
    assert_eq!(
        fs::read(folder.path().join("media/hero.jpg")).unwrap(),
        b"a picture"
    );
    let again = app.on(folder).await;
    assert_eq!(again.rows("quotes").await, 1);
    again.run_outbox().await;
    assert_eq!(again.mailbox().len(), 0, "the email may have been sent");

    let refresh = json!({ "refresh_token": old_session });
    let path = "/token?grant_type=refresh_token";
    let refused = again
        .auth_call(Method::POST, path, None, Some(refresh))
        .await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    again.clock.advance(60_000);
    let person = again.sign_in("ada@guard.example").await;
    let code = totp_code(&again, &secured.secret, 0);
    let session = verify_factor(&again, &person, &secured.factor, &code)
        .await
        .ok();
    assert_eq!(session["aal"], "aal2", "{PASSWORD} and the code work");

    let cli = Cli::on_data_of(&again);
    let held = cli.run_ok(&["outbox", "list", "--held"]);
    assert!(
        held.contains("held") && held.contains("to the office about "),
        "{held}"
    );
    assert!(
        cli.run_ok(&["outbox", "list"])
            .contains("0 waiting, 0 failed, 1 held")
    );
    let refused = cli.run_err(&["outbox", "release", "--all"]);
    assert!(refused.contains("is a drill"), "{refused}");
    cli.run_ok(&["promote"]);
    assert_eq!(
        cli.run_ok(&["outbox", "retry", "--all"]),
        "0 emails are due now\n"
    );
    let id = held.split_whitespace().next().unwrap();
    assert!(
        cli.run_err(&["outbox", "retry", id])
            .contains("outbox release")
    );
    assert!(
        cli.run_err(&["outbox", "release", "7"])
            .contains("no email 7 is held")
    );
    assert_eq!(
        cli.run_ok(&["outbox", "release", id]),
        "1 email is due now\n"
    );
    again.clock.advance(365 * 24 * 60 * 60 * 1000);
    again.run_outbox().await;
    assert_eq!(again.mailbox().len(), 1);
}

#[tokio::test]
async fn a_restored_server_sends_no_report_again() {
    let app = TestApp::with(|config| {
        config.mail.report_to = vec!["owner@guard.example".into()];
    })
    .await;
    app.reports().send_due().await.unwrap();
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    // Monday, 8 o'clock.
    app.clock.advance(50 * 60 * 60 * 1000);
    assert_eq!(app.reports().send_due().await.unwrap(), 1);

    let folder = Arc::new(tempfile::tempdir().unwrap());
    put_back(&app, &backup, folder.path(), None).unwrap();
    let again = app.on(folder).await;
    assert_eq!(again.reports().send_due().await.unwrap(), 0);
    again.clock.advance(7 * 24 * 60 * 60 * 1000);
    assert_eq!(again.reports().send_due().await.unwrap(), 1, "the next one");
}

#[tokio::test]
async fn an_erased_person_is_erased_again_by_the_restore_of_an_older_backup() {
    let app = TestApp::start().await;
    // One of their files, and one that another person has sent.
    let grant = app.grant().await;
    app.add_file(&grant, "own.pdf", PDF).await;
    let shared = [PDF, b"shared"].concat();
    app.add_file(&grant, "shared.pdf", &shared).await;
    let other = app.grant_of("someone@else.example").await;
    app.add_file(&other, "shared.pdf", &shared).await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let cli = Cli::on_data_of(&app);
    let to = format!("[backup]\nto = {:?}\n", backups.path());
    let config = fs::read_to_string(cli.path("config.toml")).unwrap();
    fs::write(cli.path("config.toml"), config + &to).unwrap();
    // The command uses the clock of the system: the requests are older.
    cli.run_ok(&["person", "erase", "Maria@property.example", "--yes"]);
    assert_eq!(app.rows("quotes").await, 1);

    let target = tempfile::tempdir().unwrap();
    let folder = Arc::new(tempfile::tempdir_in(target.path()).unwrap());
    let restored = put_back(&app, &backup, folder.path(), None).unwrap();
    assert_eq!(
        (restored.prepared.erased, restored.unknown_erasures),
        (1, 0)
    );
    let again = app.on(folder.clone()).await;
    assert_eq!(again.rows("quotes").await, 1);
    assert_eq!(again.stored_files(), [hex::encode(Sha256::digest(&shared))]);
    // From the restored folder's own ledger, even without the one beside the backups.
    let later = back_up(&again, &target.path().join("later"), None).unwrap();
    let ledger = fs::read_to_string(later.join("erasures.jsonl")).unwrap();
    assert!(
        ledger.lines().count() == 1 && !ledger.contains("maria"),
        "{ledger}"
    );
}
