//! Who can write where backups lie plants one, renames one or makes one rot: what a restore trusts,
//! what it names, and what it does without.

use std::fs;
use std::path::Path;

use backup::{Opening, Place, newest, prune};
use domain::clock::Clock;
use serde_json::{Value, json};

use super::{back_up, files, keep, new_key, newest_in, put_back, refusal};
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

const HOUR: i64 = 60 * 60 * 1000;

#[tokio::test]
async fn with_a_key_an_unsealed_backup_is_refused_unless_it_is_allowed() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let (keys, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = new_key(&keys);
    let sealed = back_up(&app, backups.path(), Some(&key)).unwrap();
    app.clock.advance(HOUR);
    let planted = back_up(&app, backups.path(), None).unwrap();

    let found = newest(&backups.path().into(), Some(&key)).unwrap();
    assert_eq!(found.place.folder(), Some(&*sealed));
    assert_eq!(found.unsealed.len(), 1);
    let target = keys.path().join("data");
    let refused = refusal(put_back(&app, &planted, &target, Some(&key)));
    assert!(
        refused.contains("not sealed") && refused.contains("--allow-unsealed"),
        "{refused}"
    );
    assert!(!target.exists());
    let allowed = Opening {
        key: Some(&key),
        allow_unsealed: true,
    };
    newest(&planted.as_path().into(), allowed).unwrap();
    // It takes the place of no sealed one.
    let place = backups.path().into();
    prune(&place, keep(0, 1), Some(&key), app.clock.now()).unwrap();
    assert!(sealed.exists());

    let cli = Cli::on_data_of(&app);
    cli.run_ok(&["backup-key", "backup.key"]);
    let only_unsealed = tempfile::tempdir().unwrap();
    let from = only_unsealed.path().to_str().unwrap();
    cli.run_ok(&["backup", "--to", from]);
    let restore = ["restore", from, "--to", "new", "--key-file", "backup.key"];
    let refused = cli.run_err(&restore);
    assert!(refused.contains("no sealed backup"), "{refused}");
    assert!(!cli.path("new").exists());
    cli.run_ok(&[&restore[..], &["--allow-unsealed"]].concat());
}

#[tokio::test]
async fn the_newest_backup_is_the_last_one_made_whatever_clock_and_names_say() {
    let mut app = TestApp::start().await;
    let (keys, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = new_key(&keys);
    for key in [None, Some(&key)] {
        let to = backups
            .path()
            .join(if key.is_some() { "sealed" } else { "plain" });
        let now = app.clock.now();
        app.clock = Clock::manual(now.plus_millis(5 * 365 * 24 * HOUR));
        let future = back_up(&app, &to, key).unwrap();
        app.clock = Clock::manual(now);
        let last = back_up(&app, &to, key).unwrap();
        let place = Place::from(to.as_path());
        let found = || newest(&place, key).unwrap().place.to_string();
        assert_eq!(found(), last.display().to_string());

        let renamed = to.join("guardpost-20991231T235959999Z");
        fs::rename(&future, &renamed).unwrap();
        assert_eq!(found(), last.display().to_string());

        prune(&place, keep(0, 0), key, app.clock.now()).unwrap();
        assert!(last.exists() && !renamed.exists());
    }
}

#[tokio::test]
async fn an_unreadable_backup_with_a_later_name_is_not_passed_over_in_silence() {
    let app = TestApp::start().await;
    let backups = tempfile::tempdir().unwrap();
    back_up(&app, backups.path(), None).unwrap();
    app.clock.advance(HOUR);
    let last = newest_in(backups.path());
    let later = back_up(&app, backups.path(), None).unwrap();
    fs::write(later.join("manifest.json"), "{}").unwrap();
    let refused = refusal(newest(&backups.path().into(), None));
    assert!(
        refused.contains("may be the newest") && refused.contains(last.to_str().unwrap()),
        "{refused}"
    );
}

#[tokio::test]
async fn a_rotten_file_is_named_and_left_out_on_demand() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let mail = app.folder.path().join("mail");
    fs::create_dir_all(&mail).unwrap();
    for name in [
        "2026-11-21T12-00-00.000Z-quote-1.eml",
        "2026-11-21T12-00-00.000Z-quote-2.eml",
    ] {
        fs::write(mail.join(name), "Subject: x\r\n\r\ny").unwrap();
    }
    let backups = tempfile::tempdir().unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let rotten: Vec<_> = files(&backup.join("mail"));
    for part in &rotten {
        fs::write(part, "Subject: x\r\n\r\nz").unwrap();
    }
    let cli = Cli::on_data_of(&app);
    let from = backup.to_str().unwrap();
    let refused = cli.run_err(&["restore", from, "--to", "above/new"]);
    let names: Vec<String> = rotten
        .iter()
        .map(|path| path.strip_prefix(&backup).unwrap().display().to_string())
        .collect();
    for name in &names {
        assert!(refused.contains(&format!("--without {name}")), "{refused}");
    }
    assert!(
        !cli.path("above").exists(),
        "a failed restore leaves no folder"
    );
    let database = cli.run_err(&["restore", from, "--to", "new", "--without", "guardpost.db"]);
    assert!(database.contains("cannot be left out"), "{database}");
    let unknown = cli.run_err(&["restore", from, "--to", "new", "--without", "mail/none"]);
    assert!(unknown.contains("no part `mail/none`"), "{unknown}");

    let without = [
        "restore",
        from,
        "--to",
        "new",
        "--without",
        &names[0],
        "--without",
        &names[1],
    ];
    let restored = cli.run(&without);
    assert!(restored.success, "{}", restored.stderr);
    assert!(
        restored
            .stderr
            .contains(&format!("`{}` WAS LEFT OUT", names[0])),
        "{}",
        restored.stderr
    );
    assert!(cli.path("new/guardpost.db").is_file());
    assert!(!cli.path("new").join(&names[0]).exists());
}

#[tokio::test]
async fn the_sequence_goes_on_from_the_backups_of_the_place() {
    let app = TestApp::start().await;
    let backups = tempfile::tempdir().unwrap();
    let sequence = |backup: &Path| -> Value {
        let text = fs::read_to_string(backup.join("manifest.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["sequence"].clone()
    };
    for expected in 1..=3 {
        let backup = back_up(&app, backups.path(), None).unwrap();
        assert_eq!(sequence(&backup), json!(expected));
        app.clock.advance(1000);
    }
}
