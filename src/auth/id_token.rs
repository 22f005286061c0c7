//! Sign-in, or linking, with an id_token that the caller has got from a provider by itself.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{Kind, Refusal, Result, refuse};
use super::outside::{self, Guest};
use super::{Auth, Caller, Grant, SignedIn, oidc};
use crate::domain::account::Aal;
use crate::domain::clock::Time;
use crate::store::Connection;

/// What the caller brings.
#[derive(Clone, Debug, Default)]
pub struct Presented {
    /// The provider's name in the settings.
    pub provider: String,
    /// The token.
    pub id_token: String,
    /// The raw nonce, where the token holds its hash.
    pub nonce: Option<String>,
    /// The provider's access token, to be checked against the token's `at_hash`.
    pub access_token: Option<String>,
}

impl Auth {
    /// Opens a session for whoever the token is about.
    ///
    /// # Errors
    /// 400 `validation_failed` for an unknown provider and for whatever is wrong with the token; `signup_disabled`, `user_banned`.
    pub async fn sign_in_with_id_token(&self, caller: Caller, shown: Presented) -> Result<Grant> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let guest = self.guest(shown, now).await?;
        let auth = self.clone();
        self.write(move |conn| auth.welcome(conn, guest, "oauth", &caller, now))
            .await
    }

    /// Links the token's identity to whoever is signed in; their session goes on.
    ///
    /// # Errors
    /// As for signing in; 422 `identity_already_exists`, 401 `insufficient_aal`.
    pub async fn link_id_token(
        &self,
        caller: Caller,
        signed_in: SignedIn,
        shown: Presented,
    ) -> Result<Grant> {
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let guest = self.guest(shown, now).await?;
        let auth = self.clone();
        self.write(move |conn| {
            outside::link(conn, &signed_in, &guest, now)?;
            auth.grant(conn, &signed_in.session, now)
        })
        .await
    }

    async fn guest(&self, shown: Presented, now: Time) -> Result<Guest> {
        if shown.provider.is_empty() || shown.id_token.is_empty() {
            return refuse(Refusal::validation("provider and id_token are required"));
        }
        let Some(provider) = self.providers.get(&shown.provider) else {
            return refuse(Refusal::validation("Unsupported provider"));
        };
        let (nonce, access) = (shown.nonce.as_deref(), shown.access_token.as_deref());
        let person = provider
            .identify(&shown.id_token, nonce, access, now)
            .await
            .map_err(unproven)?;
        Ok(Guest::of_provider(provider.id(), person))
    }

    /// Opens a session for a guest, whose account is found or made.
    pub(super) fn welcome(
        &self,
        conn: &Connection,
        guest: Guest,
        method: &str,
        caller: &Caller,
        now: Time,
    ) -> Result<Grant> {
        let provider = guest.identity.provider.clone();
        let user_id = outside::account_of(conn, guest, self.may_join(method), now)?;
        let grant = self.open_session(conn, &user_id, method, Aal::Aal1, caller, now)?;
        let detail = [("method", json!(method)), ("provider", json!(provider))];
        let actor = Actor::User(&user_id);
        audit::record(conn, "sign_in", actor, Some(&user_id), &detail, now)?;
        Ok(grant)
    }

    /// Whether a guest may get a new account. The people of a company whose provider stands in the settings always may.
    pub(super) fn may_join(&self, method: &str) -> bool {
        self.config.signup || method.starts_with("sso/")
    }
}

/// A provider's word that counts for nothing, as the contract says it; a provider that is silent is worth another try.
pub(super) fn unproven(error: oidc::Error) -> Refusal {
    match error {
        oidc::Error::Unproven(why) => Refusal::validation(why),
        oidc::Error::Unreachable(why) => Refusal::new(Kind::Busy, "unexpected_failure", why),
    }
}
