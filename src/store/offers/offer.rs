//! An offer with the states of its versions.

use poem_openapi::Object;

use domain::clock::{MINUTE_MS, Time};
use domain::offer::draft::OfferDraft;
use domain::offer::state::OfferState;
use domain::request::Request;

/// An offer.
#[derive(Clone, Debug)]
pub struct Offer {
    /// As `GP-2K7Q-1`: the reference of its request, and its place among the request’s offers.
    pub number: String,
    pub seq: i64,
    /// The last version that was sent, 0 if none.
    pub version: u32,
    pub draft: OfferDraft,
    /// Grows with each change of the draft.
    pub revision: i64,
    pub created_at: Time,
    pub updated_at: Time,
    /// The versions that were sent, the newest first.
    pub sent: Vec<SentVersion>,
    /// `None` if it was deleted; an accepted offer stays.
    pub request: Option<Request>,
    /// Whether the customer has accepted it, and nobody has confirmed that.
    pub is_unconfirmed: bool,
    /// What the customer has written: the description of the request, and later messages.
    pub words: String,
}

/// A version of an offer.
#[derive(Clone, Debug)]
pub struct VersionId {
    /// The number of the offer.
    pub number: String,
    pub version: u32,
}

/// A version that was sent.
#[derive(Clone, Debug, Object)]
#[oai(rename = "OfferVersion")]
pub struct SentVersion {
    pub version: u32,
    pub state: OfferState,
    /// The address that it was sent to.
    pub recipient: String,
    /// For a week if `is_weekly`, else for the term.
    pub total_cents: i64,
    /// Whether the service is ongoing.
    pub is_weekly: bool,
    /// The last day on which it can be accepted, `YYYY-MM-DD`.
    pub valid_until: String,
    /// The end of that day.
    #[oai(skip)]
    pub expires_at: Time,
    pub sent_at: Time,
    /// A user's id.
    #[oai(skip)]
    pub sent_by: String,
    /// The event of the sending, which can be undone for ten seconds.
    pub event: i64,
    /// When a person has first pressed something on its page.
    pub opened_at: Option<Time>,
    pub answered_at: Option<Time>,
    /// The name of the customer, or of the person of the office who entered the answer.
    pub answered_by: Option<String>,
    /// Why it was declined or withdrawn, or the note of the office.
    pub reason: Option<String>,
}

impl SentVersion {
    /// The state at `now`: one whose time is over has expired, even before the scheduled work says
    /// so.
    pub fn state_at(&self, now: Time) -> OfferState {
        match self.state {
            OfferState::Sent if now >= self.expires_at => OfferState::Expired,
            state => state,
        }
    }

    /// The last minute in which it can be accepted.
    pub fn last_minute(&self) -> Time {
        self.expires_at.plus_millis(-MINUTE_MS)
    }
}

impl Offer {
    /// The last version that was sent.
    pub fn current(&self) -> Option<&SentVersion> {
        self.sent.first()
    }

    /// A version that was sent.
    pub fn sent(&self, version: u32) -> Option<&SentVersion> {
        self.sent.iter().find(|sent| sent.version == version)
    }

    pub fn state(&self, now: Time) -> OfferState {
        let current = self.current();
        current.map_or(OfferState::Draft, |sent| sent.state_at(now))
    }
}
