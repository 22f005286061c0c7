//! `guardpost files`: lists stored files, compares rows with bytes, and moves them.

pub(super) mod move_files;
mod open;

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use self::move_files::move_and_tell;
use self::open::open;
use super::output::count_noun::count_noun;
use super::output::print::StandardOutput;
use super::startup::global_args::GlobalArgs;
use config::Config;
use storage::contents::Contents;
use storage::examination::{Examined, Share, examine};
use storage::sweep::Comparison;
use store::Store;
use store::storage::objects::Object;

/// List, check and move the files of the storage service.
///
/// A server may be running. Bytes are stored in files/ in the data folder, or in the bucket of
/// `files.to`; their names and owners in the database.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost files list\n  \
    guardpost files list --json | jq -r '.[] | select(.size > 5000000) | .key'\n  \
    guardpost files check --deep\n  \
    guardpost files move --to s3://company-guardpost/files\n  \
    guardpost files move --from s3://company-guardpost/files --to data")]
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
        /// Read every file, and compare its bytes with its SHA-256
        #[arg(long)]
        deep: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Move all files into a bucket, or into the data folder, while the server runs
    ///
    /// Each file is read back from its new place and compared before it is deleted at the old one.
    /// Files are deleted at the old place only if `files.to` names the new one. It can be
    /// interrupted, and be run again.
    Move {
        /// Where to: `s3://bucket/prefix`, or `data` for the data folder
        #[arg(long, value_name = "PLACE")]
        to: String,
        /// Where from [default: `files.to`, or the data folder if that is the new place]
        #[arg(long, value_name = "PLACE")]
        from: Option<String>,
    },
}

impl Files {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        if let Command::Move { .. } = self.command {
            globals.refuse_drill(&config, "the files of production would be deleted")?;
        }
        let store = GlobalArgs::open_existing(&config)?;
        match self.command {
            Command::List { json } => list(&store, json).await,
            Command::Check { deep, json } => check(&config, store, deep, json).await,
            Command::Move { from, to } => move_and_tell(globals, &config, store, from, &to).await,
        }
    }
}

/// The bucket and the name of a file.
fn key(object: &Object) -> String {
    format!("{}/{}", object.bucket_id, object.name)
}

/// The owner of a file.
fn owner(object: &Object) -> &str {
    object.owner.as_deref().unwrap_or("visitor")
}

async fn list(store: &Store, as_json: bool) -> Result<()> {
    let objects = store.all_objects().await?;
    let mut out = StandardOutput;
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
            "{:>10}  {}  {}  {}  {}  {}",
            object.size,
            object.created_at,
            owner(object),
            object.scan.as_str(),
            object.media_type,
            key(object)
        )?;
    }
    writeln!(out, "{}, {bytes} bytes", count_noun(objects.len(), "file"))?;
    Ok(())
}

/// Looks for lost contents, and reads those of `share`.
pub(super) async fn examine_files(
    config: &Config,
    store: &Store,
    share: Share,
) -> Result<Examined> {
    let contents = Contents::open_to_read(&config.files, &config.s3, &config.data.dir)?;
    Ok(examine(store, contents, share).await?)
}

async fn check(config: &Config, store: Store, deep: bool, as_json: bool) -> Result<()> {
    let objects = store.all_objects().await?;
    let examined = match deep {
        true => examine_files(config, &store, Share::All).await?,
        false => Examined::default(),
    };
    let Comparison { missing, unused } = open(config, store).await?.compare().await?;
    let of = |contents: &BTreeSet<String>| -> Vec<&Object> {
        let found = objects.iter().filter(|it| contents.contains(&it.sha256));
        found.collect()
    };
    let (lost, damaged) = (of(&missing), of(&examined.damaged));
    let bytes: u64 = unused.iter().map(|file| file.size).sum();
    let mut out = StandardOutput;
    if as_json {
        let unused: Vec<_> = unused.iter().map(|file| &file.name).collect();
        let keys = |objects: &[&Object]| objects.iter().map(|it| key(it)).collect::<Vec<_>>();
        let report = json!({
            "files": objects.len(),
            "without_bytes": keys(&lost),
            "damaged": deep.then(|| keys(&damaged)),
            "without_row": unused,
            "without_row_bytes": bytes,
        });
        writeln!(out, "{report:#}")?;
    } else {
        for (what, objects) in [("lost", &lost), ("damaged", &damaged)] {
            for object in objects {
                let sha256 = &object.sha256;
                let shard = sha256.get(..2).unwrap_or_default();
                writeln!(out, "{what}: {} (files/{shard}/{sha256})", key(object))?;
            }
        }
        for file in &unused {
            writeln!(out, "without a row: {} ({} bytes)", file.name, file.size)?;
        }
        let without_row = count_noun(unused.len(), "content");
        writeln!(
            out,
            "{}, {} lost, {without_row} without a row",
            count_noun(objects.len(), "file"),
            lost.len()
        )?;
        if deep {
            let read = count_noun(examined.read, "content");
            writeln!(out, "{read} read, {} damaged", examined.damaged.len())?;
        }
    }
    if !lost.is_empty() || !damaged.is_empty() {
        bail!(
            "the bytes of {} are gone or damaged; restore {} from a backup",
            count_noun(lost.len() + damaged.len(), "file"),
            match config.files.to.as_str() {
                "" => "files/ in the data folder",
                bucket => bucket,
            }
        );
    }
    Ok(())
}
