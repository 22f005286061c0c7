//! The daily search for lost and damaged stored files.

use anyhow::Result;

use super::Maintenance;
use domain::clock::Time;
use storage::contents::Contents;
use storage::examination::{Share, examine};

impl Maintenance {
    /// Looks for lost files, and reads the share of the days since the last success. Fails if one
    /// is lost or damaged.
    pub(super) async fn check_files(&self, succeeded_at: Option<Time>) -> Result<String> {
        let contents = Contents::open_to_read(&self.files, &self.s3, &self.data.dir)?;
        let now = self.clock.now();
        let found = examine(&self.store, contents, Share::Since { succeeded_at, now }).await?;
        if !found.lost.is_empty() || !found.damaged.is_empty() {
            anyhow::bail!(
                "stored files: {} lost, {} damaged. `guardpost files check --deep` names them; \
                 restore them from a backup",
                found.lost.len(),
                found.damaged.len()
            );
        }
        Ok(format!(
            "none of {} stored files is lost; {} were read and are intact",
            found.contents, found.read
        ))
    }
}
