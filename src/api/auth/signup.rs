//! `POST /signup`.

use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::Caller;
use super::dto::user::User;
use super::dto::{OneOf, Session};
use super::error_response::ErrorResponse;
use super::parameters::{email_redirect, only_email};
use super::tags::Tag;
use auth::accounts::signup::SignUpResult;
use auth::{Auth, AuthError};
use domain::account::Metadata;
use http::request::strict_json::StrictJson;

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

/// The sign-up endpoint.
pub struct SignUps;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl SignUps {
    /// Sign up.
    ///
    /// Returns the user until its address is confirmed, or a session with `auth.autoconfirm`. A
    /// known address gets a response of the same form.
    #[oai(path = "/signup", method = "post", operation_id = "auth_signup")]
    async fn signup(
        &self,
        auth: Data<&Auth>,
        Caller(caller): Caller,
        /// The final redirect of the email's link.
        redirect_to: Query<Option<String>>,
        body: StrictJson<SignUpRequest>,
    ) -> Result<SignUpResponse, ErrorResponse> {
        let body = body.0;
        let both = "Only an email address or phone number should be provided on signup.";
        let neither = AuthError::ANONYMOUS_PROVIDER_DISABLED;
        let email = only_email(body.email, body.phone, both, neither)?;
        let redirect = email_redirect(
            redirect_to.0,
            body.code_challenge,
            body.code_challenge_method,
        )?;
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
