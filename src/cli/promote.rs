//! `guardpost promote`: makes a restored folder the production server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::files::move_files::{FromTo, move_files};
use super::output::count_noun::count_noun;
use super::startup::global_args::GlobalArgs;
use backup::Place;
use config::Config;
use domain::clock::Clock;
use s3::ownership::Claimant;
use storage::moving::DATA;
use store::Store;

/// Make a restored folder the production server
///
/// A restored folder is a drill: it sends no emails and writes nothing outside of itself. This ends
/// the drill, writes its mark into the bucket of `files.to`, the place of `backup.to` and the other
/// places of its backups, which other servers then leave alone, and moves files that were uploaded
/// during the drill into the bucket. Emails that the drill has queued are held (`outbox list
/// --held`). Make sure that the former server stays off; then restart this one.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost promote\n  \
    guardpost promote --place /mnt/disk/guardpost\n  \
    guardpost promote --data /var/lib/guardpost --config /etc/guardpost/config.toml")]
pub(super) struct Promote {
    /// Take over this folder or bucket as well; can be given several times
    #[arg(long, value_name = "PLACE")]
    place: Vec<PathBuf>,
}

impl Promote {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        let clock = Clock::system();
        let was_drill = store.installation().await?.drill_since.is_some();
        let held = match was_drill {
            true => store.end_drill(clock.now()).await?,
            false => 0,
        };
        let claimant = Claimant::new(store.installation().await?, &config.data, &clock);
        let known = store.backup_places().await?.into_iter();
        let known = known.map(|known| known.place).collect();
        let failed = take_over(&config, self.place, known, claimant).await?;
        if was_drill {
            say!(
                "{} is the production server now. Restart it if it is running.",
                config.data.dir.display()
            );
        }
        if held > 0 {
            say!(
                "{} held, which the drill has queued: `guardpost outbox list --held` shows them, \
                 `guardpost outbox release` sends them.",
                count_noun(held, "email")
            );
        }
        if failed {
            bail!(
                "not every place was taken over: mend that, and run again\n  {}",
                globals.line("promote")
            );
        }
        move_uploads(&config, store).await
    }
}

/// Takes over the places of the settings, the `given` ones, and the `known` places of backups that
/// are there now; returns whether one failed.
async fn take_over(
    config: &Config,
    given: Vec<PathBuf>,
    known: Vec<String>,
    claimant: Claimant,
) -> Result<bool> {
    let s3 = config.s3.clone();
    let settings = [config.files.to.clone(), config.backup.to.clone()];
    let settings = settings.into_iter().filter(|address| !address.is_empty());
    let settings = settings.map(PathBuf::from).chain(given);
    let named: BTreeMap<String, PathBuf> = settings
        .map(|address| (Place::address_of(&address), address))
        .collect();
    let work = move || {
        let mut failed = false;
        for address in named.values() {
            let taken =
                Place::open(address, &s3).and_then(|place| claimant.take_over(&place.marked()?));
            failed |= taken.is_err();
            print_taken(&address.display().to_string(), taken);
        }
        for address in known.iter().filter(|known| !named.contains_key(*known)) {
            match Place::open(Path::new(address), &s3) {
                Ok(place) if place.is_present() => {
                    let taken = place.marked().and_then(|place| claimant.take_over(&place));
                    print_taken(address, taken);
                }
                _ => note!(
                    "warning: {address} is not there now; a later `guardpost promote` takes it over"
                ),
            }
        }
        failed
    };
    Ok(tokio::task::spawn_blocking(work).await?)
}

fn print_taken(address: &str, taken: Result<Option<String>>) {
    match taken {
        Ok(None) => say!("{address} belongs to this server."),
        Ok(Some(owner)) => say!("{address} was taken over from {owner}."),
        Err(error) => note!("error: {address}: {error:#}"),
    }
}

/// Moves the files uploaded during the drill into the bucket of the settings.
async fn move_uploads(config: &Config, store: Store) -> Result<()> {
    if config.files.to.is_empty() || !config.data.dir.join("files").exists() {
        return Ok(());
    }
    let moved = move_files(
        config,
        store,
        FromTo {
            from: DATA,
            to: &config.files.to,
        },
        true,
    )
    .await?;
    if moved.removed > 0 {
        let files = count_noun(moved.removed, "stored content");
        say!("{files} moved from the data folder to {}.", config.files.to);
    }
    Ok(())
}
