//! Rate limits of attempts and emails. Per client address: an in-memory bucket (governor),
//! approximate. Per account: a bucket in the database, exact under concurrent requests, stored
//! under a keyed hash of the given address whether it is known or not, so that it reveals nothing.
//! An attacker cannot lock an account for good: clients from which the user has signed in before
//! have their own buckets, buckets refill, and an emailed link bypasses them.

use super::error::{AuthError, Result};
use super::{Auth, ClientInfo, Transaction};
use domain::clock::{HOUR_MS, Time};
use domain::email::email_address::{EmailAddress, mailbox_of};
use store::Connection;
use store::accounts::rate_buckets::{self, Rate};

/// A counted attempt; refunded if it was correct.
#[derive(Clone, Debug)]
pub struct Permit {
    bucket: String,
    rate: Rate,
    at: Time,
}

impl Permit {
    /// Refunds a correct attempt.
    pub fn refund(&self, conn: &Connection) -> Result<()> {
        rate_buckets::refund(conn, &self.bucket, self.rate, self.at)?;
        Ok(())
    }
}

/// Maximum attempts per hour at a six-digit code, regardless of the settings: 480 a day among a
/// million codes, three of which are valid.
const MAX_CODE_ATTEMPTS_PER_HOUR: u32 = 20;

domain::text_enum! {
    /// The kind of secret that is attempted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SecretKind {
        Password = "password",
        /// A code from an email.
        Code = "code",
        /// A second factor code or a recovery code.
        Factor = "factor",
    }
}

impl Auth {
    fn email_bucket(&self, kind: &str, email: &EmailAddress, now: Time) -> String {
        let mailbox = mailbox_of(email.as_str());
        let parts = [kind, mailbox.as_str()].map(str::as_bytes);
        self.keys.ring(now).digest("mail", &parts)
    }
}

impl Transaction<'_> {
    /// Counts an attempt of a client at a secret of an account, an address as given or a user's id,
    /// before the secret is checked. Known clients of the user, if there is one, have separate
    /// buckets.
    ///
    /// # Errors
    /// `over_request_rate_limit` with the seconds to wait.
    pub fn acquire_permit(
        &self,
        secret: SecretKind,
        account: &str,
        user_id: Option<&str>,
        from: &ClientInfo,
    ) -> Result<Permit> {
        let Transaction { conn, now, .. } = *self;
        let all = self.limits.account_failures_per_hour;
        let per_hour = match secret {
            SecretKind::Password => all,
            SecretKind::Code | SecretKind::Factor => all.min(MAX_CODE_ATTEMPTS_PER_HOUR),
        };
        let known = match user_id {
            Some(id) => rate_buckets::is_known_client(conn, id, &from.client)?,
            None => false,
        };
        let known_client = if known { &from.client } else { "" };
        let parts = [secret.as_str(), account, known_client].map(str::as_bytes);
        let permit = Permit {
            bucket: self.keys.ring(now).digest("guess", &parts),
            rate: Rate {
                burst: per_hour,
                refill_ms: HOUR_MS / i64::from(per_hour.max(1)),
            },
            at: now,
        };
        take_tokens(conn, &permit.bucket, permit.rate, now)?.map_err(AuthError::rate_limited)?;
        Ok(permit)
    }

    /// Counts an email of one kind to one mailbox, known or not.
    ///
    /// # Errors
    /// `over_email_send_rate_limit` with the seconds to wait.
    pub fn limit_email(&self, kind: &str, email: &EmailAddress) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        let rate = Rate {
            burst: 1,
            refill_ms: 1000 * i64::from(self.limits.mail_interval_seconds),
        };
        if rate.refill_ms == 0 {
            return Ok(());
        }
        let bucket = self.email_bucket(kind, email, now);
        take_tokens(conn, &bucket, rate, now)?.map_err(AuthError::email_rate_limited)?;
        Ok(())
    }

    /// Resets the limit after the email was confirmed.
    pub(super) fn reset_email_limit(&self, kind: &str, email: &EmailAddress) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        rate_buckets::fill(conn, &self.email_bucket(kind, email, now))?;
        Ok(())
    }
}

fn take_tokens(conn: &Connection, bucket: &str, rate: Rate, now: Time) -> Result<Result<(), u32>> {
    let taken = rate_buckets::take(conn, bucket, rate, now)?;
    Ok(taken.map_err(|ms| u32::try_from((ms + 999) / 1000).unwrap_or(u32::MAX)))
}
