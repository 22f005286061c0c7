//! Figures for the metrics.

use super::{Result, Store, row};
use crate::domain::clock::Time;

/// Milliseconds over which failed sign-ins are counted: an hour.
const SIGN_IN_WINDOW_MS: i64 = 60 * 60 * 1000;

/// Requests and sign-ins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Stored quotes.
    pub quotes: u64,
    /// Of these, the pending ones.
    pub pending: u64,
    /// When the oldest pending one was made.
    pub oldest_pending: Option<Time>,
    /// Stored contact messages.
    pub messages: u64,
    /// Failed sign-ins within the last hour.
    pub sign_in_failures: u64,
}

impl Store {
    /// The figures at `now`.
    ///
    /// # Errors
    /// The error of the database.
    pub async fn figures(&self, now: Time) -> Result<Figures> {
        let since = now.plus_millis(-SIGN_IN_WINDOW_MS).to_string();
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT (SELECT coalesce(sum(requests), 0) FROM request_counts
                    WHERE kind = 'quote') AS quotes,
                        (SELECT coalesce(sum(requests), 0) FROM request_counts WHERE kind = 'quote'
                        AND status = 'pending') AS pending,
                        (SELECT created_at FROM quotes WHERE seq =
                           (SELECT min(seq) FROM quotes INDEXED BY quotes_by_status
                           WHERE status = 'pending')) AS oldest,
                        (SELECT coalesce(sum(requests), 0) FROM request_counts
                        WHERE kind = 'message') AS messages,
                        (SELECT count(*) FROM audit WHERE at > ?1
                        AND action = 'sign_in_failed') AS failures",
            )?;
            Ok(find.query_row([since], |found| {
                let count = |column| found.get::<_, i64>(column).map(i64::unsigned_abs);
                Ok(Figures {
                    quotes: count("quotes")?,
                    pending: count("pending")?,
                    oldest_pending: row::optional_time(found, "oldest")?,
                    messages: count("messages")?,
                    sign_in_failures: count("failures")?,
                })
            })?)
        })
        .await
    }
}
