//! `guardpost restore`: makes a data folder of a backup.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::backup::OpeningArgs;
use crate::cli::keys::key_files;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::progress;
use crate::cli::startup::global_args::{GlobalArgs, database};
use backup::{Restored, SETTINGS, restore};
use domain::clock::Clock;
use store::Store;
use store::database::disk::file_permissions::quoted;

/// Restore a backup to a new data folder.
///
/// Every part is verified before it gets its name, and a failed restore leaves no folder. Users
/// sign in as before with password and second factor; old sessions are ended. Emails that were due
/// when the backup was made may have been sent since: they are held (`outbox list --held`) until
/// you release them (`outbox release`). People who were erased since are erased again by the
/// ledgers of erasures beside the backup; a warning reports missing ledgers.
///
/// The folder is a drill until `guardpost promote`: a server on it sends no emails, makes no
/// backups and writes into no bucket, so that production is not touched.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost restore /mnt/backups/guardpost --to /var/lib/guardpost\n  \
    guardpost restore s3://company-backups/guardpost --to /var/lib/guardpost\n  \
    guardpost restore /mnt/backups/guardpost/guardpost-20261122T050240123Z --to data \
    --key-file backup.key\n  \
    guardpost serve --data data --config data/settings.toml\n  \
    guardpost restore s3://company-backups/guardpost --to /var/lib/guardpost \
    --replace-production")]
pub(in crate::cli) struct Restore {
    /// A backup, or a folder or bucket of backups, of which the newest is restored [default:
    /// `backup.to`]
    from: Option<PathBuf>,
    /// The new data folder: empty or missing
    #[arg(long, value_name = "FOLDER")]
    to: PathBuf,
    #[command(flatten)]
    opening: OpeningArgs,
    /// Another ledger of erased people, as `erasures.jsonl` of the lost data folder
    #[arg(long, value_name = "FILE")]
    ledger: Vec<PathBuf>,
    /// Leave out a damaged part; can be given several times
    #[arg(long, value_name = "PART")]
    without: Vec<String>,
    /// Make the folder the production server instead of a drill: it takes over the buckets and
    /// backups of the server that made the backup, which must stay off
    #[arg(long)]
    replace_production: bool,
}

impl Restore {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let chosen = self.opening.choose(self.from, &config)?;
        let (to, ledgers, without) = (self.to.clone(), self.ledger, self.without.clone());
        let restored = progress::run(move |watch| {
            let order = backup::Restore {
                from: &chosen.place,
                opening: chosen.opening(),
                to: &to,
                ledgers: &ledgers,
                without: &without,
                fingerprint: key_files::fingerprint,
                now: Clock::system().now(),
            };
            restore(&order, watch)
        })
        .await?;
        for part in &self.without {
            note!("warning: `{part}` WAS LEFT OUT: the restored folder lacks it");
        }
        if self.without.iter().any(|part| part.starts_with("files/")) {
            note!("`guardpost files check --data FOLDER` names the stored files that are lost");
        }
        print_result(&restored, &self.to);
        match self.replace_production {
            true => replace_production(&self.to).await,
            false => {
                let (folder, settings) = (quoted(&self.to), quoted(&self.to.join(SETTINGS)));
                say!(
                    "It is a drill: no emails, no backups, nothing is written into a bucket. To \
                     make it the production server:\n  guardpost promote --data {folder} \
                     --config {settings}"
                );
                Ok(())
            }
        }
    }
}

/// Ends the drill of the folder.
async fn replace_production(folder: &Path) -> Result<()> {
    let store = Store::open(&database(folder))?;
    store.end_drill(Clock::system().now()).await?;
    store.close().await;
    Ok(())
}

fn print_result(restored: &Restored, to: &Path) {
    let (manifest, prepared) = (&restored.manifest, &restored.prepared);
    let quotes = manifest.counts.get("quotes").copied().unwrap_or_default();
    say!(
        "Restored {} to {}: {} of {}.",
        restored.backup,
        to.display(),
        count_noun(quotes, "quote"),
        manifest.created_at
    );
    say!("{} ended.", count_noun(prepared.sessions, "session"));
    if prepared.held_emails > 0 {
        say!(
            "{} held, because they may have been sent since: `guardpost outbox list --held` shows \
             them, `guardpost outbox release` sends them.",
            count_noun(prepared.held_emails, "email")
        );
    }
    if prepared.erased > 0 {
        say!("People erased again: {}.", prepared.erased);
    }
    if restored.erased_emails > 0 {
        let emails = count_noun(restored.erased_emails, "file");
        say!("{emails} in mail/ about erased people removed.");
    }
    if restored.erased_files > 0 {
        let files = count_noun(restored.erased_files, "stored file");
        say!("{files} of erased people removed.");
    }
    if !restored.found_ledger {
        note!(
            "warning: no ledger of erasures (erasures.jsonl) was found beside the backup: people \
             who were erased after {} are back in the restored folder. If another copy of the \
             ledger exists, as in the old data folder, delete the restored folder and restore \
             again with --ledger; otherwise erase these people again (`guardpost person erase`)",
            manifest.created_at
        );
    }
    if restored.unknown_erasures > 0 {
        note!(
            "warning: {} recorded with other keys could not be applied: erase these people by hand",
            count_noun(restored.unknown_erasures, "erasure")
        );
    }
    let folder = quoted(to);
    say!(
        "The settings of that time are in {}, without secrets. Start with:\n  guardpost serve \
         --data {folder} --config {}",
        to.join(SETTINGS).display(),
        quoted(&to.join(SETTINGS))
    );
}
