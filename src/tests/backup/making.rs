//! What a backup holds, what prevents one, and what is left of one that is stopped.

use std::fs;
use std::ops::ControlFlow;

use backup::{create, list};
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use super::{back_up, go_on, newest_in, refusal, source};
use crate::support::app::TestApp;
use crate::support::visitors::json;

#[tokio::test]
async fn a_stopped_backup_leaves_nothing_and_a_second_one_waits_for_nobody() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let backups = tempfile::tempdir().unwrap();
    let source = source(&app);
    let mut steps = 0;
    create(&source, &backups.path().into(), &mut |progress| {
        // How often the check of the copy reports depends on how long it takes.
        steps += usize::from(progress.step != "checking the copy");
        ControlFlow::Continue(())
    })
    .unwrap();
    let finished = newest_in(backups.path());
    fs::remove_dir_all(finished).unwrap();
    for stop in 1..=steps {
        let mut left = stop;
        let stopped = create(&source, &backups.path().into(), &mut |progress| {
            left -= usize::from(progress.step != "checking the copy");
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        let refused = refusal(stopped);
        assert!(refused.contains("stopped"), "{stop} of {steps}: {refused}");
        let mut left: Vec<_> = fs::read_dir(backups.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, [".lock", "erasures.jsonl"]);
    }
    // A killed backup leaves a hidden folder; the next one removes it.
    fs::create_dir(backups.path().join(".partial-guardpost-1")).unwrap();
    let mut second = Ok(());
    create(&source, &backups.path().into(), &mut |_| {
        if second.is_ok() {
            second = create(&source, &backups.path().into(), &mut go_on).map(drop);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(refusal(second).contains("another backup"));
    assert!(!backups.path().join(".partial-guardpost-1").exists());
    assert_eq!(list(&backups.path().into()).unwrap().len(), 1);
}

#[tokio::test]
async fn the_check_of_a_copy_can_be_stopped_before_its_end() {
    let app = TestApp::start().await;
    let file = app.folder.path().join("guardpost.db");
    let database = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    let many_rows = "CREATE TABLE filler AS
         WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 300000)
         SELECT n FROM n";
    database.execute_batch(many_rows).unwrap();
    let backups = tempfile::tempdir().unwrap();
    let mut checks = 0;
    let stopped = create(&source(&app), &backups.path().into(), &mut |progress| {
        checks += usize::from(progress.step == "checking the copy");
        match checks {
            // The first report comes before the check, the second from within.
            2 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!(refusal(stopped), "stopped");
    assert_eq!(checks, 2);
}

#[tokio::test]
async fn a_damaged_database_or_foreign_keys_make_no_backup() {
    let app = TestApp::start().await;
    app.admin().await;
    let backups = tempfile::tempdir().unwrap();
    let key = app.folder.path().join("address.key");
    let ours = fs::read(&key).unwrap();
    let other = TestApp::start().await;
    fs::copy(other.folder.path().join("address.key"), &key).unwrap();
    let refused = refusal(back_up(&app, backups.path(), None));
    assert!(
        refused.contains("address.key belongs to another database"),
        "{refused}"
    );
    fs::remove_file(&key).unwrap();
    assert!(refusal(back_up(&app, backups.path(), None)).contains("address.key"));
    fs::write(&key, ours).unwrap();
    back_up(&app, backups.path(), None).unwrap();
}

#[tokio::test]
async fn what_the_settings_of_a_backup_hold_can_be_read_again_and_is_no_secret() {
    let app = TestApp::with(|config| {
        config.company.name = "Night Watch".to_owned();
        config.mail.smtp_password = config::Secret::new("hunter2");
        config.s3.secret_access_key = config::Secret::new("hunter3");
    })
    .await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let file = backup.join("settings.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(
        !text.contains("hunter") && !text.contains("smtp_password ="),
        "{text}"
    );
    let read = config::Config::load(Some(&file), std::iter::empty());
    assert_eq!(read.unwrap().company.name, "Night Watch");
    let health = app.http.get(app.url("/readyz")).send().await.unwrap();
    assert_eq!(json(health).await["status"], "ok");
}
