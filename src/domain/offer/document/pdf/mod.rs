//! Offers and receipts as PDF: tagged for screen readers (PDF/UA-1), with subset fonts, and the
//! same bytes for the same document. `offer` and `receipt` say what is on the pages, `layout`
//! places it, `writer` draws it.

mod error;
pub(crate) mod fonts;
pub(crate) mod layout;
pub(crate) mod line;
mod offer;
pub(crate) mod parts;
mod receipt;
pub(crate) mod style;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod writer;

pub use self::error::PdfError;
pub use self::offer::pdf;
pub use self::receipt::receipt_pdf;
