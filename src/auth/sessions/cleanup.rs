//! Deletes expired sessions, codes, flows, challenges, abandoned factors, full rate buckets and old
//! audit rows. Also rotates signing keys.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::audit::Actor;
use crate::error::{Error, Result};
use crate::{Auth, Transaction, factors, keys};

/// Seconds for which used nonces are kept after they expire: they expire by the machine's clock,
/// and correcting one that ran hours ahead must not make one usable again.
const NONCE_RETENTION_SECONDS: i64 = 2 * 86_400;
const INTERVAL: Duration = Duration::from_secs(600);

/// Seconds for which a sign-up is kept after its email has expired, so that it can be sent again.
const SIGN_UP_RETENTION_SECONDS: u32 = 86_400;

impl Auth {
    /// Deletes what has expired. Returns the number of deleted rows.
    pub async fn clean_up(&self) -> Result<usize> {
        self.change(|tx| tx.prune()).await
    }

    /// Runs the cleanup at intervals until it is dropped.
    pub async fn run_cleanup(self) {
        loop {
            if let Err(error) = self.clean_up().await {
                tracing::warn!(%error, "what has ended could not be forgotten; it is tried again");
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Adds a signing key to the file in `folder` and returns its id. Sessions stay signed in (see
    /// `keys::rotate`).
    pub async fn rotate_keys(&self, folder: &Path) -> Result<String> {
        let now = self.clock.now();
        let kid = keys::rotate(folder, self.config.access_token_seconds, now)
            .map_err(|error| Error::Internal(format!("{error:#}")))?;
        let detail = [("kid", json!(kid))];
        self.change(move |tx| tx.record("keys_rotated", Actor::Operator, None, &detail))
            .await?;
        Ok(kid)
    }
}

impl Transaction<'_> {
    fn prune(&self) -> Result<usize> {
        let Transaction { conn, now, .. } = *self;
        let ago = |seconds: u32| now.plus_seconds(-i64::from(seconds));
        let deleted = [
            store::accounts::sessions::prune(
                conn,
                ago(self.config.session_absolute_seconds),
                ago(self.config.session_idle_seconds),
            )?,
            store::accounts::one_time_tokens::prune(conn, now, ago(SIGN_UP_RETENTION_SECONDS))?,
            store::accounts::decoys::prune(conn)?,
            store::accounts::flows::prune(conn, now)?,
            store::accounts::factors::prune_challenges(conn, now)?,
            factors::prune_abandoned(self)?,
            store::accounts::rate_buckets::prune(conn, now)?,
            store::accounts::used_nonces::prune(conn, now.plus_seconds(-NONCE_RETENTION_SECONDS))?,
            store::accounts::audit::prune(
                conn,
                now.plus_seconds(-86_400 * i64::from(self.config.audit_days)),
            )?,
        ];
        Ok(deleted.iter().sum())
    }
}
