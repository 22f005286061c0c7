//! The states of an offer and of its versions.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

crate::text_enum! {
    /// The state of a version; `Draft` is that of an offer of which none was sent.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum OfferState {
        Draft = "draft",
        /// Waits for the customer.
        Sent = "sent",
        Accepted = "accepted",
        Declined = "declined",
        /// It was not answered in time.
        Expired = "expired",
        /// Another version was sent.
        Superseded = "superseded",
        /// The office has taken it back.
        Withdrawn = "withdrawn",
    }
}
