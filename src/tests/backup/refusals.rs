//! Backups that are damaged, sealed with another key or newer than the program are refused, and a
//! refused restore leaves nothing behind.

use std::fs;
use std::path::{Path, PathBuf};

use backup::sealing::key::BackupKey;
use serde_json::json;

use super::{back_up, files, new_key, put_back, refusal, verify_folder};
use crate::support::app::TestApp;

#[tokio::test]
async fn each_of_a_thousand_flipped_bytes_is_refused() {
    let app = TestApp::start().await;
    app.stored(json!({})).await;
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    let mut random = fastrand::Rng::with_seed(1);
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
            let at = random.usize(..whole.len());
            flipped[at] ^= 1 << random.u8(..8);
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
    let [keys, backups, target] = std::array::from_fn(|_| tempfile::tempdir().unwrap());
    let (key, other) = (new_key(&keys), new_key(&keys));
    let backup = back_up(&app, backups.path(), Some(&key)).unwrap();
    let to = target.path().join("data");
    let refused = |key: Option<&BackupKey>, to: &Path| refusal(put_back(&app, &backup, to, key));

    assert!(refused(None, &to).contains("the backup is sealed"));
    assert!(refused(Some(&other), &to).contains("sealed with another key"));
    let in_use = refused(Some(&key), app.folder.path());
    assert!(in_use.contains("a data folder in use"), "{in_use}");
    assert!(refused(Some(&key), keys.path()).contains("is not empty"));
    let killed = target.path().join("killed");
    fs::create_dir_all(killed.join(".restoring")).unwrap();
    let line = format!("rm -r {}`", killed.display());
    assert!(refused(Some(&key), &killed).contains(&line));
    fs::remove_dir_all(&killed).unwrap();

    let part = backup.join("address.key.age");
    let whole = fs::read(&part).unwrap();
    fs::remove_file(&part).unwrap();
    assert!(refused(Some(&key), &to).contains("`address.key` of the backup is missing"));
    fs::write(&part, &whole[1..]).unwrap();
    assert!(refused(Some(&key), &to).contains("`address.key` of the backup is damaged"));
    fs::write(&part, &whole).unwrap();
    assert_eq!(files(target.path()), Vec::<PathBuf>::new());
    put_back(&app, &backup, &to, Some(&key)).unwrap();
    for name in [
        "guardpost.db",
        "address.key",
        "auth-keys.json",
        "settings.toml",
    ] {
        assert!(to.join(name).is_file(), "{name}");
    }
    let sealed = fs::read(backup.join("guardpost.db.age")).unwrap();
    assert!(!sealed.windows(5).any(|bytes| bytes == b"Bayou"));
    let is_snapshot = |path: &PathBuf| path.to_string_lossy().contains(".snapshot");
    assert!(!files(app.folder.path()).iter().any(is_snapshot));
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
        Ok(conn.pragma_update(None, "user_version", store::database::schema::VERSION)?)
    };
    app.store.write(conn).await.unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let schema = format!("\"schema\": {}", store::database::schema::VERSION);
    write_as(&backup, &schema, "\"schema\": 999");
    let to = backups.path().join("data");
    let refused = refusal(put_back(&app, &backup, &to, None));
    assert!(
        refused.contains("schema 999") && refused.contains("install that version"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_key_and_a_sealed_backup_of_an_older_program_are_refused_by_name_of_what_opens_them() {
    let app = TestApp::start().await;
    let (keys, backups) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = new_key(&keys);
    let backup = back_up(&app, backups.path(), Some(&key)).unwrap();
    write_as(&backup, "\"format\": 4", "\"format\": 3");
    let refused = refusal(put_back(
        &app,
        &backup,
        &keys.path().join("data"),
        Some(&key),
    ));
    let says = format!("{} opens it", domain::program::build().text);
    assert!(refused.contains(&says), "{refused}");
    let old = keys.path().join("key-0");
    fs::write(&old, format!("guardpost-backup-key-1 {}\n", "0".repeat(64))).unwrap();
    let refused = refusal(BackupKey::read(&old).map(drop));
    assert!(refused.contains("November 29, 2026"), "{refused}");
}

/// Changes the manifest of a backup, and its sum.
fn write_as(backup: &Path, from: &str, to: &str) {
    let manifest = backup.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let changed = text.replace(from, to);
    assert_ne!(changed, text);
    let sums = fs::read_to_string(backup.join("SHA256SUMS")).unwrap();
    let digest = |text: &str| {
        use sha2::{Digest, Sha256};
        hex::encode(Sha256::digest(text.as_bytes()))
    };
    fs::write(&manifest, &changed).unwrap();
    let sums = sums.replace(&digest(&text), &digest(&changed));
    fs::write(backup.join("SHA256SUMS"), sums).unwrap();
}
