//! What a version of an offer shows, and the bytes that are stored of it: canonical JSON, plain
//! text and PDF. Everything here is a pure function of `Document`; `store` keeps the bytes.

mod acceptance;
mod first_shift;
mod outline;
pub(crate) mod pdf;
mod prices;
mod receipt;
mod schedule;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod types;
mod verify;
pub(crate) mod words;

pub use self::acceptance::{Acceptance, Receipt, SealKey};
pub use self::first_shift::first_shift;
pub use self::outline::{Block, PostRow};
pub use self::pdf::{PdfError, pdf, receipt_pdf};
pub use self::prices::{PriceKind, PriceRow, price_rows};
pub use self::receipt::receipt_facts;
pub use self::summary::{amount, service, summary, what};
pub use self::text::text;
pub use self::types::{
    Consent, Customer, Digests, Document, Letterhead, License, Paragraph, digest, from_json,
    to_json,
};
pub use self::verify::{Part, Stored, StoredAcceptance, faults};
pub use self::words::long_date;
