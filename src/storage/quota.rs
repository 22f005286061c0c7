//! The daily quota of visitors' files: bytes per client, ten times as many per IPv6 /48, and in
//! all. What is counted once stays counted for its day (UTC), also when the file is deleted.

use rusqlite::Connection;

use super::error::{Code, Refusal, Result};
use domain::clock::Time;
use domain::rate_limit::SITE_FACTOR;
use domain::sender::Sender;
use store::storage::upload_bytes;

/// Under which name the bytes of all senders are counted.
const ALL: &str = "";

/// Bytes that may be taken on a day.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    per_client: u64,
    in_all: u64,
}

impl Quota {
    pub(super) fn of(config: &config::Files) -> Self {
        Self {
            per_client: u64::from(config.client_mb_per_day) * 1_000_000,
            in_all: u64::from(config.mb_per_day) * 1_000_000,
        }
    }

    /// Checks that `sender` may send `bytes` more today.
    ///
    /// # Errors
    /// `InsufficientStorage`, with a message for the sender; store errors.
    pub(super) fn check(
        self,
        conn: &Connection,
        sender: Option<&Sender>,
        bytes: u64,
        now: Time,
    ) -> Result<()> {
        for (name, most) in self.limits(sender) {
            let used = upload_bytes::of(conn, &now.day(), name)?;
            if used.saturating_add(bytes) > most {
                let message = match name {
                    ALL => "We cannot accept more files today; please email them",
                    _ => "Your network has sent too many files today; please email them",
                };
                return Err(Refusal::new(Code::InsufficientStorage, message).into());
            }
        }
        Ok(())
    }

    /// Counts `bytes` of `sender`. Call it inside the `write` job that stores them, after `check`.
    pub(super) fn count(
        self,
        conn: &Connection,
        sender: Option<&Sender>,
        bytes: u64,
        now: Time,
    ) -> Result<()> {
        for (name, _) in self.limits(sender) {
            upload_bytes::add(conn, &now.day(), name, bytes)?;
        }
        Ok(())
    }

    /// What is counted for a sender, each with its limit.
    fn limits(self, sender: Option<&Sender>) -> impl Iterator<Item = (&str, u64)> {
        let client = sender.map(|sender| (sender.client.as_str(), self.per_client));
        let of_site = self.per_client.saturating_mul(SITE_FACTOR.into());
        let site = sender.and_then(|sender| sender.site.as_deref());
        let site = site.map(|site| (site, of_site));
        [client, site, Some((ALL, self.in_all))]
            .into_iter()
            .flatten()
    }
}
