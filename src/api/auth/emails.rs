//! The endpoints that request an email: `/otp`, `/recover`, `/resend`, `/reauthenticate`.

use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::Empty;
use super::error_response::AuthResult;
use super::parameters::{email_redirect, only_email};
use crate::tags::Tag;
use auth::emails::ResendKind;
use auth::{Auth, AuthError};
use domain::account::Metadata;
use http::Uses;
use http::request::strict_json::StrictJson;

/// Requests a sign-in email.
#[derive(Object, Deserialize)]
struct OtpRequest {
    /// The address.
    email: Option<String>,
    /// Phones are not supported.
    phone: Option<String>,
    /// Whether to create an account for an unknown address; default: true.
    create_user: Option<bool>,
    /// Metadata of a new user.
    data: Option<Any<Metadata>>,
    /// A PKCE challenge.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// Requests a recovery email.
#[derive(Object, Deserialize)]
struct RecoverRequest {
    /// The address.
    email: Option<String>,
    /// A PKCE challenge.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// Requests a pending email again.
#[derive(Object, Deserialize)]
struct ResendRequest {
    /// `signup` or `email_change`.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: Option<String>,
    /// The address.
    email: Option<String>,
    /// Phones are not supported.
    phone: Option<String>,
    /// A PKCE challenge.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// The message for a request that names an address and a number.
const BOTH: &str = "Only an email address or phone number should be provided";

fn no_email() -> AuthError {
    AuthError::validation("An email address is needed")
}

/// The endpoints that request an email.
pub struct Emails;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl Emails {
    /// Email a code and a link to sign in with.
    ///
    /// The response is the same whether the address is known or not.
    #[oai(path = "/otp", method = "post", operation_id = "auth_otp")]
    async fn otp(
        &self,
        auth: Uses<&Auth>,
        Caller(caller): Caller,
        /// The final redirect of the link.
        redirect_to: Query<Option<String>>,
        body: StrictJson<OtpRequest>,
    ) -> AuthResult<Empty> {
        let body = body.0;
        let email = only_email(body.email, body.phone, BOTH, no_email())?;
        let pkce = (body.code_challenge, body.code_challenge_method);
        let redirect = email_redirect(redirect_to.0, pkce)?;
        let data = body.data.map(|data| data.0).unwrap_or_default();
        let create = body.create_user.unwrap_or(true);
        auth.send_otp(caller, email, create, data, redirect).await?;
        Ok(Json(Empty {}))
    }

    /// Email a link to choose a new password.
    ///
    /// The response is the same whether the address is known or not.
    #[oai(path = "/recover", method = "post", operation_id = "auth_recover")]
    async fn recover(
        &self,
        auth: Uses<&Auth>,
        Caller(caller): Caller,
        /// The final redirect of the link.
        redirect_to: Query<Option<String>>,
        body: StrictJson<RecoverRequest>,
    ) -> AuthResult<Empty> {
        let body = body.0;
        let email = only_email(body.email, None, BOTH, no_email())?;
        let pkce = (body.code_challenge, body.code_challenge_method);
        let redirect = email_redirect(redirect_to.0, pkce)?;
        auth.recover(caller, email, redirect).await?;
        Ok(Json(Empty {}))
    }

    /// Email the pending confirmation again.
    ///
    /// The response is the same whether a confirmation is pending or not.
    #[oai(path = "/resend", method = "post", operation_id = "auth_resend")]
    async fn resend(
        &self,
        auth: Uses<&Auth>,
        Caller(caller): Caller,
        /// The final redirect of the link.
        redirect_to: Query<Option<String>>,
        body: StrictJson<ResendRequest>,
    ) -> AuthResult<Empty> {
        let body = body.0;
        let what = match body.kind.as_deref().unwrap_or_default() {
            "signup" => ResendKind::Signup,
            "email_change" => ResendKind::EmailChange,
            "sms" | "phone_change" => return Err(AuthError::PHONE_PROVIDER_DISABLED.into()),
            _ => {
                return Err(AuthError::validation(
                    "Missing or unknown type: signup or email_change can be sent again",
                )
                .into());
            }
        };
        let email = only_email(body.email, body.phone, BOTH, no_email())?;
        let pkce = (body.code_challenge, body.code_challenge_method);
        let redirect = email_redirect(redirect_to.0, pkce)?;
        auth.resend(caller, what, email, redirect).await?;
        Ok(Json(Empty {}))
    }

    /// Email a code that confirms the signed-in user's identity.
    #[oai(
        path = "/reauthenticate",
        method = "get",
        operation_id = "auth_reauthenticate"
    )]
    async fn reauthenticate(&self, auth: Uses<&Auth>, caller: Bearer) -> AuthResult<Empty> {
        auth.reauthenticate(caller.0).await?;
        Ok(Json(Empty {}))
    }
}
