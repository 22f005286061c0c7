//! The files that the rows of the database name.

use std::collections::BTreeSet;

use crate::cli::check::report::Report;
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
