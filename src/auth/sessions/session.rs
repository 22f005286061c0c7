//! Sessions: opening one and issuing its tokens. `refresh` rotates refresh tokens, `signed_in_user`
//! authenticates requests.

use poem_openapi::Object;

use super::access_token::{self, AUDIENCE, Claims};
use super::refresh_token;
use crate::error::{AuthError, Result, reject};
use crate::{Auth, ClientInfo, Transaction};
use domain::account::{Aal, AuthMethod, Metadata, Session, User};
use domain::clock::Time;
use domain::ids;
use store::accounts::{self, sessions};

/// Maximum stored length of a `User-Agent` header.
const USER_AGENT_CHARACTERS: usize = 200;

/// A session that was opened, with its tokens (auth API, section 2, Session).
#[derive(Clone, Debug, Object)]
#[oai(skip_serializing_if_is_none)]
pub struct Grant {
    /// PASETO v4.public; for the `Authorization` header.
    pub access_token: String,
    /// Single use; each refresh returns a new one.
    pub refresh_token: String,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
    /// When the access token expires, in Unix seconds.
    pub expires_at: i64,
    /// The authenticator assurance level of this session.
    pub aal: Aal,
    #[oai(skip)]
    pub user: User,
    /// Present if the current rules would reject the password.
    pub weak_password: Option<WeakPassword>,
    /// The provider's access token.
    pub provider_token: Option<String>,
    /// The provider's refresh token.
    pub provider_refresh_token: Option<String>,
}

/// Why the current rules would reject the password.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "Weakness")]
pub struct WeakPassword {
    /// A message for people.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<String>,
}

impl Grant {
    /// With the tokens of the provider that the details of a flow contain.
    pub(crate) fn with_provider_tokens(self, details: &Metadata) -> Self {
        let text = |key: &str| details.get(key)?.as_str().map(str::to_owned);
        Self {
            provider_token: text("provider_token"),
            provider_refresh_token: text("provider_refresh_token"),
            ..self
        }
    }
}

impl Auth {
    /// The absolute expiry of the session.
    fn expires_at(&self, session: &Session) -> Time {
        session
            .created_at
            .plus_seconds(self.config.session_absolute_seconds.into())
    }

    /// Whether the session has exceeded its absolute or idle lifetime.
    pub(crate) fn is_expired(&self, session: &Session, now: Time) -> bool {
        let idle = session
            .refreshed_at
            .plus_seconds(self.config.session_idle_seconds.into());
        now >= self.expires_at(session) || now >= idle
    }
}

impl Transaction<'_> {
    /// Opens a session for a user who has just authenticated by `method`. Updates the last sign-in;
    /// the caller writes the audit row. Errors: `user_banned`.
    pub fn open_session(
        &self,
        user_id: &str,
        method: &str,
        aal: Aal,
        caller: &ClientInfo,
    ) -> Result<Grant> {
        let Transaction { conn, now, .. } = *self;
        let Some(user) = accounts::by_id(conn, user_id)? else {
            return Err(store::Error::Missing.into());
        };
        if user.is_banned(now) || user.deleted_at.is_some() {
            return self.audit_outcome(
                reject(AuthError::USER_BANNED),
                caller,
                Some(user_id),
                method,
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
            store::accounts::rate_buckets::record_known_client(conn, user_id, &caller.client, now)?;
        }
        self.grant(&session)
    }

    /// Issues the tokens of a session as it is now. Fails when the session has expired.
    pub fn grant(&self, session: &Session) -> Result<Grant> {
        let Transaction { conn, now, .. } = *self;
        let Some(user) = accounts::by_id(conn, &session.user_id)? else {
            return Err(store::Error::Missing.into());
        };
        let expires_at = now
            .plus_seconds(self.config.access_token_seconds.into())
            .min(self.expires_at(session));
        if expires_at.seconds() <= now.seconds() {
            return reject(AuthError::SESSION_EXPIRED);
        }
        let ring = self.keys.ring(now);
        let claims = Claims {
            sub: user.id.clone(),
            session_id: session.id.clone(),
            aud: AUDIENCE.to_owned(),
            iss: self.urls.issuer.clone(),
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
}

/// Puts an authentication method first in the session's list, without duplicates.
pub(crate) fn add_amr(session: &mut Session, method: &str, now: Time) {
    session.amr.retain(|proof| proof.method != method);
    session.amr.insert(
        0,
        AuthMethod {
            method: method.to_owned(),
            timestamp: now.seconds(),
        },
    );
}
