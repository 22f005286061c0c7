//! Sign-in, or linking an identity, with an id_token that the client got from a provider.

use serde_json::json;

use super::external_identity::{self, ExternalProfile};
use super::oidc;
use crate::error::{AuthError, Kind, Result, reject};
use crate::{Auth, ClientInfo, Grant, SignedInUser, Transaction};
use domain::account::Aal;
use domain::clock::Time;
use store::accounts::used_nonces;

/// The client's id_token.
#[derive(Clone, Debug, Default)]
pub struct IdTokenCredentials {
    /// The provider's name in the settings.
    pub provider: String,
    pub id_token: String,
    /// The raw nonce, if the token contains its hash.
    pub nonce: Option<String>,
    /// The provider's access token, checked against the token's `at_hash`.
    pub access_token: Option<String>,
}

/// A verified id_token that is not consumed yet.
struct VerifiedIdToken {
    external: ExternalProfile,
    digest: String,
    expires_at: Time,
}

impl VerifiedIdToken {
    /// Consumes the token, so that it cannot be replayed.
    fn consume(self, tx: &Transaction<'_>, caller: &ClientInfo) -> Result<ExternalProfile> {
        if used_nonces::mark_used(tx.conn, &self.digest, self.expires_at)? {
            return Ok(self.external);
        }
        let used = reject(AuthError::validation("The id_token has been used already"));
        tx.audit_outcome(used, caller, None, "oauth")
    }
}

impl Auth {
    /// Opens a session for the subject of the token. Errors: 400 `validation_failed` for an unknown
    /// provider or an invalid token; `signup_disabled`, `user_banned`.
    pub async fn sign_in_with_id_token(
        &self,
        caller: ClientInfo,
        credentials: IdTokenCredentials,
    ) -> Result<Grant> {
        self.ip_limiter.check(&caller)?;
        let token = self.verified_token(&caller, credentials).await?;
        self.change(move |tx| {
            let external = token.consume(tx, &caller)?;
            tx.sign_in_external(external, "oauth", &caller)
        })
        .await
    }

    /// Links the token's identity to the signed-in user and keeps the session. Errors: as for
    /// signing in; 422 `identity_already_exists`, 401 `insufficient_aal`.
    pub async fn link_id_token(
        &self,
        caller: ClientInfo,
        signed_in: SignedInUser,
        credentials: IdTokenCredentials,
    ) -> Result<Grant> {
        self.ip_limiter.check(&caller)?;
        let token = self.verified_token(&caller, credentials).await?;
        self.change(move |tx| {
            let signed_in = signed_in.reload(tx)?;
            signed_in.require_second_factor(Kind::Unauthenticated)?;
            let external = token.consume(tx, &caller)?;
            external_identity::link_identity(tx, &signed_in, &external)?;
            tx.grant(&signed_in.session)
        })
        .await
    }

    /// Verifies the id_token and records a rejection.
    async fn verified_token(
        &self,
        caller: &ClientInfo,
        credentials: IdTokenCredentials,
    ) -> Result<VerifiedIdToken> {
        let outcome = self.verify_id_token(credentials).await;
        self.audit_outcome(outcome, caller, None, "oauth").await
    }

    async fn verify_id_token(&self, credentials: IdTokenCredentials) -> Result<VerifiedIdToken> {
        if credentials.provider.is_empty() || credentials.id_token.is_empty() {
            return reject(AuthError::validation("provider and id_token are required"));
        }
        let Some(provider) = self.providers.get(&credentials.provider) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        let (nonce, access) = (
            credentials.nonce.as_deref(),
            credentials.access_token.as_deref(),
        );
        let verified = provider
            .identify(&credentials.id_token, nonce, access, self.clock.machine())
            .await
            .map_err(provider_error)?;
        Ok(VerifiedIdToken {
            digest: verified.digest,
            expires_at: verified.expires_at,
            external: ExternalProfile::of_provider(provider.id(), verified.identity),
        })
    }

    /// Whether an external identity may get a new account. SSO providers always may create
    /// accounts.
    pub(crate) fn signup_allowed(&self, method: &str) -> bool {
        self.config.signup || method.starts_with("sso/")
    }
}

impl Transaction<'_> {
    /// Opens a session for an external identity, whose account is found or created.
    pub(crate) fn sign_in_external(
        &self,
        external: ExternalProfile,
        method: &str,
        caller: &ClientInfo,
    ) -> Result<Grant> {
        let provider = external.identity.provider.clone();
        let outcome =
            external_identity::find_or_create_user(self, external, self.signup_allowed(method));
        let user_id = self.audit_outcome(outcome, caller, None, method)?;
        let grant = self.open_session(&user_id, method, Aal::Aal1, caller)?;
        let detail = [("method", json!(method)), ("provider", json!(provider))];
        self.record_own_from(caller, "sign_in", &user_id, &detail)?;
        Ok(grant)
    }
}

/// Maps a provider error to the auth API: an invalid token is a client error, an unreachable
/// provider can be retried.
pub(crate) fn provider_error(error: oidc::Error) -> AuthError {
    match error {
        oidc::Error::InvalidToken(why) => AuthError::validation(why),
        oidc::Error::Unreachable(why) => AuthError::new(Kind::Busy, "unexpected_failure", why),
    }
}
