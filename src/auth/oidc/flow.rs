//! The authorization code flow with PKCE (RFC 6749, RFC 7636): the authorization request and the
//! token request.

use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod};
use openidconnect::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse,
};
use sha2::{Digest, Sha256};

use super::{Error, IdentityClaims, Provider};
use crate::domain::clock::Time;

/// An authorization request. The callback must return the `state`; the rest is needed for the token
/// request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The authorization URL.
    pub url: String,
    /// Returned by the provider; works once.
    pub state: String,
    /// The raw nonce; the provider gets its hash.
    pub nonce: String,
    /// The PKCE verifier.
    pub verifier: String,
}

/// The verified user and the provider's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenResult {
    /// The user.
    pub identity: IdentityClaims,
    /// The provider's access token.
    pub provider_token: String,
    /// The provider's refresh token, if it sent one.
    pub provider_refresh_token: Option<String>,
}

impl Provider {
    /// Creates an authorization request that returns to `callback`. `secrets` are three random
    /// strings: state, nonce and verifier.
    ///
    /// # Errors
    /// `Unreachable` when the provider's metadata cannot be fetched.
    pub async fn authorization_request(
        &self,
        callback: &str,
        login_hint: Option<&str>,
        [state, nonce, verifier]: [String; 3],
        now: Time,
    ) -> Result<AuthorizationRequest, Error> {
        let client = self.client(now).await?;
        let challenge =
            PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier.clone()));
        let (csrf, hash) = (state.clone(), hex::encode(Sha256::digest(&nonce)));
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new(csrf),
                || Nonce::new(hash),
            )
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(challenge)
            .set_redirect_uri(std::borrow::Cow::Owned(redirect(callback)?));
        if let Some(hint) = login_hint {
            request = request.add_extra_param("login_hint", hint);
        }
        let (url, _, _) = request.url();
        Ok(AuthorizationRequest {
            url: url.into(),
            state,
            nonce,
            verifier,
        })
    }

    /// Exchanges the authorization code for the user's identity and the provider's tokens.
    ///
    /// # Errors
    /// `InvalidToken` when the provider rejects the code or its id_token is invalid; `Unreachable`
    /// when it does not answer.
    pub async fn exchange_code(
        &self,
        callback: &str,
        code: &str,
        nonce: &str,
        verifier: &str,
        now: Time,
    ) -> Result<TokenResult, Error> {
        let client = self.client(now).await?;
        let fetch = self.fetch.clone();
        let call = move |request| {
            let fetch = fetch.clone();
            async move { fetch.call(request).await }
        };
        let tokens = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(|_| Error::Unreachable("The identity provider has no token endpoint"))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()))
            .set_redirect_uri(std::borrow::Cow::Owned(redirect(callback)?))
            .request_async(&call)
            .await
            .map_err(|error| match error {
                openidconnect::RequestTokenError::Request(error) => error,
                openidconnect::RequestTokenError::ServerResponse(_) => {
                    Error::InvalidToken("The identity provider refused the code")
                }
                _ => Error::Unreachable("The identity provider's answer is not a token answer"),
            })?;
        let provider_token = tokens.access_token().secret().clone();
        let id_token = tokens
            .id_token()
            .ok_or(Error::InvalidToken(
                "The identity provider gave no id_token",
            ))?
            .to_string();
        let identity = self
            .identify(&id_token, Some(nonce), Some(&provider_token), now)
            .await?
            .identity;
        Ok(TokenResult {
            identity,
            provider_refresh_token: tokens.refresh_token().map(|token| token.secret().clone()),
            provider_token,
        })
    }

    async fn client(&self, now: Time) -> Result<DiscoveredClient, Error> {
        let metadata = self
            .discovery
            .metadata(&self.settings.issuer, &self.fetch, now)
            .await?;
        let id = self
            .settings
            .client_ids
            .first()
            .cloned()
            .unwrap_or_default();
        let secret = self
            .secret
            .as_ref()
            .map(|secret| ClientSecret::new(secret.reveal().to_owned()));
        let basic = metadata
            .token_endpoint_auth_methods_supported()
            .is_none_or(|methods| methods.contains(&CoreClientAuthMethod::ClientSecretBasic));
        let kind = if basic {
            AuthType::BasicAuth
        } else {
            AuthType::RequestBody
        };
        Ok(
            CoreClient::from_provider_metadata(metadata, ClientId::new(id), secret)
                .set_auth_type(kind),
        )
    }
}

/// A client whose addresses come from the provider's metadata.
type DiscoveredClient = CoreClient<
    openidconnect::EndpointSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointNotSet,
    openidconnect::EndpointMaybeSet,
    openidconnect::EndpointMaybeSet,
>;

fn redirect(callback: &str) -> Result<RedirectUrl, Error> {
    RedirectUrl::new(callback.to_owned())
        .map_err(|_| Error::Unreachable("The site's own address is not valid"))
}
