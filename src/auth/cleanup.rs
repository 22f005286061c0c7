//! Forgetting what has ended: sessions, codes, flows, challenges, factors that were begun and left, full buckets and old audit rows. And new signing keys.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::audit::{self, Actor};
use super::challenge::CHALLENGE_SECONDS;
use super::error::{Error, Result};
use super::{Auth, factors, keys, pkce};
use crate::store::clock_repair::MaxLifetimes;
use crate::store::{self, Connection};

/// Seconds for which what works once is remembered after its end: a clock that was some hours ahead
/// makes nothing usable again when it is put right.
const SPENT_SECONDS: i64 = 2 * 86_400;
/// How often a running server tidies up.
const EVERY: Duration = Duration::from_secs(600);

/// Seconds for which a sign-up waits after its mail has ended, so that it can be sent again.
const SIGN_UP_SECONDS: u32 = 86_400;

impl Auth {
    /// Tidies up once; says how many rows went.
    ///
    /// # Errors
    /// What the store says.
    pub async fn clean_up(&self) -> Result<usize> {
        let auth = self.clone();
        self.write(move |conn| auth.forget(conn)).await
    }

    fn forget(&self, conn: &Connection) -> Result<usize> {
        let now = self.clock.now();
        let back = |seconds: u32| now.plus_seconds(-i64::from(seconds));
        let gone = [
            store::sessions::prune(
                conn,
                back(self.config.session_absolute_seconds),
                back(self.config.session_idle_seconds),
            )?,
            store::one_time_tokens::prune(conn, now, back(SIGN_UP_SECONDS))?,
            store::decoys::prune(conn)?,
            store::flows::prune(conn, now)?,
            store::factors::prune_challenges(conn, now)?,
            factors::forget_abandoned(conn, now)?,
            store::rate_buckets::prune(conn, now, self.longest_refill())?,
            store::used_nonces::prune(conn, now.plus_seconds(-SPENT_SECONDS))?,
            store::audit::prune(
                conn,
                now.plus_seconds(-86_400 * i64::from(self.config.audit_days)),
            )?,
        ];
        store::clock_repair::repair(conn, self.longest_lives(), now)?;
        Ok(gone.iter().sum())
    }

    /// How far ahead the end of anything may lie.
    fn longest_lives(&self) -> MaxLifetimes {
        MaxLifetimes {
            link: self.config.link_seconds.into(),
            invitation: self.config.invite_seconds.into(),
            code: pkce::CODE_SECONDS,
            challenge: CHALLENGE_SECONDS,
        }
    }

    /// Tidies up now and then, for as long as it is polled.
    pub async fn run_cleanup(self) {
        loop {
            if let Err(error) = self.clean_up().await {
                tracing::warn!(%error, "what has ended could not be forgotten; it is tried again");
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Adds a signing key to the file in `folder`; returns its id. Nobody is signed out (see `keys::rotate`).
    ///
    /// # Errors
    /// When the file can be neither read nor written.
    pub async fn rotate_keys(&self, folder: &Path) -> Result<String> {
        let now = self.clock.now();
        let kid = keys::rotate(folder, self.config.access_token_seconds, now)
            .map_err(|error| Error::Internal(format!("{error:#}")))?;
        let detail = [("kid", json!(kid))];
        self.write(move |conn| {
            audit::record(conn, "keys_rotated", Actor::Operator, None, &detail, now)
        })
        .await?;
        Ok(kid)
    }

    /// The newest audit rows.
    ///
    /// # Errors
    /// What the store says.
    pub async fn audit_trail(&self, limit: u32) -> Result<Vec<store::AuditRow>> {
        self.read(move |conn| Ok(store::audit::newest(conn, limit)?))
            .await
    }
}
