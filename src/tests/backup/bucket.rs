//! Backups in a bucket.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use backup::list;
use backup::{Place, newest, verify};
use serde_json::json;

use crate::backup::{create_backup, go_on, new_key, refusal, restore_place};
use crate::storage::PDF;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;
use crate::support::s3::TestBucket;

const HOUR: i64 = 60 * 60 * 1000;

fn place(bucket: &TestBucket) -> Place {
    Place::open(Path::new(&bucket.address("all")), &bucket.settings()).unwrap()
}

#[tokio::test]
async fn a_backup_in_a_bucket_is_restored_as_one_in_a_folder() {
    let bucket = TestBucket::create("backup-restored").await;
    let app = TestApp::start().await;
    app.stored(json!({"location": "Bayou Street"})).await;
    // Longer than two parts of a put, and a name that needs quoting.
    let picture: Vec<u8> = (0_u32..)
        .flat_map(u32::to_le_bytes)
        .take(11_000_000)
        .collect();
    fs::create_dir(app.folder.path().join("media")).unwrap();
    fs::write(
        app.folder.path().join("media/50% #1 caf\u{e9}.jpg"),
        &picture,
    )
    .unwrap();
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    let to = place(&bucket);
    for key in [None, Some(&key)] {
        app.clock.advance(HOUR);
        let backup = create_backup(&app, &to, key).unwrap();
        let found = newest(&to, key).unwrap().place;
        assert_eq!(found.to_string(), backup.place.to_string());
        let itself = newest(&found, key).unwrap().place;
        assert_eq!(itself.to_string(), found.to_string());
        verify(&found, key, &mut go_on).unwrap();
        let folder = Arc::new(tempfile::tempdir().unwrap());
        restore_place(&app, &found, folder.path(), key).unwrap();
        let restored = fs::read(folder.path().join("media/50% #1 caf\u{e9}.jpg")).unwrap();
        assert!(restored == picture);
        assert_eq!(app.on(folder).await.rows("quotes").await, 1);
    }
    assert_eq!(list(&to).unwrap().len(), 2);
    let left = fs::read_dir(app.folder.path()).unwrap();
    let hidden = left.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with('.')
    });
    assert_eq!(hidden.count(), 0, "no copy of the database stays");
}

#[tokio::test]
async fn a_backup_in_a_bucket_is_never_half_there() {
    let bucket = TestBucket::create("backup-half").await;
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let to = place(&bucket);
    // Killed ones: without a manifest, they are none. The older one is removed.
    for name in [
        "guardpost-20261119T120000000Z",
        "guardpost-20261121T113000000Z",
    ] {
        let part = format!("all/{name}/guardpost.db");
        bucket.client().put(&part, "half").unwrap();
    }
    assert!(refusal(newest(&to, None)).contains("there is no backup in s3://backup-half/all"));
    let backup = create_backup(&app, &to, None).unwrap();
    assert_eq!(list(&to).unwrap().len(), 1);
    let names = bucket.names();
    assert!(
        !names.iter().any(|name| name.contains("20261119")),
        "{names:?}"
    );
    assert!(
        names.iter().any(|name| name.contains("20261121T1130")),
        "{names:?}"
    );

    let part = format!(
        "{}/address.key",
        backup
            .place
            .to_string()
            .trim_start_matches("s3://backup-half/")
    );
    bucket.client().put(&part, "another key").unwrap();
    let damaged = refusal(verify(&backup.place, None, &mut go_on));
    assert!(
        damaged.contains("`address.key` of the backup is damaged"),
        "{damaged}"
    );
    bucket.client().delete(&part).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("data");
    let missing = refusal(restore_place(&app, &backup.place, &to, None));
    assert!(
        missing.contains("`address.key` of the backup is missing"),
        "{missing}"
    );
}

#[tokio::test]
async fn backups_in_a_bucket_are_made_listed_and_restored_by_command_and_erase_again() {
    let bucket = TestBucket::create("backup-commands").await;
    let app = TestApp::start().await;
    app.stored(json!({"location": "Erased Street"})).await;
    app.stored(json!({"email": "someone@else.example"})).await;
    let cli = Cli::on_data_of(&app);
    let data = fs::read_to_string(cli.path("config.toml")).unwrap();
    let (to, section) = (bucket.address("all"), bucket.section());
    let settings = format!(
        "{data}[server]\nacme_directory = \"http://127.0.0.1:1/\"\n\
         [backup]\nto = \"{to}\"\n{section}secret_access_key_file = \"secret\"\n"
    );
    fs::write(cli.path("config.toml"), settings).unwrap();
    let error = cli.run_err(&["backup"]);
    assert!(error.contains("s3.secret_access_key_file"), "{error}");
    fs::write(cli.path("secret"), "test secret").unwrap();
    let made = cli.run_ok(&["backup"]);
    assert!(
        made.starts_with("s3://backup-commands/all/guardpost-"),
        "{made}"
    );
    let listed = cli.run_ok(&["list-backups"]);
    assert!(
        listed.contains("2 quotes") && listed.contains("s3://"),
        "{listed}"
    );
    assert!(cli.run_ok(&["verify-backup"]).contains("all intact"));
    cli.run_ok(&["person", "erase", "maria@property.example", "--yes"]);
    assert!(bucket.names().contains(&"all/erasures.jsonl".to_owned()));
    let restored = cli.run_ok(&["restore", &to, "--to", "new"]);
    assert!(restored.contains("People erased again: 1"), "{restored}");
    let online = cli.run(&["check", "--online", "--all"]);
    assert!(
        online
            .stdout
            .contains("ok: backup.to: s3://backup-commands/all has 1 backup"),
        "{}",
        online.stdout
    );
}

#[tokio::test]
async fn an_unchanged_file_is_not_uploaded_again() {
    let bucket = TestBucket::create("backup-unchanged").await;
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    let to = place(&bucket);
    create_backup(&app, &to, Some(&key)).unwrap();
    app.clock.advance(HOUR);
    let second = create_backup(&app, &to, Some(&key)).unwrap();
    let names = bucket.names().into_iter();
    let stored: Vec<_> = names
        .filter(|name| name.contains("/files/"))
        .map(|name| bucket.client().get(&name).unwrap())
        .collect();
    // Sealed twice, the bytes would differ.
    assert_eq!(stored.len(), 2);
    assert!(stored[0] == stored[1]);
    verify(&second.place, Some(&key), &mut go_on).unwrap();
}
