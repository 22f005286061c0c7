//! `guardpost export-quotes` and `guardpost export-messages`: stream requests from the database to
//! a file or a pipe.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::export_filter::FilterArgs;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::new_file::NewFile;
use crate::cli::output::print::StandardOutput;
use crate::cli::startup::global_args::GlobalArgs;
use domain::request::RequestKind;
use store::Store;
use store::export::{ExportWriter, Format};
use store::inbox::export::ExportRow;
use store::inbox::export_columns::{ExportColumn, MESSAGE_COLUMNS, QUOTE_COLUMNS};
use store::lists::filter::RequestFilter;

/// Export quotes to a file or to standard output, oldest first.
///
/// The export is a snapshot: it shows the database as of its start, and the server may keep
/// running. A file gets its name only when it is complete, and only you can read it, since it
/// holds personal data. In CSV, a cell that a spreadsheet would evaluate as a formula starts with
/// an apostrophe.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost export-quotes --out quotes.csv\n  \
    guardpost export-quotes --status pending,in_progress --format jsonl | jq .location\n  \
    guardpost export-quotes --from 2026-10-01 --to 2026-10-31 --out october.csv --force\n  \
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
    guardpost export-messages --out messages.csv\n  \
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
    out: Option<PathBuf>,
    /// Begin a CSV file without the byte order mark by which Excel knows UTF-8: for scripts
    #[arg(long)]
    no_bom: bool,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    force: bool,
}

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
        match self.out {
            Some(file) => export.write_file(&file, self.force).await,
            None => export.write_stdout().await,
        }
    }
}

impl Export {
    async fn write_stdout(self) -> Result<()> {
        let out = BufWriter::with_capacity(1 << 16, StandardOutput);
        self.stream(out).await?.0.flush()?;
        Ok(())
    }

    async fn write_file(self, file: &Path, force: bool) -> Result<()> {
        if !force && file.exists() {
            bail!("{} exists already; --force overwrites it", file.display());
        }
        let noun = self.kind.as_str();
        let (out, written) = self.stream(NewFile::create(file, force)?).await?;
        out.finish()?;
        note!("{} in {}", count_noun(written, noun), file.display());
        Ok(())
    }

    const fn columns(&self) -> &'static [ExportColumn] {
        match self.kind {
            RequestKind::Quote => QUOTE_COLUMNS,
            RequestKind::Message => MESSAGE_COLUMNS,
        }
    }

    /// Writes every selected request to `out`; returns it, and their number.
    async fn stream<W: Write + Send + 'static>(self, out: W) -> Result<(W, u64)> {
        let sink = (ExportWriter::start(self.format, self.columns(), out)?, 0);
        let each = |(writer, written): &mut (ExportWriter<W>, u64), request: &ExportRow<'_>| {
            *written += 1;
            writer.push(request)
        };
        let result = self
            .store
            .export_requests(self.filter, self.search, sink, each)
            .await?;
        let (writer, written) = result.context("the export cannot be written")?;
        Ok((writer.finish()?, written))
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
