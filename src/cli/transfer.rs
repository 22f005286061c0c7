//! `guardpost export` and `guardpost import`: everything in the database as JSON lines.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::output::count_noun::count_noun;
use super::output::new_file::NewFile;
use super::startup::global_args::GlobalArgs;
use domain::clock::Clock;

/// Export the whole database as JSON lines, for another program.
///
/// The first line names the version of the format and of the schema; each further line is a row of
/// a table; the last has the number of rows of each table and the SHA-256 of all lines before it.
/// The file gets its name when it is complete. Sessions are left out, the keys too: second factors
/// and links work again only with the key files beside the new database. For a new machine, use
/// backup and restore.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    guardpost export --all --out guardpost.jsonl")]
pub(super) struct Export {
    /// Confirm that everything is exported, with password hashes and personal data
    #[arg(long, required = true)]
    all: bool,
    /// The new file; an existing one is never overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Import an export of this version into a new data folder.
///
/// An export that was cut or changed is refused, and nothing of it is imported. Put the key files
/// (`auth-keys.json`, `address.key`) of the old folder into the new one first, so that second
/// factors work.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    guardpost import guardpost.jsonl --data data-new")]
pub(super) struct Import {
    /// The file that `export --all` has written
    file: PathBuf,
}

impl Export {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        debug_assert!(self.all);
        let store = GlobalArgs::open_existing(&globals.settings()?)?;
        let file = NewFile::create(&self.out, false)?;
        let (file, rows) = store.export_all(file, Clock::system().now()).await?;
        file.finish()?;
        note!("{} in {}", count_noun(rows, "row"), self.out.display());
        Ok(())
    }
}

impl Import {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let file = File::open(&self.file)
            .with_context(|| format!("cannot read {}", self.file.display()))?;
        let config = globals.settings()?;
        let store = GlobalArgs::open(&config)?;
        let rows = store.import_all(BufReader::new(file)).await?;
        say!(
            "{} in {}",
            count_noun(rows, "row"),
            config.data.dir.display()
        );
        store.close().await;
        Ok(())
    }
}
