//! `guardpost export-quotes`: quotes as a table or as JSON, streamed from the database into a file or a pipe.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;

use super::place::Place;
use super::rows::{CsvRows, JsonRows, Rows};
use crate::domain::clock::Time;
use crate::domain::quote::Status;
use crate::store::{Selection, Store};

/// Write quotes to a file or to standard output, oldest first.
///
/// The rows are those of one moment, however long it takes, and the server may run meanwhile. A file appears under its name only when it is
/// whole, readable by you alone: it holds what visitors wrote. In CSV, a cell that a spreadsheet would take for a formula begins with an apostrophe.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost export-quotes --output quotes.csv\n  \
    guardpost export-quotes --status pending --status in_progress --since 2026-11-01 --format jsonl | jq .location\n  \
    guardpost export-quotes --since 2026-10-01 --until 2026-10-31 --format json --output october.json --force")]
pub(super) struct ExportQuotes {
    /// csv: a table with a head; json: one array; jsonl: one object a line
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only quotes in this status; may be given several times
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = status)]
    status: Vec<Status>,
    /// Only quotes since this day or moment (UTC), as in 2026-11-01 or 2026-11-01T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Time>,
    /// Only quotes until the end of this day, or before this moment (UTC)
    #[arg(long, value_name = "TIME", value_parser = until)]
    until: Option<Time>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a file that is there already
    #[arg(long, requires = "output")]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Json,
    Jsonl,
}

impl ExportQuotes {
    pub(super) async fn run(self, place: &Place) -> Result<()> {
        let store = Place::open_existing(&place.settings()?)?;
        let selection = Selection {
            statuses: self.status,
            since: self.since,
            until: self.until,
        };
        match self.output {
            Some(file) => to_file(&store, selection, self.format, &file, self.force).await,
            None => to_pipe(&store, selection, self.format).await,
        }
    }
}

async fn to_pipe(store: &Store, selection: Selection, format: Format) -> Result<()> {
    let out = BufWriter::with_capacity(1 << 16, io::stdout());
    stream(
        store,
        selection,
        format,
        Box::new(out),
        ProgressBar::hidden(),
    )
    .await?
    .context("cannot write to standard output")
}

async fn to_file(
    store: &Store,
    selection: Selection,
    format: Format,
    file: &Path,
    force: bool,
) -> Result<()> {
    if !force && file.exists() {
        bail!(
            "{} is there already; --force writes over it",
            file.display()
        );
    }
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let unfinished = NamedTempFile::with_prefix_in(".guardpost-export-", folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    let progress = if io::stderr().is_terminal() {
        progress_bar(store.count_quotes(selection.clone()).await?)
    } else {
        ProgressBar::hidden()
    };
    let out = BufWriter::with_capacity(1 << 16, unfinished.reopen()?);
    stream(store, selection, format, Box::new(out), progress.clone())
        .await?
        .with_context(|| format!("cannot write {}", file.display()))?;
    finish(unfinished, file, folder, force)
        .with_context(|| format!("cannot finish {}", file.display()))?;
    progress.finish_and_clear();
    eprintln!("{} quotes in {}", progress.position(), file.display());
    Ok(())
}

/// The content is on disk before the name, the name before we say so.
fn finish(unfinished: NamedTempFile, file: &Path, folder: &Path, force: bool) -> io::Result<()> {
    unfinished.as_file().sync_all()?;
    if force {
        unfinished.persist(file)?;
    } else {
        unfinished.persist_noclobber(file)?;
    }
    File::open(folder)?.sync_all()
}

async fn stream(
    store: &Store,
    selection: Selection,
    format: Format,
    out: Box<dyn Write + Send>,
    progress: ProgressBar,
) -> Result<io::Result<()>> {
    let rows: io::Result<Box<dyn Rows>> = match format {
        Format::Csv => CsvRows::begin(out).map(|rows| Box::new(rows) as Box<dyn Rows>),
        Format::Json => JsonRows::array(out).map(|rows| Box::new(rows) as Box<dyn Rows>),
        Format::Jsonl => Ok(Box::new(JsonRows::lines(out))),
    };
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => return Ok(Err(error)),
    };
    let written = store.export_quotes(selection, rows, move |rows, quote| {
        progress.inc(1);
        rows.row(quote)
    });
    Ok(written.await?.and_then(|rows| rows.end()))
}

fn progress_bar(quotes: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} quotes, {eta} left");
    let bar = ProgressBar::new(quotes);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn status(word: &str) -> Result<Status> {
    Status::parse(word).ok_or_else(|| {
        anyhow!(
            "one of {}",
            Status::ALL.map(|status| status.word()).join(", ")
        )
    })
}

fn since(text: &str) -> Result<Time> {
    Time::parse(text).context("give a day like 2026-11-01 or a moment like 2026-11-01T08:00:00Z")
}

/// A bare day counts to its end.
fn until(text: &str) -> Result<Time> {
    let at = since(text)?;
    Ok(if text.len() == "2026-11-01".len() {
        at.plus_seconds(24 * 60 * 60)
    } else {
        at
    })
}
