//! What a link opens.

use domain::offer::document::Stored;
use domain::offer::link::OfferLink;
use store::offers::{Offer, SentVersion, VersionId};

/// A version behind a valid link.
pub(super) struct Opened {
    pub link: OfferLink,
    pub offer: Offer,
    pub sent: SentVersion,
    pub stored: Stored,
    /// Whether a code that was sent can still be typed.
    pub has_code: bool,
}

impl Opened {
    pub(super) fn version_id(&self) -> VersionId {
        VersionId {
            number: self.link.number.clone(),
            version: self.link.version,
        }
    }
}
