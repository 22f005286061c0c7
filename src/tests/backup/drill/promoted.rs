//! `promote` makes a drill the production server, and the former one keeps away.

use std::fs;

use storage::sweep::Swept;
use store::database::maintenance::Job;

use super::{everything, production};
use crate::server::system::system;
use crate::storage::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::s3::TestBucket;

/// A drill made of a backup of production, started in this process.
async fn drill(app: &TestApp, cli: &Cli) -> TestApp {
    cli.run_ok(&["backup"]);
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("data");
    cli.run_ok(&["restore", "--to", to.to_str().unwrap()]);
    for entry in fs::read_dir(&to).unwrap() {
        let entry = entry.unwrap();
        fs::rename(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    fs::remove_dir(to).unwrap();
    app.on(folder.into()).await
}

/// A command with the settings of production on the folder of the drill.
fn on<'a>(drill: &'a TestApp, command: &[&'a str]) -> Vec<&'a str> {
    let data = ["--data", drill.folder.path().to_str().unwrap()];
    [command, &data].concat()
}

#[tokio::test]
async fn a_drill_refuses_what_reaches_production_and_keeps_uploads_to_itself() {
    let (app, cli, bucket) = production("drill-refuses").await;
    let grant = app.grant().await;
    app.add_file(&grant, "old.pdf", PDF).await;
    let drill = drill(&app, &cli).await;
    let new = [PDF, b"new"].concat();
    app.add_file(&grant, "new.pdf", &new).await;
    app.grant().await;
    let before = everything(&bucket);

    let to = bucket.address("files");
    let move_files = ["files", "move", "--to", "data", "--from", &to];
    for command in [
        &["backup"][..],
        &["backup", "--to", "elsewhere"],
        &["outbox", "release", "--all"],
        &["outbox", "retry", "--all"],
        &move_files,
    ] {
        let error = cli.run_err(&on(&drill, command));
        let line = on(&drill, &["promote"]).join(" ");
        let has_line = error.contains(&format!("guardpost {line}"));
        assert!(error.contains("is a drill") && has_line, "{error}");
    }
    let check = cli.run(&on(&drill, &["check"])).stdout;
    assert!(check.contains("is a drill, restored"), "{check}");
    assert!(!check.contains("hours ago"), "{check}");
    let admin = drill.admin().await;
    let system = system(&drill, &admin.access_token).await;
    assert!(
        system["problems"][0].as_str().unwrap().contains("a drill"),
        "{system}"
    );

    drill.advance_to_now();
    drill.clock.advance(30 * 24 * 3_600_000);
    drill.maintenance().run_due().await;
    assert!(
        drill
            .store
            .last_run(Job::Retention)
            .await
            .unwrap()
            .is_none()
    );
    let kept = drill.sweep().await;
    let grant = drill.grant().await;
    let sent = drill
        .add_file(&grant, "drill.pdf", &[PDF, b"drill"].concat())
        .await;
    assert!(sent.status().is_success());
    assert_eq!(drill.stored_files().len(), 1, "{kept:?}");
    assert!(everything(&bucket) == before);

    // Promoted, it owns the places, and its uploads are in the bucket.
    let promoted = cli.run_ok(&on(&drill, &["promote"]));
    assert!(
        promoted.contains("is the production server now"),
        "{promoted}"
    );
    assert!(
        promoted.contains("was taken over from the server on"),
        "{promoted}"
    );
    assert!(promoted.contains("1 stored content moved"), "{promoted}");
    assert!(drill.stored_files().is_empty());
    cli.run_ok(&on(&drill, &["backup"]));
    keeps_away(&app, &cli, &bucket).await;
}

#[tokio::test]
async fn a_promotion_takes_over_every_place_of_backups_that_is_there() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    for to in ["one", "two", "three"] {
        cli.run_ok(&["backup", "--to", to]);
    }
    cli.run_ok(&["restore", "three", "--to", "new"]);
    fs::rename(cli.path("two"), cli.path("drawer")).unwrap();
    let promoted = cli.run(&["promote", "--data", "new", "--place", "three"]);
    assert!(promoted.success, "{}", promoted.stderr);
    for to in ["one", "three"] {
        let line = format!("{to} was taken over from the server on");
        assert!(promoted.stdout.contains(&line), "{}", promoted.stdout);
        let refused = cli.run_err(&["backup", "--to", to]);
        let line = format!("promote --place {to}`");
        assert!(
            refused.contains("belongs to") && refused.contains(&line),
            "{refused}"
        );
        cli.run_ok(&["backup", "--data", "new", "--to", to]);
    }
    assert!(
        promoted.stderr.contains("two is not there now"),
        "{}",
        promoted.stderr
    );
}

/// The former production server writes and deletes nothing, and says whose the places are.
async fn keeps_away(app: &TestApp, cli: &Cli, bucket: &TestBucket) {
    let before = everything(bucket);
    let error = cli.run_err(&["backup"]);
    let says = |text: &str| text.contains("belongs to the server on") && text.contains("promote");
    assert!(says(&error), "{error}");
    let check = cli
        .run(&["check", "--online", "--dns-server", "127.0.0.1:1"])
        .stdout;
    assert!(says(&check), "{check}");
    app.maintenance().run_due().await;
    let run = app.store.last_run(Job::Backup).await.unwrap().unwrap();
    assert!(!run.ok && says(&run.detail), "{run:?}");
    app.advance_to_now();
    app.clock.advance(30 * 24 * 3_600_000);
    app.sweep().await;
    let restarted = app.beside().await;
    let grant = restarted.grant().await;
    let answer = restarted
        .add_file(&grant, "late.pdf", &[PDF, b"late"].concat())
        .await;
    refused(answer, 503, "503", "SlowDown").await;
    assert!(everything(bucket) == before);
}

#[tokio::test]
async fn a_sweep_spares_what_is_younger_than_the_newest_backup() {
    let (app, cli, bucket) = production("drill-spares").await;
    let grant = app.grant().await;
    app.add_file(&grant, "a.pdf", PDF).await;
    let orphan = format!("files/ab/{}", "ab".repeat(32));
    bucket.client().put(&orphan, "orphan").unwrap();
    // Made two hours after the contents, by the service's clock.
    app.advance_to_before_now(4 * 3_600_000);
    app.maintenance().run_due().await;
    app.clock.advance(30 * 3_600_000);
    assert_eq!(
        app.sweep().await,
        Swept::default(),
        "it is younger than the backup"
    );
    cli.run_ok(&["backup"]);
    assert_eq!(app.sweep().await.contents, 1);
    assert!(!bucket.names().contains(&orphan));
}

#[tokio::test]
async fn a_restore_that_replaces_production_is_no_drill() {
    let (app, cli, _bucket) = production("drill-replaces").await;
    app.grant().await;
    cli.run_ok(&["backup"]);
    cli.run_ok(&["restore", "--to", "new", "--replace-production"]);
    let check = cli.run(&["check", "--data", "new"]).stdout;
    assert!(!check.contains("is a drill"), "{check}");
    // It follows the database of the backup.
    cli.run_ok(&["backup", "--data", "new"]);
    assert!(cli.run_err(&["backup"]).contains("belongs to"));
}
