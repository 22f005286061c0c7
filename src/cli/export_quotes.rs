//! `guardpost export-quotes`: streams quotes from the database to a file or a pipe.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;

use super::count_noun;
use super::export::{ExportWriter, Format, SyncedFile};
use super::global_args::GlobalArgs;
use crate::domain::clock::Time;
use crate::domain::quote::Status;
use crate::store::{Selection, Store};

/// Export quotes to a file or to standard output, oldest first.
///
/// The export is a snapshot: it shows the database as of its start, and the server may keep
/// running. A file gets its name only when it is complete, and only you can read it, since it
/// holds personal data. In CSV, a cell that a spreadsheet would evaluate as a formula starts with
/// an apostrophe.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost export-quotes --output quotes.csv\n  \
    guardpost export-quotes --status pending,in_progress --format jsonl | jq .location\n  \
    guardpost export-quotes --since 2026-10-01 --until 2026-10-31 --output october.csv --force")]
pub(super) struct ExportQuotes {
    /// csv: a table with a header row; json: one array; jsonl: one object per line
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only quotes in these statuses (comma-separated): pending, in_progress, completed, cancelled
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = parse_status)]
    status: Vec<Status>,
    /// Only quotes since this day or time (UTC), e.g. 2026-11-01 or 2026-11-01T08:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_since)]
    since: Option<Time>,
    /// Only quotes until the end of this day, or before this time (UTC)
    #[arg(long, value_name = "TIME", value_parser = parse_until)]
    until: Option<Time>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

/// Bytes that are buffered before a write.
const BUFFER: usize = 1 << 16;
/// Quotes between two updates of the progress bar, and two checks for Ctrl-C.
const PROGRESS_INTERVAL: u64 = 1000;

impl ExportQuotes {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        if let (Some(since), Some(until)) = (self.since, self.until)
            && since >= until
        {
            bail!("--since is not before --until, so no quote can match");
        }
        let store = GlobalArgs::open_existing(&globals.settings()?)?;
        let selection = Selection {
            statuses: self.status,
            since: self.since,
            until: self.until,
        };
        match self.output {
            Some(file) => export_to_file(&store, selection, self.format, &file, self.force).await,
            None => export_to_stdout(&store, selection, self.format).await,
        }
    }
}

async fn export_to_stdout(store: &Store, selection: Selection, format: Format) -> Result<()> {
    let out = BufWriter::with_capacity(BUFFER, io::stdout());
    let result = stream(store, selection, format, out, Progress::hidden()).await?;
    result.context("cannot write to standard output")?;
    Ok(())
}

async fn export_to_file(
    store: &Store,
    selection: Selection,
    format: Format,
    file: &Path,
    force: bool,
) -> Result<()> {
    if !force && file.exists() {
        bail!("{} exists already; --force overwrites it", file.display());
    }
    let folder = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let temporary = NamedTempFile::with_prefix_in(".guardpost-export-", folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    let progress = Progress::on_terminal(store, &selection).await?;
    let out = BufWriter::with_capacity(BUFFER, SyncedFile::new(temporary.reopen()?)?);
    let written = stream(store, selection, format, out, progress)
        .await?
        .with_context(|| format!("cannot write {}", file.display()))?;
    rename(temporary, file, folder, force)
        .with_context(|| format!("cannot finish {}", file.display()))?;
    eprintln!("{} in {}", count_noun(written, "quote"), file.display());
    Ok(())
}

/// Gives the finished file its name. Its content is synced already (`SyncedFile`); the folder is
/// synced here, so that the name survives a power failure too.
fn rename(temporary: NamedTempFile, file: &Path, folder: &Path, force: bool) -> io::Result<()> {
    if force {
        temporary.persist(file)?;
    } else {
        temporary.persist_noclobber(file)?;
    }
    File::open(folder)?.sync_all()
}

/// Writes every selected quote to `out`; returns their number. The inner error is one of `out`.
async fn stream(
    store: &Store,
    selection: Selection,
    format: Format,
    out: impl Write + Send + 'static,
    progress: Progress,
) -> Result<io::Result<u64>> {
    let sink = match format.begin(out).and_then(ExportWriter::start) {
        Ok(writer) => (writer, 0),
        Err(error) => return Ok(Err(error)),
    };
    let bar = progress.bar.clone();
    let result = store
        .export_quotes(selection, sink, move |(writer, written), quote| {
            *written += 1;
            if *written % PROGRESS_INTERVAL == 0 {
                progress.update(*written)?;
            }
            writer.push(quote)
        })
        .await?;
    bar.finish_and_clear();
    Ok(result.and_then(|(writer, written)| writer.finish().map(|()| written)))
}

/// A progress bar on the terminal, and whether Ctrl-C was pressed: the export then stops and
/// removes its temporary file.
struct Progress {
    bar: ProgressBar,
    canceled: Arc<AtomicBool>,
}

impl Progress {
    /// No progress bar, and Ctrl-C ends the process: for output to a pipe.
    fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            canceled: Arc::default(),
        }
    }

    async fn on_terminal(store: &Store, selection: &Selection) -> Result<Self> {
        let progress = Self {
            bar: match io::stderr().is_terminal() {
                true => progress_bar(store.count_quotes(selection.clone()).await?),
                false => ProgressBar::hidden(),
            },
            ..Self::hidden()
        };
        let canceled = progress.canceled.clone();
        tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                canceled.store(true, Ordering::Relaxed);
            }
        });
        Ok(progress)
    }

    fn update(&self, written: u64) -> io::Result<()> {
        self.bar.set_position(written);
        if self.canceled.load(Ordering::Relaxed) {
            return Err(io::Error::new(ErrorKind::Interrupted, "canceled"));
        }
        Ok(())
    }
}

fn progress_bar(quotes: u64) -> ProgressBar {
    let bar = ProgressBar::new(quotes);
    match ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} quotes, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn parse_status(name: &str) -> Result<Status> {
    Status::parse(name).ok_or_else(|| {
        anyhow!(
            "expected one of {}",
            Status::ALL.map(|status| status.as_str()).join(", ")
        )
    })
}

fn parse_since(text: &str) -> Result<Time> {
    Time::parse(text).context("expected a day like 2026-11-01 or a time like 2026-11-01T08:00:00Z")
}

/// A day without a time means the end of that day.
fn parse_until(text: &str) -> Result<Time> {
    let time = parse_since(text)?;
    Ok(if text.len() == "2026-11-01".len() {
        time.plus_seconds(24 * 60 * 60)
    } else {
        time
    })
}
