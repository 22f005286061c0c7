//! The formats of `export-quotes`: CSV (RFC 4180), one JSON array, or JSON lines.

use std::io::{self, Write};
use std::sync::LazyLock;

use clap::ValueEnum;

use super::batch::Values;
use crate::domain::text::is_invisible;
use crate::store::{EXPORT_COLUMNS, ExportValue};

/// The format of an export.
#[derive(Clone, Copy, ValueEnum)]
pub(in crate::cli) enum Format {
    Csv,
    Json,
    Jsonl,
}

impl Format {
    /// Writes the beginning of an export to `out`; the writer takes the rows and the end.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub(in crate::cli) fn begin(
        self,
        out: impl Write + Send + 'static,
    ) -> io::Result<Box<dyn RowWriter>> {
        let out = Box::new(out);
        Ok(match self {
            Self::Csv => Box::new(CsvWriter::begin(out)?),
            Self::Json => Box::new(JsonWriter::begin_array(out)?),
            Self::Jsonl => Box::new(JsonWriter::lines(out)),
        })
    }
}

/// Writes exported quotes in one format.
pub(in crate::cli) trait RowWriter: Send {
    /// Writes one quote.
    fn write(&mut self, quote: &Values<'_>) -> io::Result<()>;
    /// Writes what follows the last quote, and flushes the output.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The only column whose value is JSON.
const JSON_COLUMN: &str = "attribution";

/// Each column's key as it is written into a JSON object, with the comma before it.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let key = |(column, name)| format!("{}\"{name}\":", if column == 0 { "" } else { "," });
    EXPORT_COLUMNS.iter().enumerate().map(key).collect()
});

type Output = Box<dyn Write + Send>;

/// A table with a header row.
struct CsvWriter(csv::Writer<Output>);

impl CsvWriter {
    fn begin(out: Output) -> io::Result<Self> {
        let mut table = csv::WriterBuilder::new()
            .buffer_capacity(1 << 16)
            .from_writer(out);
        table.write_record(EXPORT_COLUMNS).map_err(to_io_error)?;
        Ok(Self(table))
    }
}

impl RowWriter for CsvWriter {
    fn write(&mut self, quote: &Values<'_>) -> io::Result<()> {
        for value in quote {
            let cell: &[u8] = match value {
                ExportValue::Null => b"",
                ExportValue::Bool(false) => b"false",
                ExportValue::Bool(true) => b"true",
                ExportValue::Text(text) => text,
            };
            if is_formula(cell) {
                let escaped = [b"'", cell].concat();
                self.0.write_field(escaped).map_err(to_io_error)?;
            } else {
                self.0.write_field(cell).map_err(to_io_error)?;
            }
        }
        self.0.write_record(None::<&[u8]>).map_err(to_io_error)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
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
    array: bool,
    first: bool,
}

impl JsonWriter {
    fn begin_array(mut out: Output) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self {
            out,
            array: true,
            first: true,
        })
    }

    fn lines(out: Output) -> Self {
        Self {
            out,
            array: false,
            first: true,
        }
    }
}

impl RowWriter for JsonWriter {
    fn write(&mut self, quote: &Values<'_>) -> io::Result<()> {
        let before: &[u8] = match (self.array, self.first) {
            (true, true) => b"\n{",
            (true, false) => b",\n{",
            (false, true) => b"{",
            (false, false) => b"\n{",
        };
        self.out.write_all(before)?;
        self.first = false;
        for ((value, name), key) in quote.iter().zip(EXPORT_COLUMNS).zip(KEYS.iter()) {
            self.out.write_all(key.as_bytes())?;
            match value {
                ExportValue::Null => self.out.write_all(b"null")?,
                ExportValue::Bool(false) => self.out.write_all(b"false")?,
                ExportValue::Bool(true) => self.out.write_all(b"true")?,
                ExportValue::Text(json) if name == JSON_COLUMN => self.out.write_all(json)?,
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
