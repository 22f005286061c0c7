//! Starts the OAuth flow of a browser with an identity provider. The flow is stored under its
//! state, which works once and for five minutes.

use serde_json::{Value, json};

use super::id_token_sign_in::provider_error;
use super::oidc;
use crate::error::{AuthError, Result, reject};
use crate::keys::secrets::{digest, random_token};
use crate::sign_in::pkce::{CODE_SECONDS, CodeChallenge};
use crate::{Auth, ClientInfo};
use domain::account::Metadata;
use domain::ids;
use store::accounts::flows::{self, Flow};

/// How a client selects an SSO provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SsoTarget {
    /// By email domain.
    Domain(String),
    /// By the provider's name in the settings.
    Provider(String),
}

/// Parameters of an authorization request.
#[derive(Clone, Debug)]
pub struct AuthorizeParams {
    /// A random id of the browser, which its cookie returns at the callback.
    pub browser_id: String,
    /// The redirect target; already checked.
    pub redirect_to: String,
    /// The PKCE challenge, if the browser waits for a code.
    pub challenge: Option<CodeChallenge>,
}

impl Auth {
    /// Starts a flow with the provider called `name`. Returns the authorization URL. Errors: 400
    /// `validation_failed` for an unknown provider; 503 when it cannot be reached.
    pub async fn authorize(
        &self,
        caller: &ClientInfo,
        name: &str,
        params: AuthorizeParams,
    ) -> Result<String> {
        self.ip_limiter.check(caller)?;
        let Some(provider) = self.providers.get(name) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        self.start_authorization(provider, "oauth".to_owned(), params)
            .await
    }

    /// Starts a flow with an SSO provider. Errors: 404 `sso_provider_not_found`; 503 when the
    /// provider cannot be reached.
    pub async fn authorize_sso(
        &self,
        caller: &ClientInfo,
        company: &SsoTarget,
        params: AuthorizeParams,
    ) -> Result<String> {
        self.ip_limiter.check(caller)?;
        let provider = match company {
            SsoTarget::Domain(domain) => self.providers.for_domain(domain),
            SsoTarget::Provider(id) => self.providers.for_sso(id),
        };
        let Some(provider) = provider else {
            return reject(AuthError::SSO_PROVIDER_NOT_FOUND);
        };
        let method = format!("sso/{}", provider.id());
        self.start_authorization(provider, method, params).await
    }

    async fn start_authorization(
        &self,
        provider: &oidc::Provider,
        method: String,
        params: AuthorizeParams,
    ) -> Result<String> {
        let now = self.clock.now();
        let secrets = [random_token(), random_token(), random_token()];
        let url = provider
            .authorization_url(&self.urls.callback, &secrets, now)
            .await
            .map_err(provider_error)?;
        let [state, nonce, verifier] = secrets;
        let flow = Flow {
            id: ids::new(now).to_string(),
            user_id: None,
            method,
            code_challenge: params
                .challenge
                .map(|challenge| challenge.as_str().to_owned()),
            redirect_to: Some(params.redirect_to),
            details: object(json!({
                "provider": provider.id(),
                "nonce": nonce,
                "verifier": verifier,
                "browser": digest(&params.browser_id),
            })),
            state_digest: Some(digest(&state)),
            code_digest: None,
            expires_at: now.plus_seconds(CODE_SECONDS),
        };
        self.change(move |tx| Ok(flows::insert(tx.conn, &flow, now)?))
            .await?;
        Ok(url)
    }
}

pub(crate) fn object(value: Value) -> Metadata {
    value.as_object().cloned().unwrap_or_default()
}
