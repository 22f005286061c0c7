//! `guardpost files`: lists stored files, compares rows with bytes, and deletes what nothing needs.

use std::io::Write;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::count_noun;
use super::global_args::GlobalArgs;
use crate::config::Config;
use crate::domain::clock::Clock;
use crate::domain::ids;
use crate::domain::sealing::SealingKey;
use crate::site::renderer::this_program;
use crate::storage::Files as Storage;
use crate::storage::contents::Contents;
use crate::storage::picture_process::PictureProgram;
use crate::storage::sweep::Temporaries;
use crate::store::{Object, Store};

/// List, check and sweep the files of the storage service.
///
/// A server may be running. Bytes are stored in files/ in the data folder, or in the bucket of
/// `files.to`; their names and owners in the database.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost files list\n  \
    guardpost files list --json | jq -r '.[] | select(.size > 5000000) | .key'\n  \
    guardpost files check\n  \
    guardpost files sweep")]
pub(super) struct Files {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List all files: size in bytes, time, owner, state of the virus scan, type, bucket and key
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Find rows without bytes, which are lost files, and bytes without rows
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete bytes without a row and abandoned uploads, if older than an hour
    Sweep {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Files {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open_existing(&config)?;
        match self.command {
            Command::List { json } => list(&store, json).await,
            Command::Check { json } => check(&config, store, json).await,
            Command::Sweep { json } => sweep(&config, store, json).await,
        }
    }
}

async fn open(config: &Config, store: Store) -> Result<Storage> {
    // Commands make and open no tokens.
    let key = SealingKey::new(&ids::random_bytes())?;
    let files = Storage::open(
        store,
        Clock::system(),
        config.files.clone(),
        Contents::open(&config.files, &config.s3, &config.data.dir)?,
        key,
        PictureProgram::of(this_program()),
    );
    Ok(files.await?)
}

/// Who stored a file.
fn owner(object: &Object) -> &str {
    object.owner.as_deref().unwrap_or("visitor")
}

async fn list(store: &Store, as_json: bool) -> Result<()> {
    let objects = store.all_objects().await?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let rows = objects.iter().map(|object| {
            json!({
                "bucket": object.bucket_id,
                "key": object.name,
                "size": object.size,
                "type": object.media_type,
                "owner": owner(object),
                "state": object.scan,
                "sha256": object.sha256,
                "created_at": object.created_at,
                "updated_at": object.updated_at,
            })
        });
        writeln!(out, "{:#}", rows.collect::<serde_json::Value>())?;
        return Ok(());
    }
    let bytes: u64 = objects.iter().map(|object| object.size).sum();
    for object in &objects {
        writeln!(
            out,
            "{:>10}  {}  {}  {}  {}  {}/{}",
            object.size,
            object.created_at,
            owner(object),
            object.scan,
            object.media_type,
            object.bucket_id,
            object.name
        )?;
    }
    writeln!(out, "{}, {bytes} bytes", count_noun(objects.len(), "file"))?;
    Ok(())
}

async fn check(config: &Config, store: Store, as_json: bool) -> Result<()> {
    let objects = store.all_objects().await?;
    let (missing, unused) = open(config, store).await?.compare().await?;
    let lost = objects
        .iter()
        .filter(|object| missing.contains(&object.sha256))
        .map(|object| format!("{}/{}", object.bucket_id, object.name));
    let lost: Vec<String> = lost.collect();
    let bytes: u64 = unused.iter().map(|file| file.size).sum();
    let mut out = std::io::stdout().lock();
    if as_json {
        let unused: Vec<_> = unused.iter().map(|file| &file.sha256).collect();
        let report = json!({
            "files": objects.len(),
            "without_bytes": lost,
            "without_row": unused,
            "without_row_bytes": bytes,
        });
        writeln!(out, "{report:#}")?;
    } else {
        for key in &lost {
            writeln!(out, "lost: {key}")?;
        }
        for file in &unused {
            writeln!(out, "without a row: {} ({} bytes)", file.sha256, file.size)?;
        }
        let without_row = count_noun(unused.len(), "content");
        writeln!(
            out,
            "{}, {} lost, {without_row} without a row",
            count_noun(objects.len(), "file"),
            lost.len()
        )?;
    }
    if !lost.is_empty() {
        bail!(
            "the bytes of {} are gone; restore {} from a backup",
            count_noun(lost.len(), "file"),
            match config.files.to.as_str() {
                "" => "files/ in the data folder",
                bucket => bucket,
            }
        );
    }
    Ok(())
}

async fn sweep(config: &Config, store: Store, as_json: bool) -> Result<()> {
    let swept = open(config, store).await?.sweep(Temporaries::Old).await?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let report = json!({
            "temporary": swept.temporary,
            "contents": swept.contents,
            "bytes": swept.bytes,
        });
        writeln!(out, "{report:#}")?;
        return Ok(());
    }
    writeln!(
        out,
        "deleted {} and {}, {} bytes",
        count_noun(swept.temporary, "abandoned upload"),
        count_noun(swept.contents, "content"),
        swept.bytes
    )?;
    Ok(())
}
