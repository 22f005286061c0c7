//! The places of backups: each has its own schedule, is missed when it is not mounted, and gets the
//! ledger of erasures.

use std::fs;
use std::sync::Arc;

use backup::list;

use serde_json::json;
use store::database::maintenance::Job;

use super::{back_up, put_back};
use crate::server::system::system;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

const HOUR: i64 = 60 * 60 * 1000;

#[tokio::test]
async fn a_backup_by_hand_elsewhere_is_not_the_scheduled_one() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("scheduled");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    let cli = Cli::on_data_of(&app);
    let by_hand = folder.path().join("by-hand");
    cli.run_ok(&["backup", "--to", by_hand.to_str().unwrap()]);
    let check = cli.run(&["check"]).stdout;
    assert!(
        check.contains("backup.to: not set") && check.contains("by hand was made 0 hours ago"),
        "{check}"
    );
    let schedule = app.maintenance();
    schedule.run_due().await;
    assert_eq!(list(&to.as_path().into()).unwrap().len(), 1);
    let proof = app.store.last_run(Job::Proof).await.unwrap().unwrap();
    assert!(proof.ok, "{}", proof.detail);

    // The settings name another place: its first backup is due at once.
    let other = folder.path().join("other");
    let mut schedule = app.maintenance();
    schedule.backup.to = other.to_str().unwrap().to_owned();
    schedule.run_due().await;
    assert_eq!(list(&other.as_path().into()).unwrap().len(), 1);
    let places = app.store.backup_places().await.unwrap();
    assert_eq!(places.len(), 3, "{places:?}");
    assert!(
        places
            .iter()
            .filter(|place| place.proved_at.is_some())
            .count()
            == 2
    );
}

#[tokio::test]
async fn a_share_that_is_not_mounted_is_missed_and_the_office_reads_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("share");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    app.stored(json!({})).await;
    let schedule = app.maintenance();
    schedule.run_due().await;
    // Unmounted: the folder below the mount is empty.
    let away = folder.path().join("away");
    fs::rename(&to, &away).unwrap();
    fs::create_dir(&to).unwrap();
    app.clock.advance(25 * HOUR);
    schedule.run_due().await;
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0, "nothing was written");
    let run = app.store.last_run(Job::Backup).await.unwrap().unwrap();
    assert!(!run.ok && run.detail.contains("mounted?"), "{run:?}");
    app.run_outbox().await;
    let told = app.mailbox();
    assert!(
        told.iter()
            .any(|mail| mail.subject.contains("backup is failing")),
        "{told:?}"
    );
    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["person", "erase", "maria@property.example", "--yes"]);
    assert_eq!(fs::read_dir(&to).unwrap().count(), 0, "nothing was written");

    let to = to.to_str().unwrap();
    let refused = cli.run_err(&["backup", "--to", to]);
    assert!(refused.contains("--new-place"), "{refused}");
    cli.run_ok(&["backup", "--to", to, "--new-place"]);
}

#[tokio::test]
async fn backups_in_the_data_folder_are_refused_and_on_its_disk_named() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    let data = app.folder.path().join("backups");
    let refused = cli.run_err(&["backup", "--to", data.to_str().unwrap()]);
    assert!(refused.contains("in the data folder"), "{refused}");
    assert!(!data.exists());
    let config = fs::read_to_string(cli.path("config.toml")).unwrap();
    fs::write(
        cli.path("config.toml"),
        format!("{config}[backup]\nto = {:?}\n", app.folder.path()),
    )
    .unwrap();
    let refused = cli.run(&["check"]).stdout;
    assert!(
        refused.contains("must not be in the data folder"),
        "{refused}"
    );
    let beside = app.folder.path().parent().unwrap().join("beside");
    fs::write(
        cli.path("config.toml"),
        format!("{config}[backup]\nto = {beside:?}\n"),
    )
    .unwrap();
    let check = cli.run(&["check"]).stdout;
    assert!(check.contains("on the same disk as the data"), "{check}");
}

#[tokio::test]
async fn an_erasure_reaches_the_backups_made_by_hand_and_their_emails_in_files() {
    let app = TestApp::start().await;
    let mailer = outbox::mailer::Folder::open(&app.folder.path().join("mail")).unwrap();
    let worker = app.delivery_worker(Arc::new(mailer));
    app.stored(json!({"location": "Erased Street"})).await;
    app.stored(json!({"email": "someone@else.example"})).await;
    while worker.deliver_due().await.unwrap() > 0 {}
    let cli = Cli::on_data_of(&app);
    let (first, second) = (cli.path("first"), cli.path("second"));
    for to in [&first, &second] {
        cli.run_ok(&["backup", "--to", to.to_str().unwrap()]);
    }
    // The second is a disk that lies elsewhere.
    fs::rename(&second, cli.path("elsewhere")).unwrap();
    let erased = cli.run(&["person", "erase", "maria@property.example", "--yes"]);
    assert!(erased.success, "{}", erased.stderr);
    assert!(
        erased.stderr.contains("second is not there now"),
        "{}",
        erased.stderr
    );
    let lacks = "second lack";
    assert!(cli.run(&["check"]).stdout.contains(lacks));
    let token = app.admin().await.access_token;
    let problems = system(&app, &token).await["problems"].to_string();
    assert!(problems.contains(lacks), "{problems}");
    let unknown = cli.run_err(&["backup", "--forget", "third"]);
    assert!(
        unknown.contains("first") && unknown.contains("second"),
        "{unknown}"
    );

    let restored = cli.run(&["restore", "first", "--to", "new"]);
    assert!(
        restored.stdout.contains("People erased again: 1"),
        "{}",
        restored.stdout
    );
    assert!(
        !restored.stderr.contains("no ledger"),
        "{}",
        restored.stderr
    );
    let left: Vec<_> = fs::read_dir(cli.path("new/mail")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    let again = ["person", "erase", "maria@property.example", "--data", "new"];
    assert!(cli.run_ok(&again).contains("Nothing is stored"));

    // Without the ledgers, the restore says so.
    fs::remove_file(cli.path("elsewhere/erasures.jsonl")).unwrap();
    let back = cli.run(&["restore", "elsewhere", "--to", "back"]);
    assert!(
        back.stderr.contains("no ledger of erasures") && back.stderr.contains("--ledger"),
        "{}",
        back.stderr
    );
    let ledger = app.folder.path().join("erasures.jsonl");
    let ledger = ["--ledger", ledger.to_str().unwrap()];
    let given = cli.run(&[&["restore", "elsewhere", "--to", "given"], &ledger[..]].concat());
    assert!(
        given.stdout.contains("People erased again: 1"),
        "{}",
        given.stdout
    );
    let mistyped = cli.run_err(&["restore", "first", "--to", "no", "--ledger", "none.jsonl"]);
    assert!(
        mistyped.contains("there is no ledger none.jsonl"),
        "{mistyped}"
    );

    // The disk is back: the server completes its ledger with the daily jobs.
    fs::rename(cli.path("elsewhere"), &second).unwrap();
    fs::write(second.join("erasures.jsonl"), "").unwrap();
    let schedule = app.maintenance();
    schedule.run_due().await;
    let ledger = fs::read_to_string(second.join("erasures.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 1);
    assert!(!cli.run(&["check"]).stdout.contains(lacks));
    assert_eq!(system(&app, &token).await["problems"], json!([]));

    // Gone for good: it is forgotten.
    fs::remove_dir_all(&second).unwrap();
    cli.run_ok(&["backup", "--forget", "second"]);
    let erase = ["person", "erase", "someone@else.example", "--yes"];
    let erased = cli.run(&erase);
    assert!(
        erased.success && !erased.stderr.contains("second"),
        "{}",
        erased.stderr
    );
}

#[tokio::test]
async fn a_new_machine_begins_its_schedule_where_the_lost_one_made_its_backups() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("share");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    let schedule = app.maintenance();
    schedule.run_due().await;
    // This backup has the record of the one before.
    let away = folder.path().join("away");
    let backup = back_up(&app, &away, None).unwrap();
    let cli = Cli::on_data_of(&app);
    let backup = backup.display().to_string();
    cli.run_ok(&["restore", &backup, "--to", "new", "--replace-production"]);
    fs::remove_dir_all(&to).unwrap();
    let missing = cli.run_err(&["backup", "--to", to.to_str().unwrap()]);
    assert!(
        missing.contains("mounted?"),
        "the old machine misses it: {missing}"
    );
    let made = cli.run_ok(&["backup", "--to", to.to_str().unwrap(), "--data", "new"]);
    assert!(made.contains("guardpost-"), "{made}");
    assert!(to.join("erasures.jsonl").exists());
}

#[tokio::test]
async fn emails_in_files_without_a_row_are_erased_and_stay_away_after_a_restore() {
    let app = TestApp::start().await;
    let mailer = outbox::mailer::Folder::open(&app.folder.path().join("mail")).unwrap();
    let worker = app.delivery_worker(Arc::new(mailer));
    app.stored(json!({"description": "Stra\u{df}e \u{fc}ber maria@property.example"}))
        .await;
    while worker.deliver_due().await.unwrap() > 0 {}
    // As after a retention, or a snapshot that is older than the file.
    let forget = |conn: &rusqlite::Connection| {
        Ok(conn.execute_batch("DELETE FROM outbox; DELETE FROM requests;")?)
    };
    app.store.write(forget).await.unwrap();
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let cli = Cli::on_data_of(&app);
    let erase = ["person", "erase", "maria@property.example", "--yes"];
    let erased = cli.run_ok(&erase);
    assert!(erased.contains("1 file in mail/"), "{erased}");
    assert!(cli.run_ok(&erase).contains("Nothing is stored"));

    let target = tempfile::tempdir().unwrap();
    let to = target.path().join("data");
    fs::copy(
        app.folder.path().join("erasures.jsonl"),
        backups.path().join("erasures.jsonl"),
    )
    .unwrap();
    let restored = put_back(&app, &backup, &to, None).unwrap();
    assert_eq!(restored.erased_emails, 1);
    assert_eq!(fs::read_dir(to.join("mail")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_proof_misses_the_backup_that_was_made_last() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("all");
    let app = TestApp::with(|config| {
        config.backup.to = to.to_str().unwrap().to_owned();
        config.backup.every_hours = 48;
    })
    .await;
    let schedule = app.maintenance();
    schedule.run_due().await;
    app.clock.advance(48 * HOUR);
    schedule.run_due().await;
    fs::remove_dir_all(super::newest_in(&to)).unwrap();
    app.clock.advance(25 * HOUR);
    schedule.run_due().await;
    let proof = app.store.last_run(Job::Proof).await.unwrap().unwrap();
    assert!(
        !proof.ok && proof.detail.contains("it is gone"),
        "{proof:?}"
    );
}
