//! `guardpost export-quotes`: quotes as a table or as JSON, streamed from the database into a file or a pipe.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;

use super::counted;
use super::global_args::GlobalArgs;
use super::rows::{CsvRows, JsonRows, Rows};
use super::synced::SyncedFile;
use super::writing::ExportWriter;
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
    guardpost export-quotes --status pending,in_progress --format jsonl | jq .location\n  \
    guardpost export-quotes --since 2026-10-01 --until 2026-10-31 --output october.csv --force")]
pub(super) struct ExportQuotes {
    /// csv: a table with a head; json: one array; jsonl: one object a line
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only quotes in this status: pending, in_progress, completed or cancelled; several with commas
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

/// Bytes between two writes.
const BUFFER: usize = 1 << 16;
/// Quotes between two looks at the terminal.
const LOOK: u64 = 1000;

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Json,
    Jsonl,
}

impl ExportQuotes {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        if let (Some(since), Some(until)) = (self.since, self.until)
            && since >= until
        {
            bail!("--since is not before --until: no quote can lie between them");
        }
        let store = GlobalArgs::open_existing(&place.settings()?)?;
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
    let out = BufWriter::with_capacity(BUFFER, io::stdout());
    let written = stream(store, selection, format, out, Watch::nobody()).await?;
    written.context("cannot write to standard output")?;
    Ok(())
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
    let watch = Watch::terminal(store, &selection).await?;
    let out = BufWriter::with_capacity(BUFFER, SyncedFile::begin(unfinished.reopen()?)?);
    let written = stream(store, selection, format, out, watch)
        .await?
        .with_context(|| format!("cannot write {}", file.display()))?;
    finish(unfinished, file, folder, force)
        .with_context(|| format!("cannot finish {}", file.display()))?;
    eprintln!("{} in {}", counted(written, "quote"), file.display());
    Ok(())
}

/// The content is on disk by now (`Synced`); the name is before we say so.
fn finish(unfinished: NamedTempFile, file: &Path, folder: &Path, force: bool) -> io::Result<()> {
    if force {
        unfinished.persist(file)?;
    } else {
        unfinished.persist_noclobber(file)?;
    }
    File::open(folder)?.sync_all()
}

/// Writes every selected quote; says how many. The inner error is the writer's.
async fn stream(
    store: &Store,
    selection: Selection,
    format: Format,
    out: impl Write + Send + 'static,
    watch: Watch,
) -> Result<io::Result<u64>> {
    let begun: io::Result<Box<dyn Rows>> = match format {
        Format::Csv => CsvRows::begin(Box::new(out)).map(|rows| Box::new(rows) as Box<dyn Rows>),
        Format::Json => JsonRows::array(Box::new(out)).map(|rows| Box::new(rows) as Box<dyn Rows>),
        Format::Jsonl => Ok(Box::new(JsonRows::lines(Box::new(out)))),
    };
    let sink = match begun.and_then(ExportWriter::begin) {
        Ok(writing) => (writing, 0),
        Err(error) => return Ok(Err(error)),
    };
    let bar = watch.bar.clone();
    let ended = store
        .export_quotes(selection, sink, move |(writing, written), quote| {
            *written += 1;
            if *written % LOOK == 0 {
                watch.look(*written)?;
            }
            writing.quote(quote)
        })
        .await?;
    bar.finish_and_clear();
    Ok(ended.and_then(|(writing, written)| writing.end().map(|()| written)))
}

/// Who watches the export: a terminal sees a bar, and may stop it so that nothing unfinished is left behind.
struct Watch {
    bar: ProgressBar,
    stopped: Arc<AtomicBool>,
}

impl Watch {
    /// Nobody: whoever reads a pipe ends it by closing it.
    fn nobody() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            stopped: Arc::default(),
        }
    }

    async fn terminal(store: &Store, selection: &Selection) -> Result<Self> {
        let watch = Self {
            bar: match io::stderr().is_terminal() {
                true => bar(store.count_quotes(selection.clone()).await?),
                false => ProgressBar::hidden(),
            },
            ..Self::nobody()
        };
        let stopped = watch.stopped.clone();
        tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                stopped.store(true, Ordering::Relaxed);
            }
        });
        Ok(watch)
    }

    fn look(&self, written: u64) -> io::Result<()> {
        self.bar.set_position(written);
        if self.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::new(ErrorKind::Interrupted, "stopped"));
        }
        Ok(())
    }
}

fn bar(quotes: u64) -> ProgressBar {
    let bar = ProgressBar::new(quotes);
    match ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} quotes, {eta} left") {
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
