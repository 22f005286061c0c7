//! `guardpost export-quotes` and `guardpost export-messages`: stream requests from the database to
//! a file or a pipe.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;

use super::export_filter::FilterArgs;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::synced_file::SyncedFile;
use crate::cli::startup::global_args::GlobalArgs;
use domain::request::RequestKind;
use store::export::{ExportWriter, Format};
use store::{ExportColumn, ExportRow, MESSAGE_COLUMNS, QUOTE_COLUMNS, RequestFilter, Store};

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
    guardpost export-quotes --since 2026-10-01 --until 2026-10-31 --output october.csv --force\n  \
    guardpost export-quotes --state TX --overdue --assignee nobody")]
pub(in crate::cli) struct ExportQuotes {
    #[command(flatten)]
    export: ExportArgs,
}

/// Export contact messages to a file or to standard output, oldest first.
///
/// As export-quotes, with the same options.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost export-messages --output messages.csv\n  \
    guardpost export-messages --status pending --from 2026-10-01 --to 2026-10-31")]
pub(in crate::cli) struct ExportMessages {
    #[command(flatten)]
    export: ExportArgs,
}

#[derive(Args)]
struct ExportArgs {
    /// csv: a table with a header row; json: one array; jsonl: one object per line
    #[arg(long, default_value = "csv", value_parser = parse_format)]
    format: Format,
    #[command(flatten)]
    filter: FilterArgs,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Begin a CSV file without the byte order mark by which Excel knows UTF-8: for scripts
    #[arg(long)]
    no_bom: bool,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
}

/// Bytes buffered before a write.
const BUFFER: usize = 1 << 16;
/// Requests between two updates of the progress bar, and two checks for Ctrl-C.
const PROGRESS_INTERVAL: u64 = 1000;

impl ExportQuotes {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        self.export.run(globals, RequestKind::Quote).await
    }
}

impl ExportMessages {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        self.export.run(globals, RequestKind::Message).await
    }
}

/// The subject of the export.
struct Export {
    store: Store,
    kind: RequestKind,
    filter: RequestFilter,
    search: String,
    format: Format,
}

impl ExportArgs {
    async fn run(self, globals: &GlobalArgs, kind: RequestKind) -> Result<()> {
        let config = globals.settings()?;
        self.filter.check()?;
        let store = GlobalArgs::open_existing(&config)?;
        let search = self.filter.search.clone().unwrap_or_default();
        let filter = self.filter.resolve(&config, &store, kind).await?;
        let export = Export {
            store,
            kind,
            filter,
            search,
            format: match self.format {
                Format::Csv { .. } => Format::Csv { bom: !self.no_bom },
                format => format,
            },
        };
        match self.output {
            Some(file) => export.write_file(&file, self.force).await,
            None => export.write_stdout().await,
        }
    }
}

impl Export {
    async fn write_stdout(self) -> Result<()> {
        let out = BufWriter::with_capacity(BUFFER, io::stdout());
        let result = self.stream(out, Progress::hidden()).await?;
        result.context("cannot write to standard output")?;
        Ok(())
    }

    async fn write_file(self, file: &Path, force: bool) -> Result<()> {
        if !force && file.exists() {
            bail!("{} exists already; --force overwrites it", file.display());
        }
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let temporary = NamedTempFile::with_prefix_in(".guardpost-export-", folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        let progress = Progress::on_terminal(&self).await?;
        let out = BufWriter::with_capacity(BUFFER, SyncedFile::new(temporary.reopen()?)?);
        let noun = self.kind.as_str();
        let written = self
            .stream(out, progress)
            .await?
            .with_context(|| format!("cannot write {}", file.display()))?;
        rename(temporary, file, folder, force)
            .with_context(|| format!("cannot finish {}", file.display()))?;
        eprintln!("{} in {}", count_noun(written, noun), file.display());
        Ok(())
    }

    const fn columns(&self) -> &'static [ExportColumn] {
        match self.kind {
            RequestKind::Quote => QUOTE_COLUMNS,
            RequestKind::Message => MESSAGE_COLUMNS,
        }
    }

    /// Writes every selected request to `out`; returns their number. The inner error is one of
    /// `out`.
    async fn stream(
        self,
        out: impl Write + Send + 'static,
        progress: Progress,
    ) -> Result<io::Result<u64>> {
        let sink = match ExportWriter::start(self.format, self.columns(), out) {
            Ok(writer) => (writer, 0),
            Err(error) => return Ok(Err(error)),
        };
        let bar = progress.bar.clone();
        let each = move |(writer, written): &mut (ExportWriter, u64), request: &ExportRow<'_>| {
            *written += 1;
            if *written % PROGRESS_INTERVAL == 0 {
                progress.update(*written)?;
            }
            writer.push(request)
        };
        let result = self
            .store
            .export_requests(self.filter, self.search, sink, each)
            .await?;
        bar.finish_and_clear();
        Ok(result.and_then(|(writer, written)| writer.finish().map(|()| written)))
    }
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

    async fn on_terminal(export: &Export) -> Result<Self> {
        let count = export
            .store
            .count_requests(export.filter.clone(), &export.search);
        let progress = Self {
            bar: match (io::stderr().is_terminal(), count.await?) {
                (true, Some(requests)) => progress_bar(requests),
                _ => ProgressBar::hidden(),
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

fn progress_bar(requests: u64) -> ProgressBar {
    let bar = ProgressBar::new(requests);
    match ProgressStyle::with_template("{bar:40} {human_pos} of {human_len}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn parse_format(name: &str) -> Result<Format> {
    match name {
        "csv" => Ok(Format::Csv { bom: true }),
        "json" => Ok(Format::Json),
        "jsonl" => Ok(Format::Jsonl),
        _ => bail!("expected csv, json or jsonl"),
    }
}
