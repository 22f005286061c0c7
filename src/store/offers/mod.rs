//! Offers: their rates, drafts, versions and answers. A version is bytes that never change; its
//! state is a separate row.

mod accept;
mod answers;
mod codes;
mod confirm;
mod drafts;
mod due;
mod list;
mod offer;
pub mod rate_versions;
pub mod rates;
mod read;
mod send;

pub use accept::{AcceptOutcome, Acceptor, NewAcceptance};
pub use answers::{Answered, OfferAnswer};
pub use codes::{CodeOutcome, NewCode};
pub use drafts::SavedOffer;
pub use list::{OfferList, OfferQuery, OfferTotals, OfferView};
pub use offer::{Offer, SentVersion, VersionId};
pub use send::NewVersion;

pub(crate) use list::EXPIRING_MS;
pub(crate) use read::sent_for;
