//! `guardpost backup`: makes a backup beside a running server.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::backup::key::BackupKey;
use crate::backup::{Newest, Opening, Place, Source, create, lower_priority, newest, prune};
use crate::cli::global_args::{GlobalArgs, database};
use crate::cli::keys::key_files;
use crate::cli::progress;
use crate::config::Config;
use crate::domain::clock::Clock;
use crate::maintenance;
use crate::ownership::Role;
use crate::store::database::maintenance::Job;
use crate::store::database::snapshot;
use crate::store::{SCHEMA_VERSION, installation};

/// Back up everything that a new machine needs, while the server runs.
///
/// Writes a new folder into the folder or bucket of backups: the database, the keys, images, stored
/// files, written emails, the settings without secrets, and a manifest with the SHA-256 of each
/// part. The copy is checked before it gets its name. Old backups are deleted by
/// `backup.keep_hours`, `keep_days`, `keep_weeks` and `keep_months`. A server with `backup.to` set
/// runs backups itself.
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
}

impl Backup {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        globals.refuse_drill(&config, "a backup of it would count as one of production")?;
        let to = place(self.to, &config)?;
        claim(&config, &to)?;
        let key = key(self.key_file.as_deref(), &config)?;
        let (data, settings) = (config.data.dir.clone(), config.without_secrets()?);
        let (clock, started) = (Clock::system(), Instant::now());
        let (place, now) = (to.clone(), clock.now());
        let sealing_key = key.clone();
        let entry = progress::run(move |watch| {
            lower_priority();
            let source = Source {
                data: &data,
                settings: &settings,
                key: key.as_ref(),
                fingerprint: key_files::fingerprint,
                now,
            };
            create(&source, &place, watch)
        })
        .await?;
        if !config.files.to.is_empty() {
            eprintln!(
                "note: stored files are in {}, not in the backup",
                config.files.to
            );
        }
        let megabytes = entry.manifest.bytes().div_ceil(1 << 20);
        println!("{} ({megabytes} MB)", entry.place);
        if !self.keep_all {
            for backup in prune(&to, maintenance::keep(&config.backup), sealing_key.as_ref())? {
                eprintln!("deleted the old backup {backup}");
            }
        }
        record(&config, started, entry.place.to_string(), &clock).await
    }
}

/// Makes this database the owner of the place of backups, unless it belongs to another one. The
/// database of an older program has no mark yet: its server leaves one.
fn claim(config: &Config, to: &Place) -> Result<()> {
    let database = database(&config.data.dir);
    if !database.exists() {
        return Ok(());
    }
    match installation::of_file(&database)? {
        Some(known) => Role::new(known, &config.data, &Clock::system()).claim(&to.marked()?),
        None => Ok(()),
    }
}

/// Records the backup, so that `check` reports its age. An older database stays unchanged: the
/// server migrates it at its next start.
async fn record(config: &Config, started: Instant, detail: String, clock: &Clock) -> Result<()> {
    if snapshot::current_schema_version(&database(&config.data.dir))? != SCHEMA_VERSION {
        return Ok(());
    }
    let store = GlobalArgs::open_existing(config)?;
    let seconds = started.elapsed().as_secs_f64();
    store
        .record_run(Job::Backup, seconds, Ok(detail), clock.now())
        .await
        .context("the backup is complete, but could not be recorded in the database")
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
            eprintln!("warning: passed over {passed_over}, which is not sealed");
        }
        chosen.place = place;
        Ok(chosen)
    }
}
