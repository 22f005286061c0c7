//! Emails about an offer.

use serde::{Deserialize, Serialize};

/// An email about a version of an offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferNotice {
    /// The id of its request.
    pub id: String,
    /// As `GP-2K7Q-1`.
    pub number: String,
    pub version: u32,
    pub email: OfferEmail,
    /// The event that the staff is notified of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<i64>,
    /// The recipient; without one it is the version's, or staff that was not split yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The code, sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// What an email about an offer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferEmail {
    /// The offer itself.
    Offer,
    /// It ends soon.
    Reminder,
    /// A code that confirms an address.
    Code,
    /// It was accepted.
    Receipt,
    /// To staff: an answer, a question, or the end.
    Office,
}

impl OfferNotice {
    /// The offer itself, to the recipient of the version.
    pub fn new(request: &str, number: &str, version: u32) -> Self {
        Self {
            id: request.to_owned(),
            number: number.to_owned(),
            version,
            email: OfferEmail::Offer,
            event: None,
            to: None,
            code: None,
        }
    }
}
