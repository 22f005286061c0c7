//! Authentication of a request's access token, and the rights of an admin.

use std::sync::Arc;

use super::access_token;
use crate::error::{AuthError, Error, Kind, Result, reject};
use crate::{Auth, Transaction};
use domain::account::{Aal, AuthMethod, Factor, Role, Session, User};
use domain::clock::Time;
use store::accounts::{roles, sessions};
use store::{Connection, accounts};

/// How long a sign-in counts as recent, in seconds.
const RECENT_SIGN_IN_SECONDS: i64 = 600;

/// The methods of `step_up`.
const SECOND_FACTORS: [&str; 2] = ["totp", "recovery_code"];

/// The authenticated user of a request.
#[derive(Clone, Debug)]
pub struct SignedInUser {
    pub user: User,
    pub session: Session,
    /// The lower one of the levels in the token and in the session's row.
    pub aal: Aal,
    pub role: Option<Role>,
    /// When the access token expires.
    pub token_expires_at: Time,
}

/// The holder of an access token, for checks after the request that carried it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenHolder {
    pub user_id: String,
    pub session_id: String,
    /// The assurance level in the token.
    pub aal: Aal,
    pub expires_at: Time,
}

impl SignedInUser {
    /// Whether the user has a verified second factor that this session has not used.
    pub fn lacks_second_factor(&self) -> bool {
        self.aal < Aal::Aal2 && self.user.has_verified_factor()
    }

    /// Requires that this session has used the user's second factor, if there is a verified one.
    /// Errors: `insufficient_aal` of this kind.
    pub(crate) fn require_second_factor(&self, kind: Kind) -> Result<()> {
        match self.lacks_second_factor() {
            true => reject(AuthError::INSUFFICIENT_AAL.with_kind(kind)),
            false => Ok(()),
        }
    }

    pub fn holder(&self) -> TokenHolder {
        TokenHolder {
            user_id: self.user.id.clone(),
            session_id: self.session.id.clone(),
            aal: self.aal,
            expires_at: self.token_expires_at,
        }
    }

    /// Reads the user and session again in this transaction: since the token was checked, another
    /// request may have verified a factor, downgraded this session or ended it. Errors: 403
    /// `user_not_found`, `session_not_found`, `user_banned`.
    pub(crate) fn reload(self, tx: &Transaction<'_>) -> Result<Self> {
        tx.identify(tx.conn, &self.holder(), tx.now)
    }
}

impl Auth {
    /// Authenticates an access token. The user, the session's row and the ban are looked up each
    /// time, so that sign-out, theft detection and a ban take effect at once. Errors: 403
    /// `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`, in this order.
    pub async fn authenticate(&self, access_token: &str) -> Result<SignedInUser> {
        let now = self.clock.now();
        let claims =
            access_token::verify(&self.keys.ring(now), access_token, &self.urls.issuer, now)?;
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

    /// Those of `holders` who may no longer act in one of these roles: signed out, suspended,
    /// deleted, demoted, or missing a second factor.
    pub async fn without_role(
        &self,
        holders: Vec<Arc<TokenHolder>>,
        allowed: &'static [Role],
    ) -> Result<Vec<Arc<TokenHolder>>> {
        let (auth, now) = (self.clone(), self.clock.now());
        self.read(move |conn| {
            let mut ended = Vec::new();
            for holder in holders {
                let caller = auth.identify(conn, &holder, now);
                match caller.and_then(|caller| auth.require_role(&caller, allowed)) {
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
            return reject(AuthError::TOKEN_WITHOUT_USER);
        };
        let session = sessions::by_id(conn, &holder.session_id)?
            .filter(|session| session.user_id == user.id && !self.is_expired(session, now));
        let Some(session) = session else {
            return reject(AuthError::SESSION_NOT_FOUND);
        };
        if user.is_banned(now) {
            return reject(AuthError::USER_BANNED.with_kind(Kind::Forbidden));
        }
        Ok(SignedInUser {
            aal: holder.aal.min(session.aal),
            role: roles::of(conn, &user.id)?,
            user,
            session,
            token_expires_at: holder.expires_at,
        })
    }

    /// Whether this caller may act as an admin. Errors: as `require_role`.
    pub fn require_admin(&self, caller: &SignedInUser) -> Result<()> {
        self.require_role(caller, &[Role::Admin])
    }

    /// Whether this caller may act in one of these roles: the role, and AAL2 if the user has a
    /// second factor or the settings require one. Errors: 403 `not_admin`, 401 `insufficient_aal`.
    pub fn require_role(&self, caller: &SignedInUser, allowed: &[Role]) -> Result<()> {
        if !caller.role.is_some_and(|role| allowed.contains(&role)) {
            return reject(AuthError::NOT_ADMIN);
        }
        caller.require_second_factor(Kind::Unauthenticated)?;
        if self.config.require_factor && !caller.user.has_verified_factor() {
            return reject(AuthError::FACTOR_REQUIRED);
        }
        Ok(())
    }

    /// Requires that this session's user has proved who they are in the last ten minutes: by
    /// signing in, by a second factor or by `reauthenticate_session`. A factor counts unless it was
    /// enrolled more than ten minutes after the session began. Errors: 403
    /// `reauthentication_needed`.
    pub fn require_recent_sign_in(&self, caller: &SignedInUser) -> Result<()> {
        let now = self.clock.now().seconds();
        // The thief of a session can enroll a factor in it.
        let latest = caller.session.created_at.seconds() + RECENT_SIGN_IN_SECONDS;
        let enrolled_later =
            |factor: &Factor| factor.is_verified() && factor.created_at.seconds() > latest;
        let trusts_factors = !caller.user.factors.iter().any(enrolled_later);
        let counts = |proof: &AuthMethod| {
            let is_recent = now - proof.timestamp <= RECENT_SIGN_IN_SECONDS;
            is_recent && (trusts_factors || !SECOND_FACTORS.contains(&proof.method.as_str()))
        };
        if caller.session.amr.iter().any(counts) {
            return Ok(());
        }
        reject(AuthError::REAUTHENTICATION_NEEDED)
    }
}
