//! What a link opens.

use crate::domain::offer::document::Stored;
use crate::domain::offer::link::OfferLink;
use crate::store::offers::{Offer, SentVersion};

/// A version behind a valid link.
pub(super) struct Opened {
    pub link: OfferLink,
    pub offer: Offer,
    pub sent: SentVersion,
    pub stored: Stored,
}
