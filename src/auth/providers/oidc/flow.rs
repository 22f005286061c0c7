//! The authorization code flow with PKCE (RFC 6749, RFC 7636): the authorization request and the
//! token request.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::discovery::Metadata;
use super::fetch::BasicAuth;
use super::{Error, IdentityClaims, Provider};
use domain::clock::Time;

/// An authorization request. The callback must return the `state`; the rest is needed for the token
/// request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
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

/// A successful token response (RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3).
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    refresh_token: Option<String>,
    id_token: Option<String>,
}

/// An error response (RFC 6749, section 5.2).
#[derive(Deserialize)]
struct TokenError {
    #[serde(rename = "error")]
    _error: String,
}

impl Provider {
    /// Creates an authorization request that returns to `callback`. `secrets` are three random
    /// strings: state, nonce and verifier. Errors: `Unreachable` when the provider's metadata
    /// cannot be fetched.
    pub async fn authorization_request(
        &self,
        callback: &str,
        secrets: [String; 3],
        now: Time,
    ) -> Result<AuthorizationRequest, Error> {
        let [state, nonce, verifier] = secrets;
        let metadata = self.metadata(now).await?;
        let mut url = Url::parse(&metadata.authorization_endpoint).map_err(|_| {
            Error::Unreachable("The identity provider's metadata is not what the standard asks for")
        })?;
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", self.client_id()),
            ("redirect_uri", callback),
            ("scope", "openid email profile"),
            ("state", &state),
            ("nonce", &hex::encode(Sha256::digest(&nonce))),
            (
                "code_challenge",
                &URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier)),
            ),
            ("code_challenge_method", "S256"),
        ]);
        Ok(AuthorizationRequest {
            url: url.into(),
            state,
            nonce,
            verifier,
        })
    }

    /// Exchanges the authorization code for the user's identity and the provider's tokens. Errors:
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
        let response = self.request_tokens(callback, code, verifier, now).await?;
        let id_token = response.id_token.ok_or(Error::InvalidToken(
            "The identity provider gave no id_token",
        ))?;
        let verified = self
            .identify(&id_token, Some(nonce), Some(&response.access_token), now)
            .await?;
        Ok(TokenResult {
            identity: verified.identity,
            provider_token: response.access_token,
            provider_refresh_token: response.refresh_token,
        })
    }

    /// Sends the token request. The client authenticates with its secret by HTTP Basic or in the
    /// form, as the metadata says (OpenID Connect Core 1.0, section 9); without a secret the form
    /// contains the client id only.
    async fn request_tokens(
        &self,
        callback: &str,
        code: &str,
        verifier: &str,
        now: Time,
    ) -> Result<TokenResponse, Error> {
        const MALFORMED: Error =
            Error::Unreachable("The identity provider's answer is not a token answer");
        let metadata = self.metadata(now).await?;
        let endpoint = metadata
            .token_endpoint
            .as_deref()
            .ok_or(Error::Unreachable(
                "The identity provider has no token endpoint",
            ))?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", callback),
            ("code_verifier", verifier),
        ];
        let secret = self.secret.as_ref().map(|secret| secret.reveal());
        let basic_auth = match secret {
            Some(secret) if metadata.supports_basic_auth() => Some(BasicAuth {
                user: form_encode(self.client_id()),
                password: form_encode(secret),
            }),
            secret => {
                form.push(("client_id", self.client_id()));
                form.extend(secret.map(|secret| ("client_secret", secret)));
                None
            }
        };
        let form = serde_urlencoded::to_string(form).map_err(|_| MALFORMED)?;
        let answer = self.http.post_form(endpoint, form, basic_auth).await?;
        if answer.status == StatusCode::OK {
            return serde_json::from_slice(&answer.body).map_err(|_| MALFORMED);
        }
        match serde_json::from_slice::<TokenError>(&answer.body) {
            Ok(_) => Err(Error::InvalidToken(
                "The identity provider rejected the code",
            )),
            Err(_) => Err(MALFORMED),
        }
    }

    async fn metadata(&self, now: Time) -> Result<Arc<Metadata>, Error> {
        self.discovery
            .metadata(&self.settings.issuer, &self.http, now)
            .await
    }

    fn client_id(&self) -> &str {
        self.settings.client_ids.first().map_or("", String::as_str)
    }
}

/// Encodes a value for HTTP Basic client authentication (RFC 6749, section 2.3.1).
fn form_encode(value: &str) -> String {
    let pair = serde_urlencoded::to_string([("", value)]).unwrap_or_default();
    pair.trim_start_matches('=').to_owned()
}
