//! Backups that the server makes and proves by itself.

use std::fs;

use backup::list;
use backup::proof;
use backup::sealing::key::BackupKey;
use guardpost::app::key_fingerprint;
use serde_json::json;
use store::database::maintenance::Job;

use super::{back_up, back_up_by_hand, files, go_on, keep, newest_in, refusal, verify_folder};
use crate::support::app::TestApp;

const HOUR: i64 = 60 * 60 * 1000;

#[tokio::test]
async fn the_server_backs_up_and_proves_by_itself_and_tells_of_a_failure_once_a_day() {
    let backups = tempfile::tempdir().unwrap();
    let to = backups.path().join("all");
    let app = TestApp::with(|config| {
        config.backup.to = to.to_str().unwrap().to_owned();
        config.backup.every_hours = 6;
    })
    .await;
    app.stored(json!({})).await;
    app.clock.advance(HOUR);
    let mut schedule = app.maintenance();
    schedule.keep = keep(0, 1);
    let last = async |job| app.store.last_run(job).await.unwrap().unwrap();
    schedule.run_due().await;
    let proof = last(Job::Proof).await;
    assert!(proof.ok, "{}", proof.detail);
    assert!(
        proof.detail.contains("its newest 1 requests equal"),
        "{}",
        proof.detail
    );
    let first = newest_in(&to);
    schedule.run_due().await;
    assert_eq!(newest_in(&to), first, "none is due");
    app.clock.advance(6 * HOUR);
    schedule.run_due().await;
    assert_ne!(newest_in(&to), first);
    assert_eq!(
        list(&to.as_path().into()).unwrap().len(),
        1,
        "one of this day is kept"
    );

    let aside = backups.path().join("aside");
    fs::rename(&to, &aside).unwrap();
    fs::write(&to, "a file").unwrap();
    for hours in [6, 1, 1] {
        app.clock.advance(hours * HOUR);
        schedule.run_due().await;
    }
    let failed = last(Job::Backup).await;
    assert!(!failed.ok && failed.succeeded_at.is_some(), "{failed:?}");
    app.run_outbox().await;
    let told = |app: &TestApp| {
        let about = |mail: &&crate::support::mail::Mail| {
            mail.subject.contains("The website's backup is failing")
        };
        app.mailbox().iter().filter(about).count()
    };
    assert_eq!(told(&app), 1, "{:?}", app.mailbox());
    app.clock.advance(25 * HOUR);
    schedule.run_due().await;
    app.run_outbox().await;
    assert_eq!(told(&app), 2, "once a day");
    fs::remove_file(&to).unwrap();
    fs::rename(&aside, &to).unwrap();
    app.clock.advance(HOUR);
    schedule.run_due().await;
    assert!(last(Job::Backup).await.ok && last(Job::Proof).await.ok);
}

#[tokio::test]
async fn the_proof_fails_if_the_newest_backup_lacks_a_request_or_cannot_be_restored() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    app.clock.advance(HOUR);
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let prove = || {
        proof::prove(
            app.folder.path(),
            &backups.path().into(),
            None,
            key_fingerprint,
            app.clock.now(),
            &mut go_on,
        )
    };
    prove().unwrap();
    let change = |conn: &rusqlite::Connection| {
        Ok(conn.execute("UPDATE requests SET location = 'elsewhere'", [])?)
    };
    app.store.write(change).await.unwrap();
    assert!(refusal(prove()).contains("lacks 1 of the newest 1 requests"));
    let keys = backup.join("auth-keys.json");
    fs::write(&keys, "{}").unwrap();
    assert!(refusal(prove()).contains("`auth-keys.json` of the backup is damaged"));
    assert!(
        !files(app.folder.path())
            .iter()
            .any(|path| path.to_string_lossy().contains(".proof"))
    );
}

#[tokio::test]
async fn scheduled_backups_are_sealed_with_the_key_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("backup.key");
    BackupKey::create(&key).unwrap();
    let to = folder.path().join("all");
    let app = TestApp::with(|config| {
        config.backup.to = to.to_str().unwrap().to_owned();
        config.backup.key_file = key.to_str().unwrap().to_owned();
    })
    .await;
    let schedule = app.maintenance();
    schedule.run_due().await;
    let sealing_key = BackupKey::read(&key).unwrap();
    let to = backup::newest(&to.as_path().into(), Some(&sealing_key)).unwrap();
    let backup = to.place.folder().unwrap();
    assert!(backup.join("guardpost.db.age").is_file());
    let proof = app.store.last_run(Job::Proof).await.unwrap().unwrap();
    assert!(proof.ok, "{}", proof.detail);
    assert!(refusal(verify_folder(backup, None)).contains("sealed"));
}

#[tokio::test]
async fn a_backup_by_hand_is_kept_for_seven_days_beside_those_of_the_schedule() {
    let backups = tempfile::tempdir().unwrap();
    let app = TestApp::with(|config| {
        config.backup.to = backups.path().to_str().unwrap().to_owned();
        config.backup.every_hours = 1;
    })
    .await;
    let mut schedule = app.maintenance();
    schedule.keep = keep(2, 1);
    schedule.run_due().await;
    let scheduled = newest_in(backups.path());
    app.clock.advance(HOUR / 6);
    // In the hour of the first, and in place of none.
    let by_hand = back_up_by_hand(&app, backups.path(), keep(2, 1));
    let manifest = fs::read_to_string(by_hand.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"by_hand\": true"), "{manifest}");
    assert!(scheduled.exists() && by_hand.exists());
    // It does not put the next one off.
    app.clock.advance(HOUR * 5 / 6);
    schedule.run_due().await;
    assert_eq!(list(&backups.path().into()).unwrap().len(), 3);
    for _ in 0..6 {
        app.clock.advance(24 * HOUR);
        schedule.run_due().await;
    }
    assert!(by_hand.exists() && !scheduled.exists());
    app.clock.advance(24 * HOUR);
    schedule.run_due().await;
    assert!(!by_hand.exists());
    app.clock.advance(HOUR);
    let last = back_up_by_hand(&app, backups.path(), keep(2, 1));
    app.clock.advance(30 * 24 * HOUR);
    back_up_by_hand(&app, backups.path(), keep(2, 1));
    assert!(!last.exists());
}
