//! The kinds of signals, and the reasons that they give.

use serde::{Deserialize, Serialize};

/// The kind of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// The field that people do not see was filled in.
    Trap,
    /// The form was sent too soon after its page was opened.
    Fast,
    /// It was sent by a program that says so, or does not say what it is.
    Program,
    /// A plain form was posted by a client that has not opened its page.
    Unopened,
    /// Links, except to the site of the sender's own email address.
    Links,
    /// Phrases of unsolicited offers.
    Offer,
    /// Words with letters of two scripts, as in look-alike spellings.
    MixedScripts,
    /// Random letters in two fields.
    RandomWords,
    /// Several clients have sent the same text.
    SameText,
    /// An email address with dots scattered over it.
    ScatteredDots,
    /// First and last name are the same.
    SameNames,
    /// An impossible phone number.
    Phone,
}

/// Why a submission may be spam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    pub signal: Signal,
    /// Its points, one to `MAX_POINTS`.
    pub points: u8,
    /// A sentence for the dashboard.
    pub detail: String,
}

impl Reason {
    pub(super) fn new(signal: Signal, points: u8, detail: impl Into<String>) -> Self {
        Self {
            signal,
            points,
            detail: detail.into(),
        }
    }
}
