//! Counters of received emails, for the metrics.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Outcomes of emails since the start.
#[derive(Debug, Default)]
pub struct Counters {
    /// Stored.
    pub stored: AtomicU64,
    /// Received before.
    pub repeated: AtomicU64,
    /// Not stored.
    pub refused: AtomicU64,
    /// In the conversation of a request.
    pub attached: AtomicU64,
    /// Without a request.
    pub unmatched: AtomicU64,
}

impl Counters {
    /// Counts one.
    pub fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Relaxed);
    }

    /// Each counter with its name in the metrics and its help text.
    pub fn all(&self) -> [(&'static str, &'static str, u64); 5] {
        [
            (
                "guardpost_received_emails_total",
                "Emails of customers that were stored.",
                self.stored.load(Relaxed),
            ),
            (
                "guardpost_received_emails_repeated_total",
                "Emails of customers that were received before.",
                self.repeated.load(Relaxed),
            ),
            (
                "guardpost_received_emails_refused_total",
                "Emails of customers that were not stored.",
                self.refused.load(Relaxed),
            ),
            (
                "guardpost_received_emails_attached_total",
                "Emails of customers in the conversation of a request.",
                self.attached.load(Relaxed),
            ),
            (
                "guardpost_received_emails_unmatched_total",
                "Emails without a request.",
                self.unmatched.load(Relaxed),
            ),
        ]
    }
}
