//! Sign-in, or linking, with an id_token that the caller has got from a provider by itself.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::external_identity::{self, ExternalProfile};
use super::{Auth, Caller, Grant, SignedInUser, oidc};
use crate::domain::account::Aal;
use crate::domain::clock::Time;
use crate::store::{Connection, used_nonces};

/// What the caller brings.
#[derive(Clone, Debug, Default)]
pub struct IdTokenCredentials {
    /// The provider's name in the settings.
    pub provider: String,
    /// The token.
    pub id_token: String,
    /// The raw nonce, where the token holds its hash.
    pub nonce: Option<String>,
    /// The provider's access token, to be checked against the token's `at_hash`.
    pub access_token: Option<String>,
}

/// A token that proves somebody, not yet used up.
struct Shown {
    guest: ExternalProfile,
    digest: String,
    expires_at: Time,
}

impl Shown {
    /// Uses the token up. Whoever has read it on its way must not come in by it as well.
    fn spend(self, conn: &Connection, caller: &Caller, now: Time) -> Result<ExternalProfile> {
        if used_nonces::mark_used(conn, &self.digest, self.expires_at)? {
            return Ok(self.guest);
        }
        let used = reject(AuthError::validation("The id_token has been used already"));
        audit::noted(conn, used, caller, None, "oauth", now)
    }
}

impl Auth {
    /// Opens a session for whoever the token is about.
    ///
    /// # Errors
    /// 400 `validation_failed` for an unknown provider and for whatever is wrong with the token; `signup_disabled`, `user_banned`.
    pub async fn sign_in_with_id_token(
        &self,
        caller: Caller,
        shown: IdTokenCredentials,
    ) -> Result<Grant> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let shown = self.proven(&caller, shown, now).await?;
        let auth = self.clone();
        self.write(move |conn| {
            let guest = shown.spend(conn, &caller, now)?;
            auth.welcome(conn, guest, "oauth", &caller, now)
        })
        .await
    }

    /// Links the token's identity to whoever is signed in; their session goes on.
    ///
    /// # Errors
    /// As for signing in; 422 `identity_already_exists`, 401 `insufficient_aal`.
    pub async fn link_id_token(
        &self,
        caller: Caller,
        signed_in: SignedInUser,
        shown: IdTokenCredentials,
    ) -> Result<Grant> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let shown = self.proven(&caller, shown, now).await?;
        let auth = self.clone();
        self.write(move |conn| {
            let signed_in = signed_in.reload(conn, now)?;
            external_identity::demand_second_factor(&signed_in)?;
            let guest = shown.spend(conn, &caller, now)?;
            external_identity::link(conn, &signed_in, &guest, now)?;
            auth.grant(conn, &signed_in.session, now)
        })
        .await
    }

    /// Whom the token is about. What is wrong with it is recorded.
    async fn proven(&self, caller: &Caller, shown: IdTokenCredentials, now: Time) -> Result<Shown> {
        let outcome = self.guest(shown, now).await;
        self.noted(outcome, caller, None, "oauth", now).await
    }

    async fn guest(&self, shown: IdTokenCredentials, now: Time) -> Result<Shown> {
        if shown.provider.is_empty() || shown.id_token.is_empty() {
            return reject(AuthError::validation("provider and id_token are required"));
        }
        let Some(provider) = self.providers.get(&shown.provider) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        let (nonce, access) = (shown.nonce.as_deref(), shown.access_token.as_deref());
        let said = provider
            .identify(&shown.id_token, nonce, access, now)
            .await
            .map_err(unproven)?;
        Ok(Shown {
            digest: said.digest,
            expires_at: said.expires_at,
            guest: ExternalProfile::of_provider(provider.id(), said.person),
        })
    }

    /// Opens a session for a guest, whose account is found or made.
    pub(super) fn welcome(
        &self,
        conn: &Connection,
        guest: ExternalProfile,
        method: &str,
        caller: &Caller,
        now: Time,
    ) -> Result<Grant> {
        let provider = guest.identity.provider.clone();
        let outcome = external_identity::account_of(conn, guest, self.may_join(method), now);
        let user_id = audit::noted(conn, outcome, caller, None, method, now)?;
        let grant = self.open_session(conn, &user_id, method, Aal::Aal1, caller, now)?;
        let detail = [("method", json!(method)), ("provider", json!(provider))];
        let actor = Actor::User(&user_id);
        let (client, subject) = (&caller.client, Some(user_id.as_str()));
        audit::record_from(conn, client, "sign_in", actor, subject, &detail, now)?;
        Ok(grant)
    }

    /// Whether a guest may get a new account. The people of a company whose provider stands in the settings always may.
    pub(super) fn may_join(&self, method: &str) -> bool {
        self.config.signup || method.starts_with("sso/")
    }
}

/// A provider's word that counts for nothing, as the contract says it; a provider that is silent is worth another try.
pub(super) fn unproven(error: oidc::Error) -> AuthError {
    match error {
        oidc::Error::Unproven(why) => AuthError::validation(why),
        oidc::Error::Unreachable(why) => AuthError::new(Kind::Busy, "unexpected_failure", why),
    }
}
