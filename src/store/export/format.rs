//! The formats of an export: CSV (RFC 4180), one JSON array, or JSON lines.

use std::io::{self, Write};

use super::excel;
use crate::{ExportColumn, ExportValue};
use domain::text::is_invisible;

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

impl Format {
    /// Writes the beginning of an export to `out`; the writer receives the rows and the end. Fails
    /// if `out` cannot be written.
    pub(super) fn begin(
        self,
        columns: &'static [ExportColumn],
        out: impl Write + Send + 'static,
    ) -> io::Result<Box<dyn RowWriter>> {
        let mut out = Box::new(out);
        Ok(match self {
            Self::Csv { bom } => {
                if bom {
                    out.write_all(BYTE_ORDER_MARK)?;
                }
                Box::new(CsvWriter::begin(columns, bom, out)?)
            }
            Self::Json => Box::new(JsonWriter::begin_array(columns, out)?),
            Self::Jsonl => Box::new(JsonWriter::lines(columns, out)),
        })
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Writes exported requests in one format.
pub(super) trait RowWriter: Send {
    /// Writes one request.
    fn write(&mut self, values: &[ExportValue<'_>]) -> io::Result<()>;
    /// Writes what follows the last request, and flushes the output.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The columns whose value is JSON.
const JSON_COLUMNS: [&str; 2] = ["attribution", "extra_fields"];

type Output = Box<dyn Write + Send>;

/// A table with a header row.
struct CsvWriter {
    table: csv::Writer<Output>,
    columns: &'static [ExportColumn],
    is_for_excel: bool,
}

impl CsvWriter {
    fn begin(
        columns: &'static [ExportColumn],
        is_for_excel: bool,
        out: Output,
    ) -> io::Result<Self> {
        let mut table = csv::WriterBuilder::new()
            .buffer_capacity(1 << 16)
            .from_writer(out);
        let names = columns.iter().map(|column| column.name());
        table.write_record(names).map_err(to_io_error)?;
        Ok(Self {
            table,
            columns,
            is_for_excel,
        })
    }
}

impl RowWriter for CsvWriter {
    fn write(&mut self, values: &[ExportValue<'_>]) -> io::Result<()> {
        for (value, column) in values.iter().zip(self.columns) {
            let cell: &[u8] = match value {
                ExportValue::Null => b"",
                ExportValue::Bool(false) => b"false",
                ExportValue::Bool(true) => b"true",
                ExportValue::Text(text) => text,
            };
            if is_formula(cell) {
                let escaped = [b"'", cell].concat();
                self.table.write_field(escaped).map_err(to_io_error)?;
                continue;
            }
            let text = std::str::from_utf8(cell).ok().filter(|_| self.is_for_excel);
            let kept = text.and_then(|text| excel::kept(column.name(), text));
            let cell = kept.as_ref().map_or(cell, String::as_bytes);
            self.table.write_field(cell).map_err(to_io_error)?;
        }
        self.table.write_record(None::<&[u8]>).map_err(to_io_error)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.table.flush()
    }
}

/// Whether a spreadsheet would evaluate the cell as a formula (OWASP, CSV injection): decided by
/// its first visible character, in ASCII or full width.
fn is_formula(cell: &[u8]) -> bool {
    match cell.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n') => true,
        Some(b' ' | 0x80..) => String::from_utf8_lossy(cell)
            .trim_start_matches(is_skipped)
            .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']),
        _ => false,
    }
}

/// Whether a spreadsheet may skip the character: those that cleaning removes, white space, and
/// the joiners and selectors that cleaning keeps.
fn is_skipped(c: char) -> bool {
    c.is_whitespace()
        || is_invisible(c)
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// Unwraps the IO error inside an error of the csv library.
fn to_io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// JSON objects, in an array or one per line.
struct JsonWriter {
    out: Output,
    /// One for each column.
    keys: Vec<JsonKey>,
    array: bool,
    first: bool,
}

struct JsonKey {
    /// In the format of an object, with the comma before it.
    text: String,
    /// Whether the values are JSON.
    is_json: bool,
}

impl JsonWriter {
    fn begin_array(columns: &'static [ExportColumn], mut out: Output) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self {
            array: true,
            ..Self::lines(columns, out)
        })
    }

    fn lines(columns: &'static [ExportColumn], out: Output) -> Self {
        let key = |(index, column): (usize, &ExportColumn)| {
            let comma = if index == 0 { "" } else { "," };
            let is_json = JSON_COLUMNS.contains(&column.name());
            JsonKey {
                text: format!("{comma}\"{}\":", column.name()),
                is_json,
            }
        };
        Self {
            out,
            keys: columns.iter().enumerate().map(key).collect(),
            array: false,
            first: true,
        }
    }
}

impl RowWriter for JsonWriter {
    fn write(&mut self, values: &[ExportValue<'_>]) -> io::Result<()> {
        let before: &[u8] = match (self.array, self.first) {
            (true, true) => b"\n{",
            (true, false) => b",\n{",
            (false, true) => b"{",
            (false, false) => b"\n{",
        };
        self.out.write_all(before)?;
        self.first = false;
        for (value, key) in values.iter().zip(&self.keys) {
            self.out.write_all(key.text.as_bytes())?;
            match value {
                ExportValue::Null => self.out.write_all(b"null")?,
                ExportValue::Bool(false) => self.out.write_all(b"false")?,
                ExportValue::Bool(true) => self.out.write_all(b"true")?,
                ExportValue::Text(json) if key.is_json => self.out.write_all(json)?,
                ExportValue::Text(text) => {
                    serde_json::to_writer(&mut self.out, &String::from_utf8_lossy(text))?;
                }
            }
        }
        self.out.write_all(b"}")
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        let after: &[u8] = match (self.array, self.first) {
            (true, true) => b"]\n",
            (true, false) => b"\n]\n",
            (false, true) => b"",
            (false, false) => b"\n",
        };
        self.out.write_all(after)?;
        self.out.flush()
    }
}
