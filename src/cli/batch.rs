//! Quotes on the way from the thread that reads them to the one that writes them: their values, as they are, some hundred quotes at a time.

use rusqlite::types::ValueRef;

use crate::domain::text::visible;
use crate::store::{EXPORT_COLUMNS, Exported};

/// Bytes of text after which a batch is full.
const FULL: usize = 1 << 16;

/// A value of an exported quote.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Nothing,
    Flag(bool),
    Text(&'a [u8]),
}

/// One quote's values in the order of `EXPORT_COLUMNS`.
pub(super) type Values<'a> = [Value<'a>; EXPORT_COLUMNS.len()];

/// Some quotes.
pub(super) struct Batch {
    text: Vec<u8>,
    kept: Vec<Kept>,
}

#[derive(Clone, Copy)]
enum Kept {
    Nothing,
    Flag(bool),
    /// This many bytes of the text.
    Text(usize),
}

impl Batch {
    pub(super) fn new() -> Self {
        Self {
            text: Vec::with_capacity(FULL + FULL / 8),
            kept: Vec::with_capacity(FULL / 16),
        }
    }

    /// Takes a copy of a quote, without invisible characters (`domain::text`).
    pub(super) fn push(&mut self, quote: &Exported<'_>) {
        for column in 0..EXPORT_COLUMNS.len() {
            self.kept.push(match quote.value(column) {
                ValueRef::Integer(flag) => Kept::Flag(flag != 0),
                ValueRef::Text(text) => {
                    let before = self.text.len();
                    match std::str::from_utf8(text) {
                        Ok(shown) if !text.is_ascii() => {
                            self.text.extend_from_slice(visible(shown).as_bytes());
                        }
                        _ => self.text.extend_from_slice(text),
                    }
                    Kept::Text(self.text.len() - before)
                }
                _ => Kept::Nothing,
            });
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= FULL
    }

    /// Its quotes in their order.
    pub(super) fn quotes(&self) -> impl Iterator<Item = Values<'_>> {
        let (quotes, _) = self.kept.as_chunks::<{ EXPORT_COLUMNS.len() }>();
        let mut text = self.text.as_slice();
        quotes.iter().map(move |quote| {
            quote.map(|kept| match kept {
                Kept::Nothing => Value::Nothing,
                Kept::Flag(flag) => Value::Flag(flag),
                Kept::Text(length) => {
                    let (value, rest) = text.split_at(length);
                    text = rest;
                    Value::Text(value)
                }
            })
        })
    }
}
