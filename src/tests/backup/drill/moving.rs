//! `files move`: into a bucket and back, with proof, however often it is interrupted.

use std::fs;

use super::{commands, everything};
use crate::storage::PDF;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::s3::TestBucket;

/// Sets `files.to` for commands.
fn set_place(cli: &Cli, from: &str, to: &str) {
    let path = cli.path("config.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (from, to) = (
        format!("[files]\nto = \"{from}\""),
        format!("[files]\nto = \"{to}\""),
    );
    assert!(text.contains(&from));
    fs::write(path, text.replace(&from, &to)).unwrap();
}

#[tokio::test]
async fn files_are_moved_into_a_bucket_and_back_while_the_server_runs() {
    let bucket = TestBucket::create("files-moved").await;
    let settings = bucket.settings();
    let mut app = TestApp::with(|config| config.s3 = settings).await;
    let cli = commands(&app, &bucket);
    let grant = app.grant().await;
    app.add_file(&grant, "a.pdf", PDF).await;
    app.add_file(&grant, "b.pdf", &[PDF, b"b"].concat()).await;
    let (data, to) = (app.stored_files().len(), bucket.address("files"));
    let to_bucket = ["files", "move", "--to", &to];

    // Before the setting is changed, nothing is deleted.
    let moved = cli.run_ok(&to_bucket);
    assert!(
        moved.contains("2 contents copied") && moved.contains("Nothing was deleted"),
        "{moved}"
    );
    let again = cli.run_ok(&[&to_bucket[..], &["--config", "config.toml"]].concat());
    let line = format!("guardpost files move --from data --to {to} --config config.toml");
    assert!(
        again.contains("0 contents copied") && again.contains(&line),
        "{again}"
    );
    assert_eq!((app.stored_files().len(), bucket.names().len()), (data, 2));

    app.config.files.to = to.clone();
    app.restart().await;
    set_place(&cli, "", &to);
    assert!(
        cli.run_ok(&["files", "check"])
            .contains("2 files, 0 lost, 0 contents")
    );
    // As interrupted: one content is missing there, and one is another.
    let names = bucket.names();
    bucket.client().delete(&names[0]).unwrap();
    bucket
        .client()
        .put(&names[1], "not what it should be")
        .unwrap();
    let moved = cli.run_ok(&to_bucket);
    assert!(
        moved.contains("2 contents copied") && moved.contains("2 contents deleted"),
        "{moved}"
    );
    assert!(app.stored_files().is_empty());
    assert_eq!(bucket.names(), names);
    assert!(
        cli.run_ok(&["files", "check"])
            .contains("2 files, 0 lost, 0 contents")
    );

    let back = ["files", "move", "--to", "data", "--from", &to];
    assert!(cli.run_ok(&back).contains("2 contents copied"));
    set_place(&cli, &to, "");
    let moved = cli.run_ok(&back);
    assert!(
        moved.contains("0 contents copied") && moved.contains("2 contents deleted"),
        "{moved}"
    );
    assert!(bucket.names().is_empty());
    assert!(
        cli.run_ok(&["files", "check"])
            .contains("2 files, 0 lost, 0 contents")
    );
}

#[tokio::test]
async fn an_erased_file_is_deleted_in_both_places_and_a_damaged_one_is_not_moved() {
    let bucket = TestBucket::create("files-both").await;
    let settings = bucket.settings();
    let mut app = TestApp::with(|config| config.s3 = settings).await;
    let grant = app.grant().await;
    app.add_file(&grant, "a.pdf", PDF).await;
    app.config.files.to = bucket.address("files");
    app.restart().await;
    let cli = commands(&app, &bucket);
    let to = app.config.files.to.clone();

    let name = app.stored_files().remove(0);
    let file = app.folder.path().join("files").join(&name[..2]).join(&name);
    fs::write(&file, "rotten").unwrap();
    let error = cli.run_err(&["files", "move", "--to", &to]);
    assert!(
        error.contains("1 content damaged") && error.contains(&name),
        "{error}"
    );
    assert!(bucket.names().is_empty() && file.exists());

    // As after a copy with another tool.
    fs::write(&file, PDF).unwrap();
    let object = format!("files/{}/{name}", &name[..2]);
    bucket.client().put(&object, PDF).unwrap();
    cli.run_ok(&["person", "erase", "maria@property.example", "--yes"]);
    app.files.collect_released().await;
    assert!(!file.exists());
    assert!(!everything(&bucket).iter().any(|(name, _)| *name == object));
}
