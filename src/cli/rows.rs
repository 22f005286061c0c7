//! The forms in which `export-quotes` writes rows: a table (RFC 4180), one JSON array, or a JSON object a line.

use std::io::{self, Write};
use std::sync::LazyLock;

use super::batch::{Value, Values};
use crate::domain::text::is_invisible;
use crate::store::EXPORT_COLUMNS;

/// Takes exported quotes one by one.
pub(super) trait Rows: Send {
    /// Writes one quote.
    fn row(&mut self, quote: &Values<'_>) -> io::Result<()>;
    /// Writes what comes after the last, and everything out.
    fn end(self: Box<Self>) -> io::Result<()>;
}

/// The one column that is JSON already.
const JSON: &str = "attribution";

/// Each column's name as it stands in a JSON object.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let key = |(column, name)| format!("{}\"{name}\":", if column == 0 { "" } else { "," });
    EXPORT_COLUMNS.iter().enumerate().map(key).collect()
});

type Out = Box<dyn Write + Send>;

/// A table with a head.
pub(super) struct CsvRows(csv::Writer<Out>);

impl CsvRows {
    pub(super) fn begin(out: Out) -> io::Result<Self> {
        let mut table = csv::WriterBuilder::new()
            .buffer_capacity(1 << 16)
            .from_writer(out);
        table.write_record(EXPORT_COLUMNS).map_err(plain)?;
        Ok(Self(table))
    }
}

impl Rows for CsvRows {
    fn row(&mut self, quote: &Values<'_>) -> io::Result<()> {
        for value in quote {
            let cell: &[u8] = match value {
                Value::Nothing => b"",
                Value::Flag(false) => b"false",
                Value::Flag(true) => b"true",
                Value::Text(text) => text,
            };
            if is_formula(cell) {
                let quoted = [b"'", cell].concat();
                self.0.write_field(quoted).map_err(plain)?;
            } else {
                self.0.write_field(cell).map_err(plain)?;
            }
        }
        self.0.write_record(None::<&[u8]>).map_err(plain)
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a spreadsheet would take the cell for a formula (OWASP, CSV injection): by its first
/// character that shows, in ASCII or full width.
fn is_formula(cell: &[u8]) -> bool {
    match cell.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n') => true,
        Some(b' ' | 0x80..) => String::from_utf8_lossy(cell)
            .trim_start_matches(shows_nothing)
            .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']),
        _ => false,
    }
}

/// Whether a spreadsheet may skip the character: what cleaning removes, white space, and the
/// joiners and selectors that cleaning keeps.
fn shows_nothing(c: char) -> bool {
    c.is_whitespace()
        || is_invisible(c)
        || matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// The error below the csv library's own.
fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// JSON objects, as an array or a line each.
pub(super) struct JsonRows {
    out: Out,
    array: bool,
    first: bool,
}

impl JsonRows {
    pub(super) fn array(mut out: Out) -> io::Result<Self> {
        out.write_all(b"[")?;
        Ok(Self {
            out,
            array: true,
            first: true,
        })
    }

    pub(super) fn lines(out: Out) -> Self {
        Self {
            out,
            array: false,
            first: true,
        }
    }
}

impl Rows for JsonRows {
    fn row(&mut self, quote: &Values<'_>) -> io::Result<()> {
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
                Value::Nothing => self.out.write_all(b"null")?,
                Value::Flag(false) => self.out.write_all(b"false")?,
                Value::Flag(true) => self.out.write_all(b"true")?,
                Value::Text(json) if name == JSON => self.out.write_all(json)?,
                Value::Text(text) => {
                    serde_json::to_writer(&mut self.out, &String::from_utf8_lossy(text))?;
                }
            }
        }
        self.out.write_all(b"}")
    }

    fn end(mut self: Box<Self>) -> io::Result<()> {
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
