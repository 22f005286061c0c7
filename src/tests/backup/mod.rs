//! Backups: made beside a busy server, never half there, verified, and restored to a server that
//! serves at once.

mod bucket;
mod commands;
mod drill;
mod making;
mod places;
mod readme;
mod refusals;
mod restoring;
mod schedule;
mod trust;
mod unchanged;

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use backup::sealing::key::BackupKey;
use backup::{
    Entry, Keep, Manifest, Place, Progress, Restore, Restored, Source, create, newest, restore,
    verify,
};
use guardpost::app::key_fingerprint;
use tempfile::TempDir;

use crate::support::app::TestApp;

pub fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Makes a backup of the data of `app` in the folder `to`; returns its folder.
pub fn back_up(app: &TestApp, to: &Path, key: Option<&BackupKey>) -> anyhow::Result<PathBuf> {
    Ok(folder(&create_backup(app, &to.into(), key)?.place))
}

/// Makes a backup of the data of `app` in any place.
pub fn create_backup(app: &TestApp, to: &Place, key: Option<&BackupKey>) -> anyhow::Result<Entry> {
    let settings = app.config.without_secrets()?;
    let source = Source {
        settings: &settings,
        key,
        ..source(app)
    };
    create(&source, to, &mut go_on)
}

/// The data of `app`, without settings and a key.
fn source(app: &TestApp) -> Source<'_> {
    Source {
        data: app.folder.path(),
        settings: "",
        key: None,
        fingerprint: key_fingerprint,
        by_hand: false,
        now: app.clock.now(),
    }
}

/// Keeps so many hours and days of backups.
fn keep(hours: u32, days: u32) -> Keep {
    Keep {
        hours,
        days,
        weeks: 0,
        months: 0,
    }
}

/// Makes a backup as a person does, and deletes what is not to be kept; returns its folder.
pub fn back_up_by_hand(app: &TestApp, to: &Path, keep: Keep) -> PathBuf {
    let source = Source {
        by_hand: true,
        ..source(app)
    };
    let made = create(&source, &to.into(), &mut go_on).unwrap();
    backup::prune(&to.into(), keep, None, app.clock.now()).unwrap();
    folder(&made.place)
}

fn folder(place: &Place) -> PathBuf {
    place.folder().unwrap().to_owned()
}

/// The newest backup in the folder `to`.
fn newest_in(to: &Path) -> PathBuf {
    folder(&newest(&to.into(), None).unwrap().place)
}

fn verify_folder(backup: &Path, key: Option<&BackupKey>) -> anyhow::Result<Manifest> {
    verify(&backup.into(), key, &mut go_on)
}

/// Restores `from` to `to`.
pub fn put_back(
    app: &TestApp,
    from: &Path,
    to: &Path,
    key: Option<&BackupKey>,
) -> anyhow::Result<Restored> {
    restore_place(app, &from.into(), to, key)
}

/// Restores the backup in any place to `to`.
pub fn restore_place(
    app: &TestApp,
    from: &Place,
    to: &Path,
    key: Option<&BackupKey>,
) -> anyhow::Result<Restored> {
    let order = Restore {
        from,
        opening: key.into(),
        to,
        ledgers: &[],
        without: &[],
        fingerprint: key_fingerprint,
        now: app.clock.now(),
    };
    restore(&order, &mut go_on)
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
