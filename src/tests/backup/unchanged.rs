//! Stored files that have not changed are not copied again, and damage in an earlier backup does
//! not spread.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

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

#[tokio::test]
async fn an_unchanged_file_is_a_link_to_that_of_the_backup_before() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let folder = tempfile::tempdir().unwrap();
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    for (place, key) in [("open", None), ("sealed", Some(&key))] {
        let to = folder.path().join(place);
        let first = back_up(&app, &to, key).unwrap();
        app.clock.advance(HOUR);
        let second = back_up(&app, &to, key).unwrap();
        let (one, two) = (stored_file(&first), stored_file(&second));
        assert_eq!(inode(&one), inode(&two), "{place}");
        verify_folder(&second, key).unwrap();
        // Each is whole without the other.
        fs::remove_dir_all(&first).unwrap();
        let restored = folder.path().join(format!("{place}-restored"));
        put_back(&app, &second, &restored, key).unwrap();
        assert_eq!(fs::read(stored_file(&restored)).unwrap(), PDF);
    }
}

#[tokio::test]
async fn a_damaged_file_of_the_backup_before_is_copied_anew() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let folder = tempfile::tempdir().unwrap();
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    for (place, key) in [("open", None), ("sealed", Some(&key))] {
        let to = folder.path().join(place);
        let first = back_up(&app, &to, key).unwrap();
        let mut bytes = fs::read(stored_file(&first)).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(stored_file(&first), bytes).unwrap();
        app.clock.advance(HOUR);
        let second = back_up(&app, &to, key).unwrap();
        assert_ne!(inode(&stored_file(&first)), inode(&stored_file(&second)));
        verify_folder(&second, key).unwrap();
    }
}

#[tokio::test]
async fn a_file_that_was_backed_up_damaged_is_copied_anew_once_it_is_mended() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.add_file(&grant, "plan.pdf", PDF).await;
    let folder = tempfile::tempdir().unwrap();
    let keys = tempfile::tempdir().unwrap();
    let key = new_key(&keys);
    let original = stored_file(app.folder.path());
    for (place, key) in [("open", None), ("sealed", Some(&key))] {
        let to = folder.path().join(place);
        fs::write(&original, [PDF, b"rot"].concat()).unwrap();
        back_up(&app, &to, key).unwrap();
        fs::write(&original, PDF).unwrap();
        app.clock.advance(HOUR);
        let second = back_up(&app, &to, key).unwrap();
        let restored = folder.path().join(format!("{place}-restored"));
        put_back(&app, &second, &restored, key).unwrap();
        assert_eq!(fs::read(stored_file(&restored)).unwrap(), PDF);
    }
}
