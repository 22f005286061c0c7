//! The states of an offer and of its versions.

use poem_openapi::Enum;

/// The state of a version; `Draft` is that of an offer of which none was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum OfferState {
    Draft,
    /// Waits for the customer.
    Sent,
    Accepted,
    Declined,
    /// It was not answered in time.
    Expired,
    /// Another version was sent.
    Superseded,
    /// The office has taken it back.
    Withdrawn,
}

impl OfferState {
    pub const ALL: [Self; 7] = [
        Self::Draft,
        Self::Sent,
        Self::Accepted,
        Self::Declined,
        Self::Expired,
        Self::Superseded,
        Self::Withdrawn,
    ];

    /// Its value in the database and the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Sent => "sent",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == value)
    }
}
