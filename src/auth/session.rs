//! Sessions: opening one, issuing its tokens, and authenticating requests. `refresh.rs` rotates
//! refresh tokens.

use std::sync::Arc;

use super::access_token::{self, AUDIENCE, Claims};
use super::error::{AuthError, Error, Kind, Result, reject};
use super::{Auth, Caller, audit, refresh_token};
use crate::domain::account::{Aal, AuthMethod, Role, Session, User};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::{self, Connection, accounts, roles, sessions};

/// Maximum stored length of a `User-Agent` header.
const USER_AGENT_CHARACTERS: usize = 200;

/// Response of a token endpoint (auth API, section 2, Session).
#[derive(Clone, Debug)]
pub struct Grant {
    /// PASETO v4.public.
    pub access_token: String,
    /// Opaque; works once.
    pub refresh_token: String,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
    /// Expiry of the access token in Unix seconds.
    pub expires_at: i64,
    /// The authenticator assurance level of the session.
    pub aal: Aal,
    /// The user.
    pub user: User,
    /// Why the (correct) password would be rejected as a new one.
    pub weak_password: Option<WeakPassword>,
    /// The external provider's access token.
    pub provider_token: Option<String>,
    /// The external provider's refresh token.
    pub provider_refresh_token: Option<String>,
}

/// Why a password would be rejected as a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakPassword {
    /// A human-readable message.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<&'static str>,
}

/// The authenticated user of a request.
#[derive(Clone, Debug)]
pub struct SignedInUser {
    /// The user.
    pub user: User,
    /// The session.
    pub session: Session,
    /// The lower one of the levels in the token and in the session's row.
    pub aal: Aal,
    /// Whether the user has the role `admin`.
    pub is_admin: bool,
    /// When the access token expires.
    pub token_expires_at: Time,
}

/// The holder of an access token, for checks after the request that carried it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenHolder {
    /// The user's id.
    pub user_id: String,
    /// The session's id.
    pub session_id: String,
    /// The assurance level in the token.
    pub aal: Aal,
    /// When the token expires.
    pub expires_at: Time,
}

impl SignedInUser {
    /// Whether the user has a verified second factor that this session has not used.
    pub fn lacks_second_factor(&self) -> bool {
        self.aal < Aal::Aal2 && self.user.has_verified_factor()
    }

    /// The holder of the token.
    pub fn holder(&self) -> TokenHolder {
        TokenHolder {
            user_id: self.user.id.clone(),
            session_id: self.session.id.clone(),
            aal: self.aal,
            expires_at: self.token_expires_at,
        }
    }

    /// Reads the user and session again in this transaction: since the token was checked, another
    /// request may have verified a factor, downgraded this session or ended it.
    ///
    /// # Errors
    /// 403 `session_not_found`, `user_banned`; store errors.
    pub(super) fn reload(self, conn: &Connection, now: Time) -> Result<Self> {
        let session = sessions::by_id(conn, &self.session.id)?;
        let user = accounts::by_id(conn, &self.user.id)?;
        let (Some(session), Some(user)) = (session, user) else {
            return reject(session_not_found());
        };
        if user.is_banned(now) {
            return reject(user_banned().with_kind(Kind::Forbidden));
        }
        Ok(Self {
            aal: self.aal.min(session.aal),
            is_admin: roles::has(conn, &user.id, Role::Admin)?,
            user,
            session,
            token_expires_at: self.token_expires_at,
        })
    }
}

impl Auth {
    /// Opens a session for a user who has just authenticated by `method`. Updates the last sign-in;
    /// the caller writes the audit row.
    ///
    /// # Errors
    /// `user_banned`; store errors.
    pub fn open_session(
        &self,
        conn: &Connection,
        user_id: &str,
        method: &str,
        aal: Aal,
        caller: &Caller,
        now: Time,
    ) -> Result<Grant> {
        let Some(user) = accounts::by_id(conn, user_id)? else {
            return Err(store::Error::Missing.into());
        };
        if user.is_banned(now) || user.deleted_at.is_some() {
            return audit::audit_outcome(
                conn,
                reject(user_banned()),
                caller,
                Some(user_id),
                method,
                now,
            );
        }
        let session = Session {
            id: ids::new(now).to_string(),
            user_id: user_id.to_owned(),
            created_at: now,
            refreshed_at: now,
            aal,
            amr: vec![AuthMethod {
                method: method.to_owned(),
                timestamp: now.seconds(),
            }],
            factor_id: None,
            user_agent: caller.user_agent.as_ref().map(|agent| {
                agent
                    .chars()
                    .filter(|c| !c.is_control())
                    .take(USER_AGENT_CHARACTERS)
                    .collect()
            }),
            counter: 0,
            min_counter: 0,
        };
        sessions::insert(conn, &session)?;
        accounts::mark_signed_in(conn, user_id, now)?;
        if !user.has_verified_factor() {
            store::rate_buckets::record_known_client(conn, user_id, &caller.client, now)?;
        }
        self.grant(conn, &session, now)
    }

    /// Issues the tokens of a session as it is now.
    ///
    /// # Errors
    /// When the session has expired.
    pub fn grant(&self, conn: &Connection, session: &Session, now: Time) -> Result<Grant> {
        let Some(user) = accounts::by_id(conn, &session.user_id)? else {
            return Err(store::Error::Missing.into());
        };
        let expires_at = now
            .plus_seconds(self.config.access_token_seconds.into())
            .min(self.expires_at(session));
        if expires_at.seconds() <= now.seconds() {
            return reject(session_expired());
        }
        let ring = self.keys.ring(now);
        let claims = Claims {
            sub: user.id.clone(),
            session_id: session.id.clone(),
            aud: AUDIENCE.to_owned(),
            iss: self.issuer().to_owned(),
            role: AUDIENCE.to_owned(),
            aal: session.aal,
            amr: session.amr.clone(),
            iat: now.to_string(),
            nbf: now.to_string(),
            exp: expires_at.to_string(),
        };
        Ok(Grant {
            access_token: access_token::sign(&ring, &claims, now)?,
            refresh_token: refresh_token::derive(&ring, &session.id, session.counter)?,
            expires_in: expires_at.seconds() - now.seconds(),
            expires_at: expires_at.seconds(),
            aal: session.aal,
            user,
            weak_password: None,
            provider_token: None,
            provider_refresh_token: None,
        })
    }

    /// The absolute expiry of the session.
    fn expires_at(&self, session: &Session) -> Time {
        session
            .created_at
            .plus_seconds(self.config.session_absolute_seconds.into())
    }

    /// Whether the session has exceeded its absolute or idle lifetime.
    pub(super) fn is_expired(&self, session: &Session, now: Time) -> bool {
        let idle = session
            .refreshed_at
            .plus_seconds(self.config.session_idle_seconds.into());
        now >= self.expires_at(session) || now >= idle
    }

    /// Authenticates an access token. The user, the session's row and the ban are looked up each
    /// time, so that sign-out, theft detection and a ban take effect at once.
    ///
    /// # Errors
    /// 403 `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`, in this order.
    pub async fn authenticate(&self, access_token: &str) -> Result<SignedInUser> {
        let now = self.clock.now();
        let claims = access_token::verify(&self.keys.ring(now), access_token, self.issuer(), now)?;
        let holder = TokenHolder {
            // `verify` has read it already.
            expires_at: Time::parse(&claims.exp).unwrap_or(now),
            user_id: claims.sub,
            session_id: claims.session_id,
            aal: claims.aal,
        };
        let auth = self.clone();
        self.read(move |conn| auth.identify(conn, &holder, now))
            .await
    }

    /// Those of `holders` who may no longer act as admins: signed out, suspended, deleted, demoted,
    /// or in need of a second factor.
    ///
    /// # Errors
    /// Store errors.
    pub async fn no_longer_admins(
        &self,
        holders: Vec<Arc<TokenHolder>>,
    ) -> Result<Vec<Arc<TokenHolder>>> {
        let (auth, now) = (self.clone(), self.clock.now());
        self.read(move |conn| {
            let mut ended = Vec::new();
            for holder in holders {
                let caller = auth.identify(conn, &holder, now);
                match caller.and_then(|caller| auth.require_admin(&caller)) {
                    Ok(()) => {}
                    Err(Error::Rejected(_)) => ended.push(holder),
                    Err(error) => return Err(error),
                }
            }
            Ok(ended)
        })
        .await
    }

    fn identify(&self, conn: &Connection, holder: &TokenHolder, now: Time) -> Result<SignedInUser> {
        let user = accounts::by_id(conn, &holder.user_id)?.filter(|user| user.deleted_at.is_none());
        let Some(user) = user else {
            return reject(AuthError::new(
                Kind::Forbidden,
                "user_not_found",
                "User from sub claim in JWT does not exist",
            ));
        };
        let session = sessions::by_id(conn, &holder.session_id)?
            .filter(|session| session.user_id == user.id && !self.is_expired(session, now));
        let Some(session) = session else {
            return reject(session_not_found());
        };
        if user.is_banned(now) {
            return reject(user_banned().with_kind(Kind::Forbidden));
        }
        Ok(SignedInUser {
            aal: holder.aal.min(session.aal),
            is_admin: roles::has(conn, &user.id, Role::Admin)?,
            user,
            session,
            token_expires_at: holder.expires_at,
        })
    }

    /// Whether this caller may act as an admin: the role, and AAL2 if the user has a second factor
    /// or the settings require one.
    ///
    /// # Errors
    /// 403 `not_admin`, 401 `insufficient_aal`.
    pub fn require_admin(&self, caller: &SignedInUser) -> Result<()> {
        if !caller.is_admin {
            return reject(AuthError::new(
                Kind::Forbidden,
                "not_admin",
                "User not allowed",
            ));
        }
        if caller.lacks_second_factor() {
            return reject(insufficient_aal());
        }
        if self.config.require_factor && !caller.user.has_verified_factor() {
            return reject(AuthError::new(
                Kind::Unauthenticated,
                "insufficient_aal",
                "A second factor is required of every admin: enrol one first",
            ));
        }
        Ok(())
    }
}

/// Puts an authentication method first in the session's list, without duplicates.
pub(super) fn add_amr(session: &mut Session, method: &str, now: Time) {
    session.amr.retain(|proof| proof.method != method);
    session.amr.insert(
        0,
        AuthMethod {
            method: method.to_owned(),
            timestamp: now.seconds(),
        },
    );
}

/// A second factor is required (401; the auth API defines other statuses for some endpoints).
pub(super) fn insufficient_aal() -> AuthError {
    AuthError::new(
        Kind::Unauthenticated,
        "insufficient_aal",
        "AAL2 session is required to perform this action",
    )
}

pub(super) fn session_not_found() -> AuthError {
    AuthError::new(
        Kind::Forbidden,
        "session_not_found",
        "Session from session_id claim in JWT does not exist",
    )
}

pub(super) fn user_banned() -> AuthError {
    AuthError::new(Kind::Invalid, "user_banned", "User is banned")
}

pub(super) fn session_expired() -> AuthError {
    AuthError::new(
        Kind::Invalid,
        "session_expired",
        "Invalid Refresh Token: Session Expired",
    )
}
