//! `POST /token`: every way to get a session's tokens.

use std::sync::Arc;

use poem::Request;
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Caller, identify};
use super::dto::Session;
use super::error_response::{AuthResult, Refused};
use super::{Tag, address, given};
use crate::auth::id_token::IdTokenCredentials;
use crate::auth::{self, Auth, AuthError, Error, Kind};
use crate::http::App;
use crate::http::strict_json::StrictJson;

/// The specification's sentence for a sign-in without an address (section 8).
const NEITHER: &str = "You must provide either an email or phone number and a password";

/// What each grant type needs; the rest is left out.
#[derive(Object, Deserialize)]
struct TokenRequest {
    /// `password`: the address.
    email: Option<String>,
    /// `password`: phones are not served.
    phone: Option<String>,
    /// `password`: the password.
    password: Option<String>,
    /// `refresh_token`: the token.
    refresh_token: Option<String>,
    /// `pkce`: the code that came back in the address.
    auth_code: Option<String>,
    /// `pkce`: what the challenge was made of.
    code_verifier: Option<String>,
    /// `id_token`: the provider's name in the settings.
    provider: Option<String>,
    /// `id_token`: the token.
    id_token: Option<String>,
    /// `id_token`: the provider's access token, checked against the token's `at_hash`.
    access_token: Option<String>,
    /// `id_token`: the raw nonce, where the token holds its SHA-256 in hex.
    nonce: Option<String>,
    /// `id_token`: link the identity to whoever is signed in, instead of signing in.
    link_identity: Option<bool>,
    /// `web3`: `ethereum` or `solana`.
    chain: Option<String>,
    /// `web3`: the text that the wallet showed.
    message: Option<String>,
    /// `web3`: the wallet's signature.
    signature: Option<String>,
}

/// The token endpoint.
pub struct Tokens;

#[OpenApi(tag = "Tag::Authentication")]
impl Tokens {
    /// Get a session.
    ///
    /// `grant_type` is one of `password` (email, password), `refresh_token` (refresh_token), `pkce` (auth_code, code_verifier), `id_token` (provider, id_token,
    /// and what goes with it) and `web3` (chain, message, signature).
    /// A refresh token works once: using an old one again later than the reuse interval ends the session.
    #[oai(path = "/auth/v1/token", method = "post", operation_id = "auth_token")]
    async fn token(
        &self,
        app: Data<&Arc<App>>,
        request: &Request,
        caller: Caller,
        /// `password`, `refresh_token`, `pkce`, `id_token` or `web3`.
        grant_type: Query<Option<String>>,
        body: StrictJson<TokenRequest>,
    ) -> AuthResult<Session> {
        let (auth, body) = (&app.auth, body.0);
        let grant = match grant_type.0.as_deref().unwrap_or_default() {
            "password" => {
                let (email, phone) = (given(body.email), given(body.phone));
                let email = match (email, phone) {
                    (Some(_), Some(_)) => {
                        return Err(AuthError::validation(
                            "Only an email address or phone number should be provided, not both",
                        )
                        .into());
                    }
                    (None, Some(_)) => {
                        return Err(AuthError::phone_disabled()
                            .with_kind(Kind::Unprocessable)
                            .into());
                    }
                    (None, None) => {
                        return Err(AuthError::validation(NEITHER).into());
                    }
                    (Some(email), None) => address(&email)?,
                };
                let password = body.password.unwrap_or_default();
                auth.sign_in(caller.0, email, password).await
            }
            "refresh_token" => auth.refresh(&body.refresh_token.unwrap_or_default()).await,
            "pkce" => {
                let code = body.auth_code.unwrap_or_default();
                let verifier = body.code_verifier.unwrap_or_default();
                auth.exchange_code(caller.0, &code, verifier).await
            }
            "id_token" => return with_id_token(auth, caller.0, request, body).await,
            "web3" => {
                let text = |field: Option<String>| field.unwrap_or_default();
                let (message, signature) = (text(body.message), text(body.signature));
                auth.sign_in_with_wallet(caller.0, &text(body.chain), &message, &signature)
                    .await
            }
            _ => Err(Error::Refused(AuthError::new(
                Kind::Invalid,
                "unsupported_grant_type",
                "grant_type is not supported",
            ))),
        };
        grant.map(|grant| Json(grant.into())).map_err(Refused::from)
    }
}

/// Signs in with an id_token, or links it to the bearer. The bearer is looked at only then: some clients send one along always.
async fn with_id_token(
    auth: &Auth,
    caller: auth::Caller,
    request: &Request,
    body: TokenRequest,
) -> AuthResult<Session> {
    let shown = IdTokenCredentials {
        provider: body.provider.unwrap_or_default(),
        id_token: body.id_token.unwrap_or_default(),
        nonce: given(body.nonce),
        access_token: given(body.access_token),
    };
    let grant = if body.link_identity == Some(true) {
        let bearer = identify(request).await?;
        auth.link_id_token(caller, bearer, shown).await
    } else {
        auth.sign_in_with_id_token(caller, shown).await
    };
    grant.map(|grant| Json(grant.into())).map_err(Refused::from)
}
