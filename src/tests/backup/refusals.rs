//! Backups that are damaged, sealed with another key or newer than the program are refused, and a
//! refused restore leaves nothing behind.

use std::fs;
use std::path::Path;

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
    let killed = target.path().join("killed");
    fs::create_dir_all(killed.join(".restoring")).unwrap();
    let line = format!("rm -r {}`", killed.display());
    assert!(refused(Some(&key), &killed).contains(&line));
    fs::remove_dir_all(&killed).unwrap();

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
        Ok(conn.pragma_update(None, "user_version", store::database::schema::VERSION)?)
    };
    app.store.write(conn).await.unwrap();
    let backup = back_up(&app, backups.path(), None).unwrap();
    let manifest = backup.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let schema = format!("\"schema\": {}", store::database::schema::VERSION);
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
