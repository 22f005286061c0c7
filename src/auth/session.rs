//! Sessions: opening one, the tokens it is given out with, and who a request's token belongs to. Rotation is in `refresh.rs`.

use super::access_token::{self, AUDIENCE, Claims};
use super::error::{AuthError, Kind, Result, reject};
use super::{Auth, Caller, audit, refresh};
use crate::domain::account::{Aal, Proof, Role, Session, User};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::{self, Connection, accounts, roles, sessions};

/// Longest text kept of what a browser calls itself.
const USER_AGENT_CHARACTERS: usize = 200;

/// What a token endpoint gives out (contract section 2, Session).
#[derive(Clone, Debug)]
pub struct Grant {
    /// PASETO v4.public.
    pub access_token: String,
    /// Opaque; works once.
    pub refresh_token: String,
    /// Seconds the access token lives.
    pub expires_in: i64,
    /// Its end, in Unix seconds.
    pub expires_at: i64,
    /// How far the session has proved who it is.
    pub aal: Aal,
    /// Whose it is.
    pub user: User,
    /// Why the (right) password would be refused today.
    pub weak_password: Option<WeakPassword>,
    /// What an outside provider gave along.
    pub provider_token: Option<String>,
    /// The same, for refreshing it.
    pub provider_refresh_token: Option<String>,
}

/// Why a password would be refused today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeakPassword {
    /// For people.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<&'static str>,
}

/// Who a request comes from, as of this very request.
#[derive(Clone, Debug)]
pub struct SignedInUser {
    /// The user.
    pub user: User,
    /// The session.
    pub session: Session,
    /// What both the token and the session's row vouch for.
    pub aal: Aal,
    /// Whether the user has the role `admin`.
    pub is_admin: bool,
}

impl SignedInUser {
    /// Whether a verified second factor exists and this session has not shown it.
    pub fn lacks_second_factor(&self) -> bool {
        self.aal < Aal::Aal2 && self.user.has_verified_factor()
    }

    /// The same caller as the database knows it in this transaction: between the token's check and the write another request may have verified a factor, lowered
    /// this session or ended it.
    ///
    /// # Errors
    /// 403 `session_not_found`, `user_banned`; what the store says.
    pub(super) fn reload(self, conn: &Connection, now: Time) -> Result<Self> {
        let session = sessions::by_id(conn, &self.session.id)?;
        let user = accounts::by_id(conn, &self.user.id)?;
        let (Some(session), Some(user)) = (session, user) else {
            return reject(no_session());
        };
        if user.is_banned(now) {
            return reject(banned().with_kind(Kind::Forbidden));
        }
        Ok(Self {
            aal: self.aal.min(session.aal),
            is_admin: roles::has(conn, &user.id, Role::Admin)?,
            user,
            session,
        })
    }
}

impl Auth {
    /// Opens a session for a user who has just proved who it is by `method`. Marks the sign-in; the caller writes the audit row.
    ///
    /// # Errors
    /// `user_banned`; what the store says.
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
            return audit::noted(conn, reject(banned()), caller, Some(user_id), method, now);
        }
        let session = Session {
            id: ids::new(now).to_string(),
            user_id: user_id.to_owned(),
            created_at: now,
            refreshed_at: now,
            aal,
            amr: vec![Proof {
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
            floor: 0,
        };
        sessions::insert(conn, &session)?;
        accounts::mark_signed_in(conn, user_id, now)?;
        if !user.has_verified_factor() {
            store::rate_buckets::record_known_client(conn, user_id, &caller.client, now)?;
        }
        self.grant(conn, &session, now)
    }

    /// The tokens of a session as it stands now.
    ///
    /// # Errors
    /// When the session has come to its end.
    pub fn grant(&self, conn: &Connection, session: &Session, now: Time) -> Result<Grant> {
        let Some(user) = accounts::by_id(conn, &session.user_id)? else {
            return Err(store::Error::Missing.into());
        };
        let end = now
            .plus_seconds(self.config.access_token_seconds.into())
            .min(self.end_of(session));
        if end.seconds() <= now.seconds() {
            return reject(expired());
        }
        let ring = self.keys.ring(now);
        let claims = Claims {
            sub: user.id.clone(),
            session_id: session.id.clone(),
            aud: AUDIENCE.to_owned(),
            iss: self.issuer(),
            role: AUDIENCE.to_owned(),
            aal: session.aal,
            amr: session.amr.clone(),
            iat: now.to_string(),
            nbf: now.to_string(),
            exp: end.to_string(),
        };
        Ok(Grant {
            access_token: access_token::sign(&ring, &claims, now)?,
            refresh_token: refresh::token(&ring, &session.id, session.counter)?,
            expires_in: end.seconds() - now.seconds(),
            expires_at: end.seconds(),
            aal: session.aal,
            user,
            weak_password: None,
            provider_token: None,
            provider_refresh_token: None,
        })
    }

    /// The moment after which the session cannot be used, whatever happens.
    fn end_of(&self, session: &Session) -> Time {
        session
            .created_at
            .plus_seconds(self.config.session_absolute_seconds.into())
    }

    /// Whether the session has lived, or lain idle, too long.
    pub(super) fn is_over(&self, session: &Session, now: Time) -> bool {
        let idle = session
            .refreshed_at
            .plus_seconds(self.config.session_idle_seconds.into());
        now >= self.end_of(session) || now >= idle
    }

    /// Whose token this is. The user, the session's row and the ban are looked up each time, so that sign-out, theft and a ban act at once.
    ///
    /// # Errors
    /// 403 `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`, in this order.
    pub async fn authenticate(&self, access_token: &str) -> Result<SignedInUser> {
        let now = self.clock.now();
        let claims = access_token::verify(&self.keys.ring(now), access_token, &self.issuer(), now)?;
        let auth = self.clone();
        self.read(move |conn| auth.identify(conn, &claims, now))
            .await
    }

    fn identify(&self, conn: &Connection, claims: &Claims, now: Time) -> Result<SignedInUser> {
        let user = accounts::by_id(conn, &claims.sub)?.filter(|user| user.deleted_at.is_none());
        let Some(user) = user else {
            return reject(AuthError::new(
                Kind::Forbidden,
                "user_not_found",
                "User from sub claim in JWT does not exist",
            ));
        };
        let session = sessions::by_id(conn, &claims.session_id)?
            .filter(|session| session.user_id == user.id && !self.is_over(session, now));
        let Some(session) = session else {
            return reject(no_session());
        };
        if user.is_banned(now) {
            return reject(banned().with_kind(Kind::Forbidden));
        }
        Ok(SignedInUser {
            aal: claims.aal.min(session.aal),
            is_admin: roles::has(conn, &user.id, Role::Admin)?,
            user,
            session,
        })
    }

    /// Whether this caller may act as an admin: the role, and the second factor where there is one or the settings ask for one.
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
            return reject(insufficient());
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

/// A second factor is needed (401; the contract gives other statuses in places).
pub(super) fn insufficient() -> AuthError {
    AuthError::new(
        Kind::Unauthenticated,
        "insufficient_aal",
        "AAL2 session is required to perform this action",
    )
}

pub(super) fn no_session() -> AuthError {
    AuthError::new(
        Kind::Forbidden,
        "session_not_found",
        "Session from session_id claim in JWT does not exist",
    )
}

pub(super) fn banned() -> AuthError {
    AuthError::new(Kind::Invalid, "user_banned", "User is banned")
}

pub(super) fn expired() -> AuthError {
    AuthError::new(
        Kind::Invalid,
        "session_expired",
        "Invalid Refresh Token: Session Expired",
    )
}
