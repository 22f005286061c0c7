//! Refresh token rotation with reuse detection (auth API, section 4). By its counter, a token is
//! the current one, the previous one (the response was lost), or an older one: concurrent tabs
//! within the reuse interval, theft after it.

use serde_json::json;

use super::refresh_token;
use super::session::{Grant, add_amr};
use crate::audit::Actor;
use crate::error::{AuthError, Result, reject};
use crate::{Auth, Transaction};
use domain::account::Session;
use store::accounts::{self, sessions};

/// Seconds within which a used refresh token is accepted again instead of being treated as stolen.
const REUSE_SECONDS: i64 = 10;

/// The state of a refresh token of an open session, by its counter.
enum TokenUse {
    Current,
    /// A lost response or concurrent tabs: return the same successor again.
    Retry,
    /// Issued before the second factor and just outdated by it.
    Outdated,
    Reused,
    Unknown,
}

impl Auth {
    /// Exchanges a refresh token for new tokens of the same session. Errors:
    /// `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `user_banned`,
    /// `validation_failed`.
    pub async fn refresh(&self, token: &str) -> Result<Grant> {
        if token.len() < 12
            || !token
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        {
            return reject(AuthError::validation("Refresh token is not valid"));
        }
        let now = self.clock.now();
        let Some((session_id, counter)) = refresh_token::parse(&self.keys.ring(now), token) else {
            return reject(AuthError::REFRESH_TOKEN_NOT_FOUND);
        };
        self.change(move |tx| tx.rotate(&session_id, counter)).await
    }
}

impl Transaction<'_> {
    fn rotate(&self, session_id: &str, counter: u32) -> Result<Grant> {
        let Transaction { conn, now, .. } = *self;
        let Some(mut session) = sessions::by_id(conn, session_id)? else {
            return reject(AuthError::REFRESH_TOKEN_NOT_FOUND);
        };
        let user = accounts::by_id(conn, &session.user_id)?;
        if user.is_none_or(|user| user.is_banned(now)) {
            return reject(AuthError::USER_BANNED);
        }
        if self.is_expired(&session, now) {
            return reject(AuthError::SESSION_EXPIRED);
        }
        match self.classify(&session, counter)? {
            TokenUse::Current => {
                let keep_since = now.plus_seconds(-REUSE_SECONDS);
                sessions::mark_used(conn, &session.id, counter, now, keep_since)?;
                session.counter += 1;
                session.refreshed_at = now;
                add_amr(&mut session, "token_refresh", now);
                sessions::update(conn, &session)?;
                self.grant(&session)
            }
            TokenUse::Retry => self.grant(&session),
            TokenUse::Outdated => reject(AuthError::REFRESH_TOKEN_ALREADY_USED),
            TokenUse::Reused => {
                // Committed although the request is rejected: the session ends for the thief, too.
                sessions::end(conn, &session.id)?;
                let detail = [("session_id", json!(session.id))];
                let subject = Some(session.user_id.as_str());
                self.record("refresh_token_reused", Actor::Anonymous, subject, &detail)?;
                reject(AuthError::REFRESH_TOKEN_ALREADY_USED)
            }
            TokenUse::Unknown => reject(AuthError::REFRESH_TOKEN_NOT_FOUND),
        }
    }

    fn classify(&self, session: &Session, counter: u32) -> Result<TokenUse> {
        let Transaction { conn, now, .. } = *self;
        if counter > session.counter {
            return Ok(TokenUse::Unknown);
        }
        if counter == session.counter {
            return Ok(TokenUse::Current);
        }
        let reuse_ms = 1000 * REUSE_SECONDS;
        let just_now = sessions::used_at(conn, &session.id, counter)?
            .is_some_and(|at| now.millis() - at.millis() < reuse_ms);
        Ok(match (counter < session.min_counter, just_now) {
            (true, true) => TokenUse::Outdated,
            (true, false) => TokenUse::Reused,
            (false, true) => TokenUse::Retry,
            (false, false) if counter + 1 == session.counter => TokenUse::Retry,
            (false, false) => TokenUse::Reused,
        })
    }

    /// Invalidates every refresh token issued so far: none of them ever yields a session of the new
    /// level.
    pub(crate) fn outdate_refresh_tokens(&self, session: &mut Session) -> Result<()> {
        let Transaction { conn, now, .. } = *self;
        let keep_since = now.plus_seconds(-REUSE_SECONDS);
        sessions::mark_used(conn, &session.id, session.counter, now, keep_since)?;
        session.counter += 1;
        session.min_counter = session.counter;
        session.refreshed_at = now;
        Ok(())
    }
}
