//! Stored files that have not changed are not copied again, and damage in an earlier backup does
//! not spread.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use backup::sealing::key::BackupKey;

use super::{back_up, new_key, put_back, verify_folder};
use crate::storage::PDF;
use crate::support::app::TestApp;

const HOUR: i64 = 60 * 60 * 1000;

/// The only stored file below `folder`.
fn stored_file(folder: &Path) -> PathBuf {
    let inside = |folder: &Path| {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let shards = inside(&folder.join("files")).filter(|path| !path.ends_with("tmp"));
    let mut files = shards.flat_map(|shard| inside(&shard).collect::<Vec<_>>());
    let file = files.next().unwrap();
    assert!(files.next().is_none());
    file
}

fn inode(file: &Path) -> u64 {
    fs::metadata(file).unwrap().ino()
}

/// Two backups of one stored file, an hour apart, without a key and with one. `before` gets the
/// stored file, `between` also the first backup, and `check` both backups.
async fn twice(
    before: impl Fn(&Path),
    between: impl Fn(&Path, &Path),
    check: impl Fn(&TestApp, &Path, &Path, Option<&BackupKey>),
) {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let original = stored_file(app.folder.path());
    let (folder, keys) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let key = new_key(&keys);
    for (place, key) in [("open", None), ("sealed", Some(&key))] {
        let to = folder.path().join(place);
        before(&original);
        let first = back_up(&app, &to, key).unwrap();
        between(&original, &first);
        app.clock.advance(HOUR);
        let second = back_up(&app, &to, key).unwrap();
        verify_folder(&second, key).unwrap();
        check(&app, &first, &second, key);
    }
}

/// Checks that a backup has the file as it was stored.
fn has_original(app: &TestApp, backup: &Path, key: Option<&BackupKey>) {
    let folder = tempfile::tempdir().unwrap();
    let restored = folder.path().join("data");
    put_back(app, backup, &restored, key).unwrap();
    assert_eq!(fs::read(stored_file(&restored)).unwrap(), PDF);
}

#[tokio::test]
async fn an_unchanged_file_is_a_link_to_that_of_the_backup_before() {
    let check = |app: &TestApp, first: &Path, second: &Path, key: Option<&BackupKey>| {
        assert_eq!(inode(&stored_file(first)), inode(&stored_file(second)));
        // Each is whole without the other.
        fs::remove_dir_all(first).unwrap();
        has_original(app, second, key);
    };
    twice(|_| {}, |_, _| {}, check).await;
}

#[tokio::test]
async fn a_damaged_file_of_the_backup_before_is_copied_anew() {
    let damage = |_: &Path, first: &Path| {
        let mut bytes = fs::read(stored_file(first)).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(stored_file(first), bytes).unwrap();
    };
    let check = |_: &TestApp, first: &Path, second: &Path, _: Option<&BackupKey>| {
        assert_ne!(inode(&stored_file(first)), inode(&stored_file(second)));
    };
    twice(|_| {}, damage, check).await;
}

#[tokio::test]
async fn a_file_that_was_backed_up_damaged_is_copied_anew_once_it_is_mended() {
    let damage = |original: &Path| fs::write(original, [PDF, b"rot"].concat()).unwrap();
    let mend = |original: &Path, _: &Path| fs::write(original, PDF).unwrap();
    let check = |app: &TestApp, _: &Path, second: &Path, key: Option<&BackupKey>| {
        has_original(app, second, key);
    };
    twice(damage, mend, check).await;
}
