//! The formats of an export: CSV (RFC 4180), one JSON array, or JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use super::excel;
use crate::inbox::export::{ExportRow, ExportValue};
use crate::inbox::export_columns::ExportColumn;
use domain::text::{strip_invisible, unevaluated};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table with a header row.
    Csv {
        /// Whether it is for Excel: it begins with the byte order mark from which Excel detects
        /// UTF-8, and text that Excel would change is kept as it is.
        bom: bool,
    },
    /// One array.
    Json,
    /// One object per line.
    Jsonl,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The columns whose value is JSON.
const JSON_COLUMNS: [&str; 2] = ["attribution", "extra_fields"];

/// Writes requests in one format, without invisible characters (`domain::text`).
pub struct ExportWriter<W: Write> {
    columns: &'static [ExportColumn],
    rows: Rows<W>,
}

enum Rows<W: Write> {
    Csv {
        table: Box<csv::Writer<W>>,
        is_for_excel: bool,
    },
    Json(JsonWriter<W>),
}

impl<W: Write> ExportWriter<W> {
    /// Writes the beginning of an export of `columns` to `out`. Fails if `out` cannot be written.
    pub fn start(format: Format, columns: &'static [ExportColumn], mut out: W) -> io::Result<Self> {
        let rows = match format {
            Format::Csv { bom } => {
                if bom {
                    out.write_all(BYTE_ORDER_MARK)?;
                }
                let mut table = Box::new(csv::Writer::from_writer(out));
                let names = columns.iter().map(|column| column.name());
                table.write_record(names).map_err(to_io_error)?;
                Rows::Csv {
                    table,
                    is_for_excel: bom,
                }
            }
            Format::Json => {
                out.write_all(b"[")?;
                Rows::Json(JsonWriter::new(out, true))
            }
            Format::Jsonl => Rows::Json(JsonWriter::new(out, false)),
        };
        Ok(Self { columns, rows })
    }

    /// Writes a request.
    pub fn push(&mut self, request: &ExportRow<'_>) -> io::Result<()> {
        let values = request.values(self.columns);
        match &mut self.rows {
            Rows::Csv {
                table,
                is_for_excel,
            } => write_record(table, self.columns, values, *is_for_excel),
            Rows::Json(json) => json.write(self.columns, values),
        }
    }

    /// Writes what follows the last request, and flushes the output; returns it.
    pub fn finish(self) -> io::Result<W> {
        match self.rows {
            Rows::Csv { mut table, .. } => {
                table.flush()?;
                (*table)
                    .into_inner()
                    .map_err(|error| io::Error::other(error.to_string()))
            }
            Rows::Json(json) => json.finish(),
        }
    }
}

fn write_record<'a>(
    table: &mut csv::Writer<impl Write>,
    columns: &[ExportColumn],
    values: impl Iterator<Item = ExportValue<'a>>,
    is_for_excel: bool,
) -> io::Result<()> {
    for (value, column) in values.zip(columns) {
        let cell = match value {
            ExportValue::Null => "".into(),
            ExportValue::Bool(flag) => flag.to_string().into(),
            ExportValue::Text(text) => visible(text),
        };
        let shown = match unevaluated(&cell) {
            Cow::Borrowed(cell) if is_for_excel => {
                excel::kept(column.name(), cell).map_or(Cow::Borrowed(cell), Cow::Owned)
            }
            shown => shown,
        };
        table.write_field(&*shown).map_err(to_io_error)?;
    }
    table.write_record(None::<&[u8]>).map_err(to_io_error)
}

/// A text without invisible characters.
fn visible(text: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(text) {
        Cow::Borrowed(text) if text.is_ascii() => Cow::Borrowed(text),
        Cow::Borrowed(text) => strip_invisible(text),
        Cow::Owned(text) => Cow::Owned(strip_invisible(&text).into_owned()),
    }
}

/// Unwraps the IO error inside an error of the csv library.
fn to_io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// JSON objects, in an array or one per line.
struct JsonWriter<W> {
    out: W,
    array: bool,
    first: bool,
}

impl<W: Write> JsonWriter<W> {
    const fn new(out: W, array: bool) -> Self {
        let first = true;
        Self { out, array, first }
    }

    fn write<'a>(
        &mut self,
        columns: &[ExportColumn],
        values: impl Iterator<Item = ExportValue<'a>>,
    ) -> io::Result<()> {
        let before: &[u8] = match (self.array, self.first) {
            (true, true) | (false, false) => b"\n",
            (true, false) => b",\n",
            (false, true) => b"",
        };
        self.out.write_all(before)?;
        self.first = false;
        let mut mark = '{';
        for (column, value) in columns.iter().zip(values) {
            write!(self.out, "{mark}\"{}\":", column.name())?;
            mark = ',';
            match value {
                ExportValue::Null => self.out.write_all(b"null")?,
                ExportValue::Bool(flag) => write!(self.out, "{flag}")?,
                ExportValue::Text(json) if JSON_COLUMNS.contains(&column.name()) => {
                    self.out.write_all(visible(json).as_bytes())?;
                }
                ExportValue::Text(text) => serde_json::to_writer(&mut self.out, &visible(text))?,
            }
        }
        self.out.write_all(b"}")
    }

    fn finish(mut self) -> io::Result<W> {
        let after: &[u8] = match (self.array, self.first) {
            (true, true) => b"]\n",
            (true, false) => b"\n]\n",
            (false, true) => b"",
            (false, false) => b"\n",
        };
        self.out.write_all(after)?;
        self.out.flush()?;
        Ok(self.out)
    }
}
