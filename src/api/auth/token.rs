//! `POST /token`: all grant types; `POST /signup`.

use poem::Request;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::Caller;
use super::dto::user::User;
use super::dto::{OneOf, Session};
use super::error_response::{AuthResult, ErrorResponse};
use super::parameters::{email_redirect, non_empty, only_email};
use crate::bearer::identify;
use crate::tags::Tag;
use auth::accounts::signup::SignUpResult;
use auth::providers::id_token_sign_in::IdTokenCredentials;
use auth::{Auth, AuthError, ClientInfo, Error, Kind};
use domain::account::Metadata;
use http::Uses;
use http::request::strict_json::StrictJson;

/// The message for a sign-in without an address (specification section 8).
const MISSING_CREDENTIALS: &str = "You must provide either an email or phone number and a password";

/// The parameters of all grant types; each ignores those of the others.
#[derive(Object, Deserialize)]
struct TokenRequest {
    /// `password`: the address.
    email: Option<String>,
    /// `password`: phones are not supported.
    phone: Option<String>,
    /// `password`: the password.
    password: Option<String>,
    /// `refresh_token`: the token.
    refresh_token: Option<String>,
    /// `pkce`: the code from the redirect.
    auth_code: Option<String>,
    /// `pkce`: the verifier of the challenge.
    code_verifier: Option<String>,
    /// `id_token`: the provider's name in the settings.
    provider: Option<String>,
    /// `id_token`: the token.
    id_token: Option<String>,
    /// `id_token`: the provider's access token, checked against the token's `at_hash`.
    access_token: Option<String>,
    /// `id_token`: the raw nonce, if the token contains its SHA-256 in hex.
    nonce: Option<String>,
    /// `id_token`: link the identity to the signed-in user instead of signing in.
    link_identity: Option<bool>,
    /// `web3`: `ethereum` or `solana`.
    chain: Option<String>,
    /// `web3`: the text displayed by the wallet.
    message: Option<String>,
    /// `web3`: the wallet's signature.
    signature: Option<String>,
}

/// A sign-up.
#[derive(Object, Deserialize)]
struct SignUpRequest {
    /// The address.
    email: Option<String>,
    /// Phones are not supported.
    phone: Option<String>,
    /// The password.
    password: Option<String>,
    /// Metadata that the user sets.
    data: Option<Any<Metadata>>,
    /// A PKCE challenge: 43 to 128 characters.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// The user if confirmation is required, otherwise a session.
type SignUpResponse = OneOf<User, Session>;

/// The token endpoint.
pub struct Tokens;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl Tokens {
    /// Get a session.
    ///
    /// `grant_type` is one of `password` (email, password), `refresh_token` (refresh_token), `pkce`
    /// (auth_code, code_verifier), `id_token` (provider, id_token, and optional parameters) and
    /// `web3` (chain, message, signature). A refresh token works once: reusing an old one after the
    /// reuse interval ends the session.
    #[oai(path = "/token", method = "post", operation_id = "auth_token")]
    async fn token(
        &self,
        auth: Uses<&Auth>,
        request: &Request,
        Caller(caller): Caller,
        /// `password`, `refresh_token`, `pkce`, `id_token` or `web3`.
        grant_type: Query<Option<String>>,
        body: StrictJson<TokenRequest>,
    ) -> AuthResult<Session> {
        let body = body.0;
        let grant = match grant_type.0.as_deref().unwrap_or_default() {
            "password" => {
                let both = "Only an email address or phone number should be provided, not both";
                let neither = AuthError::validation(MISSING_CREDENTIALS);
                if body.email.as_deref().is_none_or(str::is_empty)
                    && non_empty(body.phone.clone()).is_some()
                {
                    let off = AuthError::PHONE_PROVIDER_DISABLED;
                    return Err(off.with_kind(Kind::Unprocessable).into());
                }
                let email = only_email(body.email, body.phone, both, neither)?;
                let password = body.password.unwrap_or_default();
                auth.sign_in(caller, email, password).await
            }
            "refresh_token" => auth.refresh(&body.refresh_token.unwrap_or_default()).await,
            "pkce" => {
                let code = body.auth_code.unwrap_or_default();
                let verifier = body.code_verifier.unwrap_or_default();
                auth.exchange_code(caller, &code, verifier).await
            }
            "id_token" => return with_id_token(&auth, caller, request, body).await,
            "web3" => {
                let text = |field: Option<String>| field.unwrap_or_default();
                let (message, signature) = (text(body.message), text(body.signature));
                auth.sign_in_with_wallet(caller, &text(body.chain), &message, &signature)
                    .await
            }
            _ => Err(Error::Rejected(AuthError::UNSUPPORTED_GRANT_TYPE)),
        };
        grant
            .map(|grant| Json(grant.into()))
            .map_err(ErrorResponse::from)
    }

    /// Sign up.
    ///
    /// Returns the user until its address is confirmed, or a session with `auth.autoconfirm`. A
    /// known address gets a response of the same form.
    #[oai(path = "/signup", method = "post", operation_id = "auth_signup")]
    async fn signup(
        &self,
        auth: Uses<&Auth>,
        Caller(caller): Caller,
        /// The final redirect of the email's link.
        redirect_to: Query<Option<String>>,
        body: StrictJson<SignUpRequest>,
    ) -> Result<SignUpResponse, ErrorResponse> {
        let body = body.0;
        let both = "Only an email address or phone number should be provided on signup.";
        let neither = AuthError::ANONYMOUS_PROVIDER_DISABLED;
        let email = only_email(body.email, body.phone, both, neither)?;
        let pkce = (body.code_challenge, body.code_challenge_method);
        let redirect = email_redirect(redirect_to.0, pkce)?;
        let data = body.data.map(|data| data.0).unwrap_or_default();
        let password = body.password.unwrap_or_default();
        let signed_up = auth
            .sign_up(caller, email, &password, data, redirect)
            .await?;
        Ok(match signed_up {
            SignUpResult::Pending(user) => OneOf::first(user.into()),
            SignUpResult::Decoy(user) => OneOf::first(User {
                role: String::new(),
                ..user.into()
            }),
            SignUpResult::SignedIn(grant) => OneOf::second((*grant).into()),
        })
    }
}

/// Signs in with an ID token, or links it to the bearer. The bearer is read only for linking,
/// because some clients always send one.
async fn with_id_token(
    auth: &Auth,
    caller: ClientInfo,
    request: &Request,
    body: TokenRequest,
) -> AuthResult<Session> {
    let credentials = IdTokenCredentials {
        provider: body.provider.unwrap_or_default(),
        id_token: body.id_token.unwrap_or_default(),
        nonce: non_empty(body.nonce),
        access_token: non_empty(body.access_token),
    };
    let grant = if body.link_identity == Some(true) {
        let bearer = identify(request).await?;
        auth.link_id_token(caller, bearer, credentials).await
    } else {
        auth.sign_in_with_id_token(caller, credentials).await
    };
    grant
        .map(|grant| Json(grant.into()))
        .map_err(ErrorResponse::from)
}
