//! The files that the rows of the database name: stored files and photos.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::check::report::Report;
use crate::cli::media;
use crate::cli::output::count_noun::count_noun;
use config::Config;
use s3::ownership::Role;
use storage::contents::Contents;

/// Stored files: a row without bytes is a fault. The server deletes bytes without a row.
pub(super) fn check_contents(config: &Config, mut expected: BTreeSet<String>, report: &mut Report) {
    let folder = &config.data.dir.join("files");
    let contents = Contents::open(
        &config.files,
        &config.s3,
        &config.data.dir,
        // It only lists.
        &Role::Drill(None),
    );
    let listed = match contents.and_then(|contents| Ok(contents.list()?)) {
        Ok(listed) => listed,
        Err(error) => return report.data_fault(folder, format!("cannot be read: {error}")),
    };
    let without_row = listed
        .iter()
        .filter(|file| !expected.remove(&file.sha256))
        .count();
    if !expected.is_empty() {
        let what = format!(
            "the bytes of {} are gone: restore them from a backup; `guardpost files check` names \
             the files",
            count_noun(expected.len(), "file")
        );
        report.data_fault(folder, what);
    }
    if without_row > 0 {
        let text = format!(
            "{}: {} without a row in the database; the server deletes old ones within a day",
            folder.display(),
            count_noun(without_row, "content")
        );
        report.warning("data", text);
    }
}

pub(super) fn check_media(folder: &Path, expected: &BTreeSet<String>, report: &mut Report) {
    let present = match media::file_names(folder) {
        Ok(present) => present,
        Err(error) => return report.data_fault(folder, format!("cannot be read: {error}")),
    };
    for name in expected.difference(&present) {
        report.data_fault(
            &folder.join(name),
            "was present at the last start and is gone: restore it, or restart the server if it \
             was removed on purpose",
        );
    }
    let unreadable = |path: PathBuf| fs::read(&path).err().map(|error| (path, error));
    for (path, error) in present
        .iter()
        .filter_map(|name| unreadable(folder.join(name)))
    {
        report.data_fault(&path, format!("cannot be read: {error}"));
    }
}
