//! `guardpost backup`: makes a backup beside a running server.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::cli::files::examine_files;
use crate::cli::keys::key_files;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::progress;
use crate::cli::startup::global_args::{GlobalArgs, database};
use crate::maintenance;
use backup::sealing::key::BackupKey;
use backup::{
    Entry, Keep, Newest, Opening, Place, Source, create, newest, prune, require_place, shares_disk,
};
use config::Config;
use domain::clock::Clock;
use s3::ownership::Role;
use storage::examination::Share;
use store::database::copies::snapshot;
use store::database::maintenance::Job;
use store::database::schema::VERSION as SCHEMA_VERSION;
use store::installation::identity;

/// Back up everything that a new machine needs, while the server runs.
///
/// Writes a new folder into the folder or bucket of backups: the database, the keys, images, stored
/// files, written emails, the settings without secrets, and a manifest with the SHA-256 of each
/// part. The copy is checked before it gets its name. It is kept for seven days, and takes the
/// place of none that the server makes by itself (`backup.to`): of those, the newest of each of the
/// last 24 hours, 7 days, 4 weeks and 6 months are kept.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost backup --to /mnt/backups/guardpost\n  \
    guardpost backup --to s3://company-backups/guardpost --key-file backup.key\n  \
    guardpost backup --keep-all")]
pub(in crate::cli) struct Backup {
    /// The folder of backups, or s3://bucket/prefix [default: `backup.to`]
    #[arg(long, value_name = "PLACE")]
    to: Option<PathBuf>,
    /// Seal the backup with this key; `backup-key` makes one [default: `backup.key_file`]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Delete no old backups
    #[arg(long)]
    keep_all: bool,
    /// Forget what was in the place before: it was emptied or replaced on purpose
    #[arg(long)]
    new_place: bool,
    /// Make no backup; forget a place that no longer exists, which `person erase` would report
    #[arg(
        long,
        value_name = "PLACE",
        conflicts_with_all = ["to", "key_file", "keep_all", "new_place"]
    )]
    forget: Option<PathBuf>,
}

impl Backup {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        if let Some(forgotten) = &self.forget {
            return forget(&config, forgotten).await;
        }
        globals.refuse_drill(&config, "a backup of it would count as one of production")?;
        let to = place(self.to, &config)?;
        if self.new_place {
            let store = GlobalArgs::open_existing(&config)?;
            store.forget_backup_place(to.address()).await?;
        }
        claim(&config, &to)?;
        let key = key(self.key_file.as_deref(), &config)?;
        let (data, settings) = (config.data.dir.clone(), config.without_secrets()?);
        let (clock, started) = (Clock::system(), Instant::now());
        let (place, now) = (to.clone(), clock.now());
        let sealing_key = key.clone();
        let entry = progress::run(move |watch| {
            let source = Source {
                data: &data,
                settings: &settings,
                key: key.as_ref(),
                fingerprint: key_files::fingerprint,
                by_hand: true,
                now,
            };
            create(&source, &place, watch)
        })
        .await?;
        if !config.files.to.is_empty() {
            note!(
                "note: stored files are in {}, not in the backup",
                config.files.to
            );
        }
        if shares_disk(&config.data.dir, &to) {
            note!("warning: {to} is on the same disk as the data; both are lost with it");
        }
        let megabytes = entry.manifest.bytes().div_ceil(1 << 20);
        say!("{} ({megabytes} MB)", entry.place);
        if !self.keep_all {
            for backup in prune(&to, Keep::default(), sealing_key.as_ref(), clock.now())? {
                note!("deleted the old backup {backup}");
            }
        }
        record(&config, started, &to, &entry, &clock).await?;
        require_files(&config).await
    }
}

/// Forgets a place of backups. Fails if it is not known, naming those that are.
async fn forget(config: &Config, address: &Path) -> Result<()> {
    let address = Place::open(address, &config.s3)?.address();
    let store = GlobalArgs::open_existing(config)?;
    if store.forget_backup_place(address.clone()).await? {
        say!("{address} is forgotten; its backups are unchanged.");
        return Ok(());
    }
    let known = store.backup_places().await?.into_iter();
    let known: Vec<String> = known.map(|known| known.place).collect();
    match known.is_empty() {
        true => bail!("no backup was made in {address}, nor anywhere else"),
        false => bail!(
            "no backup was made in {address}, but in {}",
            known.join(", ")
        ),
    }
}

/// Makes this database the owner of the place of backups, unless it belongs to another one, or is
/// not there now. The database of an older program has no mark yet: its server leaves one.
fn claim(config: &Config, to: &Place) -> Result<()> {
    require_place(&config.data.dir, to)?;
    let database = database(&config.data.dir);
    if !database.exists() {
        return Ok(());
    }
    match identity::of_file(&database)? {
        Some(known) => Role::new(known, &config.data, &Clock::system()).claim(&to.marked()?),
        None => Ok(()),
    }
}

/// Records the backup, so that `check` reports its age and `person erase` reaches its place; as a
/// run of the schedule only if it is in the place of the settings. An older database stays
/// unchanged: the server migrates it at its next start.
async fn record(
    config: &Config,
    started: Instant,
    to: &Place,
    entry: &Entry,
    clock: &Clock,
) -> Result<()> {
    if snapshot::current_schema_version(&database(&config.data.dir))? != SCHEMA_VERSION {
        return Ok(());
    }
    let store = GlobalArgs::open_existing(config)?;
    let unrecorded = "the backup is complete, but could not be recorded in the database";
    let (name, sequence) = (entry.place.to_string(), entry.manifest.sequence);
    let recorded = store.record_backup(to.address(), name.clone(), sequence, true, clock.now());
    recorded.await.context(unrecorded)?;
    let is_scheduled = place(None, config).is_ok_and(|place| place.address() == to.address());
    if !is_scheduled {
        return Ok(());
    }
    let seconds = started.elapsed().as_secs_f64();
    store
        .record_run(Job::Backup, seconds, Ok(name), clock.now())
        .await
        .context(unrecorded)
}

/// Fails if stored files are lost: the backup lacks them as well. A bucket that cannot be reached
/// is only a warning.
async fn require_files(config: &Config) -> Result<()> {
    if snapshot::current_schema_version(&database(&config.data.dir))? != SCHEMA_VERSION {
        return Ok(());
    }
    let store = GlobalArgs::open_existing(config)?;
    let examined = match examine_files(config, &store, Share::Nothing).await {
        Ok(examined) => examined,
        Err(error) => {
            note!("warning: stored files could not be checked: {error:#}");
            return Ok(());
        }
    };
    if !examined.lost.is_empty() {
        bail!(
            "the backup is complete but for {}, whose bytes are gone: `guardpost files check` \
             names the files; restore them from an older backup",
            count_noun(examined.lost.len(), "stored content")
        );
    }
    Ok(())
}

/// The place of backups: of the argument or of the settings.
pub(in crate::cli) fn place(argument: Option<PathBuf>, config: &Config) -> Result<Place> {
    match argument {
        Some(address) => Place::open(&address, &config.s3),
        None if config.backup.to.is_empty() => {
            bail!("name the folder or bucket of backups, or set `backup.to`")
        }
        None => Place::open(Path::new(&config.backup.to), &config.s3),
    }
}

/// The key: of the argument or of the settings.
pub(in crate::cli) fn key(argument: Option<&Path>, config: &Config) -> Result<Option<BackupKey>> {
    match argument {
        Some(path) => BackupKey::read(path).map(Some),
        None => maintenance::read_key(&config.backup).context("setting `backup.key_file`"),
    }
}

/// How a backup is chosen and opened.
#[derive(Args)]
pub(in crate::cli) struct OpeningArgs {
    /// The key of a sealed backup [default: `backup.key_file`]
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Accept a backup that is not sealed, although a key is set
    #[arg(long)]
    allow_unsealed: bool,
}

/// A backup that was chosen, and how it is opened.
pub(in crate::cli) struct Chosen {
    pub(in crate::cli) place: Place,
    key: Option<BackupKey>,
    allow_unsealed: bool,
}

impl Chosen {
    /// How it is opened.
    pub(in crate::cli) fn opening(&self) -> Opening<'_> {
        Opening {
            key: self.key.as_ref(),
            allow_unsealed: self.allow_unsealed,
        }
    }
}

impl OpeningArgs {
    /// The backup at `from`, or the newest there; backups that are passed over are named.
    pub(in crate::cli) fn choose(&self, from: Option<PathBuf>, config: &Config) -> Result<Chosen> {
        let mut chosen = Chosen {
            place: place(from, config)?,
            key: key(self.key_file.as_deref(), config)?,
            allow_unsealed: self.allow_unsealed,
        };
        let Newest { place, unsealed } = newest(&chosen.place, chosen.opening())?;
        for passed_over in unsealed {
            note!("warning: passed over {passed_over}, which is not sealed");
        }
        chosen.place = place;
        Ok(chosen)
    }
}
