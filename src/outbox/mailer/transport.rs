//! What every transport does, and how it fails.

use futures_util::future::BoxFuture;

use crate::email::Email;

/// Sends emails.
pub trait Mailer: Send + Sync {
    /// Sends one email; `Ok` means that the server has accepted it.
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>>;

    /// Maximum number of concurrent sends.
    fn concurrency(&self) -> u32;

    /// Closes idle connections. Called when the outbox is empty.
    fn close_idle(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Why an email was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryError {
    /// Whether a retry of the same email fails again (RFC 5321, section 4.2.1: a 5xx reply to the
    /// email itself).
    pub permanent: bool,
    /// Summary for the log, without addresses and content.
    pub summary: String,
    /// The server's reply or the underlying error, for the operator.
    pub detail: String,
    /// The mail server, as host and port, if it accepts no email at all.
    pub down: Option<String>,
}

impl DeliveryError {
    /// An error after which a retry may succeed.
    pub fn temporary(summary: impl Into<String>, detail: impl ToString) -> Self {
        Self {
            permanent: false,
            summary: summary.into(),
            detail: detail.to_string(),
            down: None,
        }
    }

    /// An error after which a retry cannot succeed.
    pub fn permanent(summary: impl Into<String>, detail: impl ToString) -> Self {
        Self {
            permanent: true,
            ..Self::temporary(summary, detail)
        }
    }
}
