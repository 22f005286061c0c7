//! Offers and receipts as PDF: tagged for screen readers (PDF/UA-1), with subset fonts, and the
//! same bytes for the same document. `offer` and `receipt` say what is on the pages, `layout`
//! places it, `writer` draws it.

mod error;
mod fonts;
mod layout;
mod line;
mod offer;
mod parts;
mod receipt;
mod style;
#[cfg(test)]
mod tests;
mod writer;

pub use self::error::PdfError;
pub use self::offer::pdf;
pub use self::receipt::receipt_pdf;
