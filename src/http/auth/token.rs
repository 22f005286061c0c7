//! `POST /token`: every way to get a session's tokens.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::Caller;
use super::objects::Session;
use super::refusal::{Answer, Refused};
use super::{Tag, address, given};
use crate::auth::{Error, Kind, Refusal};
use crate::http::App;
use crate::http::strict::Strict;

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
    /// `pkce`: the code that came back.
    auth_code: Option<String>,
    /// `pkce`: what the browser's challenge was made of.
    code_verifier: Option<String>,
}

/// The token endpoint.
pub struct Tokens;

#[OpenApi(tag = "Tag::Authentication")]
impl Tokens {
    /// Get a session.
    ///
    /// `grant_type` is one of `password` (email, password), `refresh_token` (refresh_token) and `pkce` (auth_code, code_verifier).
    /// A refresh token works once: using an old one again later than the reuse interval ends the session.
    #[oai(path = "/auth/v1/token", method = "post", operation_id = "auth_token")]
    async fn token(
        &self,
        app: Data<&Arc<App>>,
        caller: Caller,
        /// `password`, `refresh_token` or `pkce`.
        grant_type: Query<Option<String>>,
        body: Strict<TokenRequest>,
    ) -> Answer<Session> {
        let (auth, body) = (&app.auth, body.0);
        let grant = match grant_type.0.as_deref().unwrap_or_default() {
            "password" => {
                let (email, phone) = (given(body.email), given(body.phone));
                let email = match (email, phone) {
                    (Some(_), Some(_)) => {
                        return Err(Refusal::validation(
                            "Only an email address or phone number should be provided, not both",
                        )
                        .into());
                    }
                    (None, Some(_)) => {
                        return Err(Refusal::phone().as_kind(Kind::Unprocessable).into());
                    }
                    (None, None) => {
                        return Err(Refusal::validation("missing email or phone").into());
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
            _ => Err(Error::Refused(Refusal::new(
                Kind::Invalid,
                "unsupported_grant_type",
                "grant_type is not supported",
            ))),
        };
        grant.map(|grant| Json(grant.into())).map_err(Refused::from)
    }
}
