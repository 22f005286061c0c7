//! What a preview shows: the draft of an offer as a version that was sent.

use super::form::Opened;
use domain::clock::Time;
use domain::offer::document::{self, Digests, Document, Stored};
use domain::offer::link::OfferLink;
use domain::offer::state::OfferState;
use store::offers::{Offer, SentVersion};

/// The next version of an offer, as if it were sent now.
pub struct OfferPreview {
    pub(super) opened: Opened,
    pub(super) document: Document,
}

impl OfferPreview {
    /// Errors: the document cannot be written as JSON.
    pub fn new(
        offer: Offer,
        document: Document,
        expires_at: Time,
        now: Time,
    ) -> Result<Self, String> {
        let json = document::to_json(&document).map_err(|error| error.to_string())?;
        let sent = SentVersion {
            version: document.version,
            state: OfferState::Sent,
            recipient: document.customer.email.clone(),
            total_cents: document.price.total,
            is_weekly: document.terms.end.is_none(),
            valid_until: document.valid_until.to_string(),
            expires_at,
            sent_at: now,
            sent_by: String::new(),
            event: 0,
            opened_at: None,
            answered_at: None,
            answered_by: None,
            reason: None,
        };
        let stored = Stored {
            number: document.number.clone(),
            version: document.version,
            json,
            text: document::text(&document).into_bytes(),
            pdf: Vec::new(),
            digests: Digests {
                json: String::new(),
                text: String::new(),
                pdf: String::new(),
            },
            acceptance: None,
        };
        let opened = Opened {
            link: OfferLink {
                number: document.number.clone(),
                version: document.version,
            },
            offer,
            sent,
            stored,
            has_code: false,
        };
        Ok(Self { opened, document })
    }
}
