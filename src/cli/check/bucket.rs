//! Checks the buckets of stored files and of backups.

use std::collections::BTreeSet;
use std::path::Path;

use super::report::Report;
use crate::cli::output::count_noun::count_noun;
use backup::Place;
use backup::list;
use config::{Config, SCHEME};
use s3::ownership::Role;
use storage::contents::Contents;

/// Adds a line for each bucket of the settings; with `online`, lists their contents. `expected` are
/// the contents of stored files that the database names.
pub(super) fn examine(
    config: &Config,
    expected: BTreeSet<String>,
    online: bool,
    report: &mut Report,
) {
    examine_files(config, expected, online, report);
    examine_backups(config, online, report);
}

fn examine_backups(config: &Config, online: bool, report: &mut Report) {
    let address = &config.backup.to;
    if !address.starts_with(SCHEME) {
        return;
    }
    let place = match Place::open(Path::new(address), &config.s3) {
        Ok(place) => place,
        Err(error) => return report.fault("backup", format!("backup.to: {error:#}")),
    };
    if !online {
        return;
    }
    match list(&place) {
        Ok(backups) => {
            let backups = count_noun(backups.len(), "backup");
            report.fine("backup", format!("backup.to: {address} has {backups}"));
        }
        Err(error) => report.fault("backup", format!("backup.to: {error:#}")),
    }
}

fn examine_files(
    config: &Config,
    mut expected: BTreeSet<String>,
    online: bool,
    report: &mut Report,
) {
    let address = &config.files.to;
    if address.is_empty() {
        return;
    }
    let contents = match Contents::open(
        &config.files,
        &config.s3,
        &config.data.dir,
        // It only lists.
        &Role::Drill(None),
    ) {
        Ok(contents) => contents,
        Err(error) => return report.fault("files", format!("files.to: {error:#}")),
    };
    if !online {
        let text = format!("files.to: {address}; not asked, that takes --online");
        return report.fine("files", text);
    }
    let listed = match contents.list() {
        Ok(listed) => listed,
        Err(error) => {
            let text = format!("files.to: {address} cannot be listed: {error}");
            return report.fault("files", text);
        }
    };
    let known = expected.len();
    let without_row = listed
        .iter()
        .filter(|content| !expected.remove(&content.sha256))
        .count();
    if !expected.is_empty() {
        let text = format!(
            "files.to: {address} lacks {}: restore them there; `guardpost files check` names the \
             files",
            count_noun(expected.len(), "content")
        );
        return report.fault("files", text);
    }
    let known = count_noun(known, "content");
    let without_row = count_noun(without_row, "content");
    report.fine(
        "files",
        format!("files.to: {address} has all of {known}, and {without_row} without a row"),
    );
}
