//! The findings of the checks of the data folder.

use std::collections::BTreeSet;
use std::path::Path;

use domain::content::Sections;
use store::backup_places::BackupPlace;
use store::database::maintenance::{Job, LastRun};
use store::installation::Installation;

/// The findings, one sentence each.
#[derive(Debug, Default)]
pub(in crate::cli::check) struct Findings {
    /// Correct.
    pub fine: Vec<String>,
    /// The server would not start, or data is missing.
    pub faults: Vec<String>,
    /// The next start fixes it, or an operator should check it.
    pub warnings: Vec<String>,
    /// The sections of the published content that differ from the shipped ones.
    pub content: Sections,
    /// The contents of stored files that are in a bucket, by their SHA-256.
    pub contents: BTreeSet<String>,
    /// The identity of the database.
    pub installation: Option<Installation>,
    /// Whether the schema is older than this program, which then knows no more of the database.
    pub is_older: bool,
    /// The last run of each maintenance job.
    pub runs: Vec<(Job, LastRun)>,
    /// The places of backups.
    pub places: Vec<BackupPlace>,
}

impl Findings {
    pub(super) fn fault(&mut self, path: &Path, what: impl AsRef<str>) {
        let fault = format!("{}: {}", path.display(), what.as_ref());
        self.faults.push(fault);
    }
}
