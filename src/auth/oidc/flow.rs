//! The walk to a provider and back: the address to send the browser to, and what the code is worth that it comes back with (authorization code with PKCE, RFC 7636).

use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod};
use openidconnect::{
    AuthType, AuthorizationCode, ClientId, ClientSecret, CsrfToken, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse,
};
use sha2::{Digest, Sha256};

use super::{Error, Person, Provider};
use crate::domain::clock::Time;

/// What we keep of a walk that has begun: whoever comes back must bring the `state`, and the answer must fit the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// Where to send the browser.
    pub url: String,
    /// Comes back in the address; single use.
    pub state: String,
    /// The raw nonce; the provider sees its hash.
    pub nonce: String,
    /// The PKCE verifier of the exchange.
    pub verifier: String,
}

/// A walk's end: who it is, and the provider's own tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenResult {
    /// Whom the provider vouches for.
    pub person: Person,
    /// The provider's access token.
    pub provider_token: String,
    /// Its refresh token, where it gave one.
    pub provider_refresh_token: Option<String>,
}

impl Provider {
    /// Begins a walk that ends at `callback`. `secrets` are three fresh random texts: state, nonce and verifier.
    ///
    /// # Errors
    /// `Unreachable` when the provider's metadata cannot be had.
    pub async fn depart(
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

    /// Exchanges the `code` that came back for the person behind it.
    ///
    /// # Errors
    /// `Unproven` when the provider refuses the code or its id_token proves nothing; `Unreachable` when it does not answer.
    pub async fn redeem(
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
                    Error::Unproven("The identity provider refused the code")
                }
                _ => Error::Unreachable("The identity provider's answer is not a token answer"),
            })?;
        let provider_token = tokens.access_token().secret().clone();
        let id_token = tokens
            .id_token()
            .ok_or(Error::Unproven("The identity provider gave no id_token"))?
            .to_string();
        let person = self
            .identify(&id_token, Some(nonce), Some(&provider_token), now)
            .await?
            .person;
        Ok(TokenResult {
            person,
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
