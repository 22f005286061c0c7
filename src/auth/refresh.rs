//! Refresh tokens: rotation, reuse and theft (contract section 4). A token is derived from the session's id and a counter, so none is stored: the counter in force
//! is normal use, the one before it is a lost answer, an older one is several tabs within the reuse interval and theft after it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::Auth;
use super::audit::{self, Actor};
use super::error::{AuthError, Error, Kind, Result, reject};
use super::key_ring::KeyRing;
use super::session::{Grant, banned, expired};
use crate::domain::account::{Proof, Session};
use crate::domain::clock::Time;
use crate::store::{Connection, accounts, sessions};

/// Bytes of a token: the session's id, the counter, and 128 bits nobody can guess.
const TAG: usize = 16;
const LENGTH: usize = 16 + 4 + TAG;

/// The refresh token with this counter: 48 characters.
pub(super) fn token(ring: &KeyRing, session_id: &str, counter: u32) -> Result<String> {
    let id = Uuid::parse_str(session_id)
        .map_err(|_| Error::Internal("a session's id is no UUID".into()))?;
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&counter.to_be_bytes());
    bytes.extend_from_slice(&tag(ring, &bytes));
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

fn tag(ring: &KeyRing, head: &[u8]) -> [u8; TAG] {
    let mut tag = [0; TAG];
    tag.copy_from_slice(&ring.derive("refresh", &[head])[..TAG]);
    tag
}

/// The session and counter of a token that is ours.
fn read(ring: &KeyRing, token: &str) -> Option<(String, u32)> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (head, given) = bytes.split_at_checked(LENGTH - TAG)?;
    let right = given.len() == TAG && bool::from(tag(ring, head).ct_eq(given));
    let (id, counter) = head.split_at_checked(16)?;
    right.then_some((
        Uuid::from_slice(id).ok()?.to_string(),
        u32::from_be_bytes(counter.try_into().ok()?),
    ))
}

/// What a token of a living session is, by its counter.
enum Use {
    Normal,
    /// The answer to it was lost, or several tabs asked at once: the same successor again.
    ResendKind,
    /// From before the second factor, and just outdated by it.
    Outdated,
    Theft,
    NotOurs,
}

impl Auth {
    /// Exchanges a refresh token for new tokens of the same session.
    ///
    /// # Errors
    /// `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `user_banned`, `validation_failed`.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Grant> {
        if refresh_token.len() < 12
            || !refresh_token
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        {
            return reject(AuthError::validation("Refresh token is not valid"));
        }
        let now = self.clock.now();
        let Some((session_id, counter)) = read(&self.keys.ring(now), refresh_token) else {
            return reject(not_found());
        };
        let auth = self.clone();
        self.write(move |conn| auth.rotate(conn, &session_id, counter, now))
            .await
    }

    fn rotate(
        &self,
        conn: &Connection,
        session_id: &str,
        counter: u32,
        now: Time,
    ) -> Result<Grant> {
        let Some(mut session) = sessions::by_id(conn, session_id)? else {
            return reject(not_found());
        };
        let user = accounts::by_id(conn, &session.user_id)?;
        if user.is_none_or(|user| user.is_banned(now)) {
            return reject(banned());
        }
        if self.is_over(&session, now) {
            return reject(expired());
        }
        match self.judge(conn, &session, counter, now)? {
            Use::Normal => {
                let forget = now.plus_seconds(-i64::from(self.config.refresh_reuse_seconds));
                sessions::mark_used(conn, &session.id, counter, now, forget)?;
                session.counter += 1;
                session.refreshed_at = now;
                prove(&mut session, "token_refresh", now);
                sessions::update(conn, &session)?;
                self.grant(conn, &session, now)
            }
            Use::ResendKind => self.grant(conn, &session, now),
            Use::Outdated => reject(already_used()),
            Use::Theft => {
                // Stays, though the caller is refused: whoever holds the stolen half is out.
                sessions::end(conn, &session.id)?;
                let detail = [("session_id", json!(session.id))];
                let subject = Some(session.user_id.as_str());
                audit::record(
                    conn,
                    "refresh_token_reused",
                    Actor::Stranger,
                    subject,
                    &detail,
                    now,
                )?;
                reject(already_used())
            }
            Use::NotOurs => reject(not_found()),
        }
    }

    fn judge(&self, conn: &Connection, session: &Session, counter: u32, now: Time) -> Result<Use> {
        if counter > session.counter {
            return Ok(Use::NotOurs);
        }
        if counter == session.counter {
            return Ok(Use::Normal);
        }
        // A use in the future was noted before the clock was put back; nobody knows how long ago
        // that was.
        let reuse_ms = 1000 * u64::from(self.config.refresh_reuse_seconds);
        let just_now = sessions::used_at(conn, &session.id, counter)?
            .is_some_and(|at| at.millis().abs_diff(now.millis()) < reuse_ms);
        Ok(match (counter < session.floor, just_now) {
            (true, true) => Use::Outdated,
            (true, false) => Use::Theft,
            (false, true) => Use::ResendKind,
            (false, false) if counter + 1 == session.counter => Use::ResendKind,
            (false, false) => Use::Theft,
        })
    }

    /// Moves the session past every refresh token given out so far: none of them ever yields a session of the new level.
    pub(super) fn outdate_refresh_tokens(
        &self,
        conn: &Connection,
        session: &mut Session,
        now: Time,
    ) -> Result<()> {
        let forget = now.plus_seconds(-i64::from(self.config.refresh_reuse_seconds));
        sessions::mark_used(conn, &session.id, session.counter, now, forget)?;
        session.counter += 1;
        session.floor = session.counter;
        session.refreshed_at = now;
        Ok(())
    }
}

/// Puts a proof in front of a session's list; each method stands there once.
pub(super) fn prove(session: &mut Session, method: &str, now: Time) {
    session.amr.retain(|proof| proof.method != method);
    session.amr.insert(
        0,
        Proof {
            method: method.to_owned(),
            timestamp: now.seconds(),
        },
    );
}

fn not_found() -> AuthError {
    AuthError::new(
        Kind::Invalid,
        "refresh_token_not_found",
        "Invalid Refresh Token: Refresh Token Not Found",
    )
}

fn already_used() -> AuthError {
    AuthError::new(
        Kind::Invalid,
        "refresh_token_already_used",
        "Invalid Refresh Token: Already Used",
    )
}
