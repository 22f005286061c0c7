//! Copies of some hundred requests, sent from the reading thread to the writing thread.

use crate::{ExportColumn, ExportRow, ExportValue};
use domain::text::strip_invisible;

/// Bytes of text after which a batch is full.
const FULL: usize = 1 << 16;

/// The values of several requests, with their texts in one buffer.
pub(super) struct Batch {
    columns: &'static [ExportColumn],
    text: Vec<u8>,
    values: Vec<StoredValue>,
}

#[derive(Clone, Copy)]
enum StoredValue {
    Null,
    Bool(bool),
    /// The length of the value in `Batch::text`, where values follow each other without gaps.
    Text(usize),
}

impl Batch {
    pub(super) fn new(columns: &'static [ExportColumn]) -> Self {
        Self {
            columns,
            text: Vec::with_capacity(FULL + FULL / 8),
            values: Vec::with_capacity(FULL / 16),
        }
    }

    pub(super) fn columns(&self) -> &'static [ExportColumn] {
        self.columns
    }

    /// Appends a copy of a request without invisible characters (`domain::text`).
    pub(super) fn push(&mut self, request: &ExportRow<'_>) {
        let Self {
            columns,
            text,
            values,
        } = self;
        values.extend(request.values(columns).map(|value| match value {
            ExportValue::Null => StoredValue::Null,
            ExportValue::Bool(flag) => StoredValue::Bool(flag),
            ExportValue::Text(bytes) => {
                let start = text.len();
                match std::str::from_utf8(bytes) {
                    Ok(unicode) if !bytes.is_ascii() => {
                        text.extend_from_slice(strip_invisible(unicode).as_bytes());
                    }
                    _ => text.extend_from_slice(bytes),
                }
                StoredValue::Text(text.len() - start)
            }
        }));
    }

    /// Whether the batch should be sent.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= FULL
    }

    /// Calls `each` with the values of each request, in the order in which they were appended.
    /// Errors: the first error of `each`.
    pub(super) fn for_each<E>(
        &self,
        mut each: impl FnMut(&[ExportValue<'_>]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut text = self.text.as_slice();
        let mut values = Vec::with_capacity(self.columns.len());
        for request in self.values.chunks_exact(self.columns.len()) {
            values.clear();
            values.extend(request.iter().map(|stored| match stored {
                StoredValue::Null => ExportValue::Null,
                StoredValue::Bool(flag) => ExportValue::Bool(*flag),
                StoredValue::Text(length) => {
                    let (value, rest) = text.split_at(*length);
                    text = rest;
                    ExportValue::Text(value)
                }
            }));
            each(&values)?;
        }
        Ok(())
    }
}
