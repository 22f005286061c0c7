//! Checks the places of stored files and the bucket of backups.

use std::collections::BTreeSet;
use std::path::Path;

use super::report::Report;
use crate::cli::output::count_noun::count_noun;
use backup::Place;
use backup::list;
use config::{Config, SCHEME};
use storage::contents::Contents;

/// Adds a line for each bucket of the settings; with `online`, lists their contents. `expected` are
/// the contents of stored files that the database names.
pub(super) fn examine(
    config: &Config,
    expected: BTreeSet<String>,
    online: bool,
    report: &mut Report,
) {
    if !config.files.to.is_empty() {
        examine_files(config, expected, online, report);
    }
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

/// Compares the contents of stored files that the database names with those in the bucket of the
/// settings, `online`, or in the data folder. One without bytes is a fault; the server deletes
/// bytes without a row.
pub(super) fn examine_files(
    config: &Config,
    mut expected: BTreeSet<String>,
    online: bool,
    report: &mut Report,
) {
    let (topic, place) = match config.files.to.as_str() {
        "" => ("data", config.data.dir.join("files").display().to_string()),
        address => ("files", format!("files.to: {address}")),
    };
    let in_bucket = topic == "files";
    let contents = Contents::open_to_read(&config.files, &config.s3, &config.data.dir);
    let contents = match contents {
        Ok(contents) => contents,
        // The error names the bucket.
        Err(error) if in_bucket => return report.fault(topic, format!("files.to: {error:#}")),
        Err(error) => return report.fault(topic, format!("{place}: {error:#}")),
    };
    if in_bucket && !online {
        return report.fine(topic, format!("{place}; not asked, that takes --online"));
    }
    let listed = match contents.list() {
        Ok(listed) => listed,
        Err(error) => return report.fault(topic, format!("{place} cannot be listed: {error}")),
    };
    let known = count_noun(expected.len(), "content");
    let without_row = listed
        .iter()
        .filter(|content| !expected.remove(&content.name))
        .count();
    let unused = count_noun(without_row, "content");
    if !expected.is_empty() {
        let lost = count_noun(expected.len(), "file");
        let text = format!(
            "{place}: the bytes of {lost} are gone: restore them there from a backup; `guardpost \
             files check` names the files"
        );
        report.fault(topic, text);
    } else if in_bucket {
        let text = format!("{place} has all of {known}, and {unused} without a row");
        report.fine(topic, text);
    }
    if without_row > 0 && !in_bucket {
        let text = format!(
            "{place}: {unused} without a row in the database; the server deletes old ones within \
             a day"
        );
        report.warning(topic, text);
    }
}
