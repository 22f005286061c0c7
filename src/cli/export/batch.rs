//! Copies of some hundred quotes, sent from the reading thread to the writing thread.

use crate::domain::text::strip_invisible;
use crate::store::{EXPORT_COLUMNS, ExportRow, ExportValue};

/// Bytes of text after which a batch is full.
const FULL: usize = 1 << 16;

/// One quote's values in the order of `EXPORT_COLUMNS`.
pub(super) type Values<'a> = [ExportValue<'a>; EXPORT_COLUMNS.len()];

/// The values of several quotes, with their texts in one buffer.
pub(super) struct Batch {
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
    pub(super) fn new() -> Self {
        Self {
            text: Vec::with_capacity(FULL + FULL / 8),
            values: Vec::with_capacity(FULL / 16),
        }
    }

    /// Appends a copy of a quote without invisible characters (`domain::text`).
    pub(super) fn push(&mut self, quote: &ExportRow<'_>) {
        let Self { text, values } = self;
        values.extend(quote.values().map(|value| match value {
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

    /// The quotes in the order in which they were appended.
    pub(super) fn quotes(&self) -> impl Iterator<Item = Values<'_>> {
        let (quotes, _) = self.values.as_chunks::<{ EXPORT_COLUMNS.len() }>();
        let mut text = self.text.as_slice();
        quotes.iter().map(move |quote| {
            quote.map(|stored| match stored {
                StoredValue::Null => ExportValue::Null,
                StoredValue::Bool(flag) => ExportValue::Bool(flag),
                StoredValue::Text(length) => {
                    let (value, rest) = text.split_at(length);
                    text = rest;
                    ExportValue::Text(value)
                }
            })
        })
    }
}
