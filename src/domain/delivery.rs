//! Emails, webhooks and messages of alarms on their way.

use poem_openapi::Enum;

crate::text_enum! {
    /// How far a delivery is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
    #[oai(rename_all = "snake_case")]
    pub enum DeliveryState {
        /// Not sent yet, or to be tried again.
        Due = "due",
        Sent = "sent",
        /// Given up.
        Failed = "failed",
        /// A message of an alarm that is no longer needed.
        Over = "over",
    }
}
