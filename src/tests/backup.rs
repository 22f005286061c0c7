//! Backups: made beside a busy server, never half there, verified, and restored to a server that
//! serves at once.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardpost::app::{key_fingerprint, maintenance};
use guardpost::backup::key::BackupKey;
use guardpost::backup::{
    Entry, Manifest, Place, Progress, Restored, Source, create, list, newest, proof, restore,
    verify,
};
use guardpost::store::key_files::KeyFile;
use guardpost::store::maintenance::Job;
use reqwest::{Method, StatusCode};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::app::TestApp;
use crate::auth::factors::{totp_code, verify_factor, with_factor};
use crate::cli_process::Cli;
use crate::content::Editor;
use crate::pages::get;
use crate::people::PASSWORD;
use crate::visitors::{json, quote};

pub fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Makes a backup of the data of `app` in the folder `to`; returns its folder.
fn back_up(app: &TestApp, to: &Path, key: Option<&BackupKey>) -> anyhow::Result<PathBuf> {
    Ok(folder(&create_backup(app, &to.into(), key)?.place))
}

/// Makes a backup of the data of `app` in any place.
pub fn create_backup(app: &TestApp, to: &Place, key: Option<&BackupKey>) -> anyhow::Result<Entry> {
    let settings = app.config.without_secrets()?;
    let source = Source {
        data: app.folder.path(),
        settings: &settings,
        key,
        fingerprint: key_fingerprint,
        now: app.clock.now(),
    };
    create(&source, to, &mut go_on)
}

fn folder(place: &Place) -> PathBuf {
    place.folder().unwrap().to_owned()
}

/// The newest backup in the folder `to`.
fn newest_in(to: &Path) -> PathBuf {
    folder(&newest(&to.into()).unwrap())
}

fn verify_folder(backup: &Path, key: Option<&BackupKey>) -> anyhow::Result<Manifest> {
    verify(&backup.into(), key, &mut go_on)
}

/// Restores `from` to `to`.
fn put_back(
    app: &TestApp,
    from: &Path,
    to: &Path,
    key: Option<&BackupKey>,
) -> anyhow::Result<Restored> {
    let with = (key_fingerprint as _, app.clock.now());
    restore(&from.into(), key, to, &[], with, &mut go_on)
}

/// The error of something that must fail.
pub fn refusal<T>(result: anyhow::Result<T>) -> String {
    match result {
        Ok(_) => panic!("it was accepted"),
        Err(error) => format!("{error:#}"),
    }
}

pub fn new_key(folder: &TempDir) -> BackupKey {
    let path = folder.path().join(format!(
        "key-{}",
        fs::read_dir(folder.path()).unwrap().count()
    ));
    BackupKey::create(&path).unwrap();
    BackupKey::read(&path).unwrap()
}

/// The paths of all files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

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
    editor.show(&app, 0, "clients", &client("Tulsa Rail")).await;
    editor
        .show(&app, 1, "clients", &client("Osage Freight"))
        .await;
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    editor
        .show(&app, 2, "clients", &client("Later Lines"))
        .await;

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
    // Sent after the backup was made: the copy knows the email as due.
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
async fn each_of_a_thousand_flipped_bytes_is_refused() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for key in [None, Some(&key)] {
        let backups = tempfile::tempdir().unwrap();
        let backup = back_up(&app, backups.path(), key).unwrap();
        verify_folder(&backup, key).unwrap();
        let files = files(&backup);
        assert!(files.len() >= 6, "{files:?}");
        for n in 0..500 {
            // Each file in turn, since most bytes are those of the database.
            let file = &files[n % files.len()];
            let whole = fs::read(file).unwrap();
            let mut flipped = whole.clone();
            let at = random(whole.len());
            flipped[at] ^= 1 << random(8);
            fs::write(file, flipped).unwrap();
            let found = verify_folder(&backup, key);
            assert!(found.is_err(), "byte {at} of {}", file.display());
            fs::write(file, whole).unwrap();
        }
        verify_folder(&backup, key).unwrap();
    }
}

#[tokio::test]
async fn a_restore_names_what_is_wrong_and_leaves_nothing_behind() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let (keys, backups, target) = (
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    let (key, other) = (new_key(&keys), new_key(&keys));
    let backup = back_up(&app, backups.path(), Some(&key)).unwrap();
    let to = target.path().join("data");
    let refused = |key: Option<&BackupKey>, to: &Path| refusal(put_back(&app, &backup, to, key));

    assert!(refused(None, &to).contains("the backup is sealed"));
    assert!(refused(Some(&other), &to).contains("sealed with another key"));
    let in_use = refused(Some(&key), app.folder.path());
    assert!(in_use.contains("a data folder in use"), "{in_use}");
    assert!(refused(Some(&key), keys.path()).contains("is not empty"));

    let part = backup.join("address.key.sealed");
    let whole = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    assert!(refused(Some(&key), &to).contains("`address.key` of the backup is missing"));
    fs::write(&part, &whole[1..]).unwrap();
    assert!(refused(Some(&key), &to).contains("`address.key` of the backup is damaged"));
    fs::write(&part, &whole).unwrap();
    assert!(
        files(target.path()).is_empty(),
        "{:?}",
        files(target.path())
    );
    put_back(&app, &backup, &to, Some(&key)).unwrap();
    for name in [
        "guardpost.db",
        "address.key",
        "auth-keys.json",
        "settings.toml",
    ] {
        assert!(to.join(name).is_file(), "{name}");
    }
    let plain = fs::read(backup.join("guardpost.db.sealed")).unwrap();
    assert!(
        !plain.windows(5).any(|bytes| bytes == b"Bayou"),
        "sealed parts reveal nothing"
    );
    assert!(
        !files(app.folder.path())
            .iter()
            .any(|path| path.to_string_lossy().contains(".snapshot"))
    );
}

#[tokio::test]
async fn a_backup_of_a_newer_program_is_refused() {
    let app = TestApp::start().await;
    let backups = tempfile::tempdir().unwrap();
    let conn = |conn: &rusqlite::Connection| Ok(conn.pragma_update(None, "user_version", 999)?);
    app.store.write(conn).await.unwrap();
    let refused = refusal(back_up(&app, backups.path(), None));
    assert!(refused.contains("schema 999"), "{refused}");

    let conn = |conn: &rusqlite::Connection| {
        Ok(conn.pragma_update(None, "user_version", guardpost::store::SCHEMA_VERSION)?)
    };
    app.store.write(conn).await.unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let manifest = backup.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let schema = format!("\"schema\": {}", guardpost::store::SCHEMA_VERSION);
    let newer = text.replace(&schema, "\"schema\": 999");
    assert_ne!(newer, text);
    let sums = fs::read_to_string(backup.join("SHA256SUMS")).unwrap();
    let digest = |text: &str| {
        use sha2::{Digest, Sha256};
        hex::encode(Sha256::digest(text.as_bytes()))
    };
    fs::write(&manifest, &newer).unwrap();
    fs::write(
        backup.join("SHA256SUMS"),
        sums.replace(&digest(&text), &digest(&newer)),
    )
    .unwrap();
    let to = backups.path().join("data");
    let refused = refusal(put_back(&app, &backup, &to, None));
    assert!(
        refused.contains("schema 999") && refused.contains("install that version"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_stopped_backup_leaves_nothing_and_a_second_one_waits_for_nobody() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let backups = tempfile::tempdir().unwrap();
    let settings = String::new();
    let source = Source {
        data: app.folder.path(),
        settings: &settings,
        key: None,
        fingerprint: key_fingerprint,
        now: app.clock.now(),
    };
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
        let left: Vec<_> = fs::read_dir(backups.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "only the lock: {left:?}");
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
    let source = Source {
        data: app.folder.path(),
        settings: "",
        key: None,
        fingerprint: key_fingerprint,
        now: app.clock.now(),
    };
    let mut checks = 0;
    let stopped = create(&source, &backups.path().into(), &mut |progress| {
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

const HOUR: i64 = 60 * 60 * 1000;

/// Checks a key file as usual; fails where other work has no precedence over the caller's.
fn fingerprint_at_lowest_priority(file: KeyFile, text: &str) -> anyhow::Result<String> {
    let stat = fs::read_to_string("/proc/thread-self/stat")?;
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let policy = fields.split_whitespace().nth(38);
    anyhow::ensure!(policy == Some("5"), "{policy:?} is not SCHED_IDLE");
    key_fingerprint(file, text)
}

#[tokio::test]
async fn the_server_backs_up_and_proves_by_itself_and_tells_of_a_failure_once_a_day() {
    let backups = tempfile::tempdir().unwrap();
    let to = backups.path().join("all");
    let app = TestApp::with(|config| {
        config.backup.to = to.to_str().unwrap().to_owned();
        config.backup.every_hours = 6;
        config.backup.keep_days = 1;
        config.backup.keep_weeks = 0;
        config.backup.keep_months = 0;
    })
    .await;
    app.stored(json!({})).await;
    app.clock.advance(HOUR);
    let mut schedule = maintenance(&app.config, app.store.clone(), app.clock.clone()).unwrap();
    schedule.fingerprint = fingerprint_at_lowest_priority;
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

    fs::remove_dir_all(&to).unwrap();
    fs::write(&to, "a file").unwrap();
    for hours in [6, 1, 1] {
        app.clock.advance(hours * HOUR);
        schedule.run_due().await;
    }
    let failed = last(Job::Backup).await;
    assert!(!failed.ok && failed.succeeded_at.is_some(), "{failed:?}");
    app.run_outbox().await;
    let told = |app: &TestApp| {
        let about = |mail: &&crate::mail::Mail| mail.subject.contains("The website's backup fails");
        app.mailbox().iter().filter(about).count()
    };
    assert_eq!(told(&app), 1, "{:?}", app.mailbox());
    app.clock.advance(25 * HOUR);
    schedule.run_due().await;
    app.run_outbox().await;
    assert_eq!(told(&app), 2, "once a day");
    fs::remove_file(&to).unwrap();
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
        let with = (key_fingerprint as _, app.clock.now());
        proof::prove(
            app.folder.path(),
            &backups.path().into(),
            None,
            with,
            &mut go_on,
        )
    };
    prove().unwrap();
    let change = |conn: &rusqlite::Connection| {
        Ok(conn.execute("UPDATE quotes SET location = 'elsewhere'", [])?)
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
async fn an_erased_person_is_erased_again_by_the_restore_of_an_older_backup() {
    let app = TestApp::start().await;
    app.stored(json!({"location": "Erased Street"})).await;
    app.stored(json!({"email": "someone@else.example"})).await;
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
    // From the restored folder's own ledger, even without the one beside the backups.
    let later = back_up(&again, &target.path().join("later"), None).unwrap();
    let ledger = fs::read_to_string(later.join("erasures.jsonl")).unwrap();
    assert!(
        ledger.lines().count() == 1 && !ledger.contains("maria"),
        "{ledger}"
    );
}

#[tokio::test]
async fn backups_are_made_listed_verified_and_restored_by_command() {
    let app = TestApp::start().await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let cli = Cli::on_data_of(&app);
    assert!(cli.run_err(&["backup"]).contains("backup.to"));
    cli.run_ok(&["backup-key", "backup.key"]);
    assert!(
        cli.run_err(&["backup-key", "backup.key"])
            .contains("cannot create")
    );
    let sealed = ["--key-file", "backup.key"];
    cli.run_ok(&[&["backup", "--to", "all"], &sealed[..]].concat());
    let line: Value =
        serde_json::from_str(&cli.run_ok(&["list-backups", "--from", "all", "--json"])).unwrap();
    assert_eq!(
        (&line["sealed"], &line["counts"]["quotes"]),
        (&json!(true), &json!(1))
    );
    assert!(
        cli.run_ok(&["list-backups", "--from", "all"])
            .contains("1 quotes")
    );
    let intact = cli.run_ok(&[&["verify-backup", "all"], &sealed[..]].concat());
    assert!(intact.contains("all intact"), "{intact}");
    let restored = cli.run_ok(&[&["restore", "all", "--to", "new"], &sealed[..]].concat());
    assert!(restored.contains("1 email held"), "{restored}");
    assert!(
        cli.run_err(&[&["restore", "all", "--to", "new"], &sealed[..]].concat())
            .contains("in use")
    );
    let check = cli.run_ok(&["check", "--data", "new", "--config", "new/settings.toml"]);
    assert!(check.contains("1 email held since a restore"), "{check}");
    let quotes = cli.run_ok(&["export-quotes", "--format", "jsonl", "--data", "new"]);
    assert_eq!(quotes.lines().count(), 1);
    let run = app.store.last_run(Job::Backup).await.unwrap().unwrap();
    assert!(run.ok && run.detail.contains("guardpost-2"), "{run:?}");
}

#[tokio::test]
async fn a_server_that_holds_mail_sends_none_until_it_starts_without() {
    use crate::cli_process::ServerProcess;
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &["--hold-mail"]);
    let http = reqwest::Client::new();
    let (origin, lead) = (server.origin(), quote(json!({})));
    let asked = crate::visitors::ask(&http, &origin, "198.51.100.1", None, &lead);
    assert_eq!(asked.await.unwrap().status(), StatusCode::CREATED);
    let (ok, log) = server.stop("-TERM");
    assert!(ok && log.contains("emails are held"), "{log}");
    assert!(
        cli.run_ok(&["outbox", "list"])
            .contains("1 waiting, 0 failed")
    );
    let server = ServerProcess::start(&cli, &[]);
    while !cli.run_ok(&["outbox", "list"]).contains("0 waiting") {
        tokio::task::yield_now().await;
    }
    server.stop("-TERM");
    // The office's notice and the visitor's acknowledgement.
    assert_eq!(fs::read_dir(cli.path("data/mail")).unwrap().count(), 2);
}

#[tokio::test]
async fn what_the_settings_of_a_backup_hold_can_be_read_again_and_is_no_secret() {
    let app = TestApp::with(|config| {
        config.company.name = "Night Watch".to_owned();
        config.mail.smtp_password = guardpost::config::Secret::new("hunter2");
        config.s3.secret_access_key = guardpost::config::Secret::new("hunter3");
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
    let mut read = guardpost::config::Config::load(Some(&file), std::iter::empty());
    if let Err(error) = &read {
        // The tests hash passwords with less memory than the settings allow.
        assert!(format!("{error:#}").contains("argon2"), "{error:#}");
        let text = text.replace("argon2_memory_kib = 8", "argon2_memory_kib = 19456");
        fs::write(
            &file,
            text.replace("argon2_iterations = 1", "argon2_iterations = 2"),
        )
        .unwrap();
        read = guardpost::config::Config::load(Some(&file), std::iter::empty());
    }
    assert_eq!(read.unwrap().company.name, "Night Watch");
    let health = app.http.get(app.url("/readyz")).send().await.unwrap();
    assert_eq!(json(health).await["status"], "ok");
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
    let schedule = maintenance(&app.config, app.store.clone(), app.clock.clone()).unwrap();
    schedule.run_due().await;
    let backup = newest_in(&to);
    assert!(backup.join("guardpost.db.sealed").is_file());
    let proof = app.store.last_run(Job::Proof).await.unwrap().unwrap();
    assert!(proof.ok, "{}", proof.detail);
    assert!(refusal(verify_folder(&backup, None)).contains("sealed"));
}
