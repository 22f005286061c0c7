//! `/verify`: codes and link tokens sent by a program, and the page for links opened in a browser
//! (`link_page`).

use std::sync::Arc;

use poem_openapi::param::Query;
use poem_openapi::payload::{Html, Response};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::Caller;
use super::dto::{OneOf, Session};
use super::error_response::ErrorResponse;
use super::link_page::{self, ConfirmForm, HALF_CONFIRMED};
use super::parameters::{non_empty, parse_email};
use crate::tags::Tag;
use auth::sign_in::verify::VerifyType;
use auth::{Auth, AuthError};
use http::Uses;
use http::request::strict_json::StrictJson;
use site::publishing::Publisher;

/// A code with its address, or a link's token.
#[derive(Object, Deserialize)]
struct VerifyRequest {
    /// `signup`, `invite`, `recovery`, `magiclink`, `email` or `email_change`.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: Option<String>,
    /// The address that the code was sent to.
    email: Option<String>,
    /// Phones are not supported.
    phone: Option<String>,
    /// The code.
    token: Option<String>,
    /// The token of a link, instead of address and code.
    token_hash: Option<String>,
}

/// The first of two confirmations of an address change was accepted.
#[derive(Object)]
struct HalfConfirmed {
    /// A message for people.
    msg: String,
    /// `200`.
    code: String,
}

/// A session, or the first half of an address change.
type VerifyResponse = OneOf<Session, HalfConfirmed>;

/// The endpoints of codes and tokens.
pub struct Verification;

#[OpenApi(prefix_path = "/auth/v1/verify", tag = "Tag::Authentication")]
impl Verification {
    /// Verify a code, or the token of a link.
    ///
    /// Exactly one of `email` with `token`, or `token_hash`. The first half of an address change
    /// returns `{"msg", "code": "200"}` instead of a session.
    #[oai(path = "/", method = "post", operation_id = "auth_verify")]
    async fn verify(
        &self,
        auth: Uses<&Auth>,
        Caller(caller): Caller,
        body: StrictJson<VerifyRequest>,
    ) -> Result<VerifyResponse, ErrorResponse> {
        let body = body.0;
        let kind = VerifyType::parse(body.kind.as_deref().unwrap_or_default())?;
        let (email, phone) = (non_empty(body.email), non_empty(body.phone));
        let verified = match (
            email,
            phone,
            non_empty(body.token),
            non_empty(body.token_hash),
        ) {
            (None, None, None, Some(hash)) => auth.verify_hash(caller, kind, hash).await?,
            (Some(email), None, Some(code), None) => {
                auth.verify_code(caller, kind, parse_email(&email)?, code)
                    .await?
            }
            (None, Some(_), Some(_), None) => return Err(AuthError::PHONE_PROVIDER_DISABLED.into()),
            _ => {
                return Err(AuthError::validation(
                    "Verify requires either an email and a token, or a token_hash alone",
                )
                .into());
            }
        };
        Ok(match verified {
            Some(grant) => OneOf::first((*grant).into()),
            None => OneOf::second(HalfConfirmed {
                msg: HALF_CONFIRMED.to_owned(),
                code: "200".to_owned(),
            }),
        })
    }

    /// The page opened by an email's link.
    ///
    /// It changes nothing; its button posts the same values to `/auth/v1/verify/confirm`.
    #[oai(path = "/", method = "get", operation_id = "auth_verify_page")]
    async fn page(
        &self,
        auth: Uses<&Auth>,
        publisher: Uses<&Arc<Publisher>>,
        /// The token of the link.
        token: Query<Option<String>>,
        /// The link's purpose.
        #[oai(name = "type")]
        kind: Query<Option<String>>,
        /// The final redirect.
        redirect_to: Query<Option<String>>,
    ) -> Result<Response<Html<String>>, ErrorResponse> {
        let form = ConfirmForm {
            token: token.0.unwrap_or_default(),
            kind: kind.0.unwrap_or_default(),
            redirect_to: auth.checked_redirect(redirect_to.0.as_deref()),
        };
        Ok(link_page::response(
            &auth,
            &publisher.site().company.name,
            &form,
        ))
    }
}
