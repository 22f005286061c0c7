//! What events of requests that are held as spam say.

use super::details::details;
use crate::request::HeldReason;
use crate::request::quote::Status;

details! {
    /// The signals of spam.
    Held {
        reasons: Vec<HeldReason>,
    }

    /// The status before, and the signals that were seen.
    MarkedSpam {
        status: Status,
        signals: Option<Vec<HeldReason>>,
    }

    /// Why it was held, its status then, and the number of its emails.
    Released {
        held: Option<Vec<HeldReason>>,
        status: Status,
        email_id: Option<i64>,
    }

    /// The status before.
    Discarded {
        #[serde(default = "pending")]
        from: Status,
    }
}

const fn pending() -> Status {
    Status::Pending
}
