//! What a link opens.

use crate::domain::offer::link::OfferLink;
use crate::store::offers::{Offer, SentVersion, StoredVersion};

/// A version behind a valid link.
pub(super) struct Opened {
    pub link: OfferLink,
    pub offer: Offer,
    pub sent: SentVersion,
    pub stored: StoredVersion,
}
