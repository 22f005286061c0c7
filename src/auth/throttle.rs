//! How often a secret may be guessed and a mail asked for. By address: a bucket in memory (governor), coarse. By account: a bucket in the database, exact under
//! concurrent requests, kept under a hash of the address typed in, whether it is known or not, so that it tells nothing. No stranger can lock an account for good:
//! where its owner has signed in from before has a bucket of its own, buckets refill, and the mailed link goes past them.

use super::Auth;
use super::error::{AuthError, Result};
use crate::domain::account::EmailAddress;
use crate::domain::clock::Time;
use crate::domain::rate_limit::RateLimiter;
use crate::store::Connection;
use crate::store::rate_buckets::{self, Rate};

/// Limits the guesses from one client address.
pub struct IpLimiter(RateLimiter);

impl IpLimiter {
    /// `per_minute` guesses at once, refilled steadily over a minute.
    pub fn new(per_minute: u32) -> Self {
        Self(RateLimiter::per_minute(per_minute))
    }

    /// Counts one guess of `client` (a keyed hash).
    ///
    /// # Errors
    /// `over_request_rate_limit` with the seconds to wait.
    pub fn check(&self, client: &str) -> Result<()> {
        Ok(self.0.check(client).map_err(AuthError::rate_limited)?)
    }
}

/// A guess that has been counted; given back when it was right.
#[derive(Clone, Debug)]
pub struct Permit {
    bucket: String,
    rate: Rate,
    at: Time,
}

impl Permit {
    /// The guess was right: it does not count.
    ///
    /// # Errors
    /// What the store says.
    pub fn refund(&self, conn: &Connection) -> Result<()> {
        rate_buckets::refund(conn, &self.bucket, self.rate, self.at)?;
        Ok(())
    }
}

const HOUR_MS: i64 = 3_600_000;
/// The most guesses in an hour at something of six digits, whatever the settings say: 480 a day among a million, three of which are right.
const SHORT_PER_HOUR: u32 = 20;

/// What is being guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secret {
    /// A password.
    Password,
    /// A code from a mail.
    Code,
    /// A code of a second factor, or a recovery code.
    Factor,
}

impl Secret {
    const fn word(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Code => "code",
            Self::Factor => "factor",
        }
    }
}

/// One guess.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    /// At what.
    pub secret: Secret,
    /// Whose: an address as typed, or a user's id.
    pub account: &'a str,
    /// The user, where the account exists: its known clients have buckets of their own.
    pub user_id: Option<&'a str>,
    /// From where: a keyed hash.
    pub client: &'a str,
}

impl Auth {
    /// Counts a guess before it is looked at.
    ///
    /// # Errors
    /// `over_request_rate_limit` with the seconds to wait.
    pub fn charge(&self, conn: &Connection, guess: Guess<'_>, now: Time) -> Result<Permit> {
        let all = self.limits.account_failures_per_hour;
        let per_hour = match guess.secret {
            Secret::Password => all,
            Secret::Code | Secret::Factor => all.min(SHORT_PER_HOUR),
        };
        let known = match guess.user_id {
            Some(id) => rate_buckets::is_known_client(conn, id, guess.client)?,
            None => false,
        };
        let place = if known { guess.client } else { "" };
        let parts = [guess.secret.word(), guess.account, place].map(str::as_bytes);
        let charge = Permit {
            bucket: self.keys.ring(now).digest("guess", &parts),
            rate: Rate {
                burst: per_hour,
                refill_ms: HOUR_MS / i64::from(per_hour.max(1)),
            },
            at: now,
        };
        take(conn, &charge.bucket, charge.rate, now)?.map_err(AuthError::rate_limited)?;
        Ok(charge)
    }

    /// Counts a mail of one kind to one address, known or not.
    ///
    /// # Errors
    /// `over_email_send_rate_limit` with the seconds to wait.
    pub fn charge_email(
        &self,
        conn: &Connection,
        kind: &str,
        email: &EmailAddress,
        now: Time,
    ) -> Result<()> {
        let rate = Rate {
            burst: 1,
            refill_ms: 1000 * i64::from(self.limits.mail_interval_seconds),
        };
        if rate.refill_ms == 0 {
            return Ok(());
        }
        let bucket = self.mail_bucket(kind, email, now);
        take(conn, &bucket, rate, now)?.map_err(AuthError::email_rate_limited)?;
        Ok(())
    }

    /// The longest, in milliseconds, that any bucket takes to be full.
    pub(super) fn longest_refill(&self) -> i64 {
        HOUR_MS.max(1000 * i64::from(self.limits.mail_interval_seconds))
    }

    /// The mail has been answered: there is nobody to spare from the next.
    ///
    /// # Errors
    /// What the store says.
    pub(super) fn reset_email_limit(
        &self,
        conn: &Connection,
        kind: &str,
        email: &EmailAddress,
        now: Time,
    ) -> Result<()> {
        rate_buckets::fill(conn, &self.mail_bucket(kind, email, now))?;
        Ok(())
    }

    fn mail_bucket(&self, kind: &str, email: &EmailAddress, now: Time) -> String {
        let parts = [kind, email.as_str()].map(str::as_bytes);
        self.keys.ring(now).digest("mail", &parts)
    }
}

fn take(conn: &Connection, bucket: &str, rate: Rate, now: Time) -> Result<Result<(), u32>> {
    let taken = rate_buckets::take(conn, bucket, rate, now)?;
    Ok(taken.map_err(|ms| u32::try_from((ms + 999) / 1000).unwrap_or(u32::MAX)))
}
