//! Checks whether the data folder is a drill, and whether its places belong to it.

use std::path::Path;

use super::report::Report;
use backup::Place;
use config::{Config, SCHEME};
use domain::clock::Clock;
use s3::ownership::Claimant;
use store::installation::identity::Installation;

/// Adds a line for a drill, and for each place that belongs to another server; buckets are asked
/// with `online`. Returns whether it is a drill.
pub(super) fn examine(
    config: &Config,
    installation: Option<Installation>,
    online: bool,
    report: &mut Report,
) -> bool {
    let Some(installation) = installation else {
        return false;
    };
    if let Some(since) = installation.drill_since {
        report.warning(
            "drill",
            format!(
                "{} is a drill, restored from a backup at {since}: it sends no emails, makes no \
                 backups and writes into no bucket; `guardpost promote` makes it the production \
                 server",
                config.data.dir.display()
            ),
        );
        return true;
    }
    let claimant = Claimant::new(installation, &config.data, &Clock::system());
    for (topic, address) in [("files", &config.files.to), ("backup", &config.backup.to)] {
        if let Err(error) = examine_place(config, address, online, &claimant) {
            report.fault(topic, format!("{topic}.to: {error:#}"));
        }
    }
    false
}

/// Fails if the place belongs to another server. Writes nothing.
fn examine_place(
    config: &Config,
    address: &str,
    online: bool,
    claimant: &Claimant,
) -> anyhow::Result<()> {
    let is_asked = match address {
        "" => false,
        bucket if bucket.starts_with(SCHEME) => online,
        folder => Path::new(folder).exists(),
    };
    if !is_asked {
        return Ok(());
    }
    let place = Place::open(Path::new(address), &config.s3)?;
    match claimant.refusal(&place.marked()?)? {
        Some(refusal) => anyhow::bail!(refusal),
        None => Ok(()),
    }
}
