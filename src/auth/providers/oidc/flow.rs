//! The authorization code flow with PKCE (RFC 6749, RFC 7636): the authorization request and the
//! token request.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::header::CONTENT_TYPE;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Error, IdentityClaims, Provider, fetch};
use domain::clock::Time;

/// A successful token response (RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3).
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    refresh_token: Option<String>,
    id_token: Option<String>,
}

impl Provider {
    /// The URL of an authorization request that returns to `callback`, which must get the `state`.
    /// The secrets are three random strings: the state, which works once, the raw nonce, of which
    /// the provider gets the hash, and the PKCE verifier. Errors: `Unreachable` when the provider's
    /// metadata cannot be fetched.
    pub async fn authorization_url(
        &self,
        callback: &str,
        [state, nonce, verifier]: &[String; 3],
        now: Time,
    ) -> Result<String, Error> {
        let metadata = self.metadata(now).await?;
        let mut url = Url::parse(&metadata.authorization_endpoint).map_err(|_| {
            Error::Unreachable("The identity provider's metadata is not what the standard asks for")
        })?;
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", self.client_id()),
            ("redirect_uri", callback),
            ("scope", "openid email profile"),
            ("state", state),
            ("nonce", &hex::encode(Sha256::digest(nonce))),
            (
                "code_challenge",
                &URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)),
            ),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url.into())
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
    ) -> Result<(IdentityClaims, Value), Error> {
        let response = self.request_tokens(callback, code, verifier, now).await?;
        let id_token = response.id_token.ok_or(Error::InvalidToken(
            "The identity provider gave no id_token",
        ))?;
        let verified = self
            .identify(&id_token, Some(nonce), Some(&response.access_token), now)
            .await?;
        let tokens = json!({
            "provider_token": response.access_token,
            "provider_refresh_token": response.refresh_token,
        });
        Ok((verified.identity, tokens))
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
        let mut request = self.http.post(endpoint);
        match self.secret.as_ref().map(|secret| secret.reveal()) {
            Some(secret) if metadata.supports_basic_auth() => {
                let (user, password) = (form_encode(self.client_id()), form_encode(secret));
                request = request.basic_auth(user, Some(password));
            }
            secret => {
                form.push(("client_id", self.client_id()));
                form.extend(secret.map(|secret| ("client_secret", secret)));
            }
        }
        let form = serde_urlencoded::to_string(form).map_err(|_| MALFORMED)?;
        let request = request
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        let (status, body) = fetch::read(request).await?;
        if status == StatusCode::OK {
            return serde_json::from_slice(&body).map_err(|_| MALFORMED);
        }
        // An error response (RFC 6749, section 5.2).
        match serde_json::from_slice::<Value>(&body) {
            Ok(answer) if answer["error"].is_string() => Err(Error::InvalidToken(
                "The identity provider rejected the code",
            )),
            _ => Err(MALFORMED),
        }
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
