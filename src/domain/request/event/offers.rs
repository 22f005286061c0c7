//! What events of offers say.

use super::details::details;
use super::messages::Delivery;
use crate::clock::Time;
use crate::offer::state::OfferState;

details! {
    /// A version that was sent.
    #[derive(Default)]
    #[serde(default)]
    OfferSent {
        number: String,
        version: u32,
        /// For a week if `is_weekly`, else for the term.
        total_cents: i64,
        is_weekly: bool,
        /// The last day, `YYYY-MM-DD`.
        valid_until: String,
        /// The state that the version before it had; null if it is the first.
        before: Option<OfferState>,
        to: String,
        #[serde(flatten)]
        #[oai(flatten)]
        delivery: Delivery,
    }

    /// A version.
    #[oai(rename = "VersionOfOffer")]
    OfferVersion {
        number: String,
        version: u32,
    }

    /// A version of which the customer was reminded.
    OfferReminded {
        number: String,
        version: u32,
        /// 1 for the first one.
        reminder: u32,
    }

    /// A version that was declined, withdrawn or not answered in time.
    OfferEnded {
        number: String,
        version: u32,
        reason: Option<String>,
    }

    /// An acceptance.
    #[derive(Default)]
    #[serde(default)]
    OfferAccepted {
        number: String,
        version: u32,
        name: String,
        title: String,
        email: String,
        /// Of the record of the acceptance.
        digest: String,
        /// For a week if `is_weekly`, else for the term.
        total_cents: i64,
        is_weekly: bool,
        /// The note of the office.
        reason: Option<String>,
        /// The event by which an admin has confirmed it.
        #[oai(skip_serializing_if_is_none)]
        confirmed: Option<i64>,
        #[oai(skip_serializing_if_is_none)]
        read_at: Option<Time>,
        #[oai(skip_serializing_if_is_none)]
        read_by: Option<String>,
    }
}
