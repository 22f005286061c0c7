//! Links that an admin passes on, without an email from the server, and invitations by email. These
//! are an addition to the contract, whose `/invite` takes a service key.

use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::AdminBearer;
use super::dto::user::User;
use super::error_response::AuthResult;
use super::parameters::{non_empty, parse_email};
use crate::tags::Tag;
use auth::emails::generate_link::LinkParams;
use auth::emails::purpose::Purpose;
use auth::{Auth, AuthError};
use domain::account::{Metadata, Role};
use http::Uses;
use http::request::strict_json::StrictJson;

/// The link to generate.
#[derive(Object, Deserialize)]
struct LinkRequest {
    /// `signup`, `invite`, `magiclink`, `recovery`, `email_change_current` or `email_change_new`.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: Option<String>,
    /// The address it is for.
    email: Option<String>,
    /// A new account's password.
    password: Option<String>,
    /// A new account's metadata.
    data: Option<Any<Metadata>>,
    /// The address to change to.
    new_email: Option<String>,
    /// The final redirect.
    redirect_to: Option<String>,
}

/// The generated link, together with the user.
#[derive(Object)]
struct LinkResponse {
    #[oai(flatten)]
    user: User,
    /// The page to open.
    action_link: String,
    /// The code to type.
    email_otp: String,
    /// The token in the link.
    hashed_token: String,
    /// The final redirect.
    redirect_to: String,
    /// The purpose of the link: a sign-in link for an unknown address becomes a sign-up.
    verification_type: String,
}

/// The invitation to send.
#[derive(Object, Deserialize)]
struct Invitation {
    /// The address.
    email: Option<String>,
    /// `admin` or `dispatcher`; without it, the user has no access to the dashboard.
    role: Option<String>,
    /// The final redirect of the link.
    redirect_to: Option<String>,
}

/// The endpoint of links.
pub struct Links;

#[OpenApi(prefix_path = "/auth/v1/admin", tag = "Tag::Accounts")]
impl Links {
    /// Generate a link; sends no email.
    #[oai(
        path = "/generate_link",
        method = "post",
        operation_id = "auth_admin_generate_link"
    )]
    async fn generate(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        /// The final redirect.
        redirect_to: Query<Option<String>>,
        body: StrictJson<LinkRequest>,
    ) -> AuthResult<LinkResponse> {
        let body = body.0;
        let kind = body.kind.unwrap_or_default();
        let purpose = match kind.as_str() {
            "signup" => Purpose::Signup,
            "invite" => Purpose::Invite,
            "magiclink" => Purpose::Magiclink,
            "recovery" => Purpose::Recovery,
            "email_change_current" => Purpose::EmailChangeCurrent,
            "email_change_new" => Purpose::EmailChangeNew,
            _ => return Err(AuthError::validation("Unsupported link type").into()),
        };
        let params = LinkParams {
            purpose,
            email: parse_email(&non_empty(body.email).unwrap_or_default())?,
            // Only a sign-up sets a password.
            password: non_empty(body.password).filter(|_| purpose == Purpose::Signup),
            data: body.data.map(|data| data.0).unwrap_or_default(),
            new_email: non_empty(body.new_email)
                .map(|email| parse_email(&email))
                .transpose()?,
            redirect_to: non_empty(redirect_to.0).or_else(|| non_empty(body.redirect_to)),
        };
        let link = auth.generate_link(caller.0, params).await?;
        // Both purposes of an email change have the same type in a link.
        let verification_type = match link.purpose {
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => kind,
            purpose => purpose.link_type().to_owned(),
        };
        Ok(Json(LinkResponse {
            user: link.user.into(),
            action_link: link.action_link,
            email_otp: link.email_otp,
            hashed_token: link.hashed_token,
            redirect_to: link.redirect_to,
            verification_type,
        }))
    }

    /// Invite a user by email.
    ///
    /// An addition to the contract, whose `/invite` takes a service key.
    #[oai(path = "/invite", method = "post", operation_id = "auth_admin_invite")]
    async fn invite(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        body: StrictJson<Invitation>,
    ) -> AuthResult<User> {
        let body = body.0;
        let email = parse_email(&non_empty(body.email).unwrap_or_default())?;
        let role = non_empty(body.role).map(|name| {
            let unknown = || AuthError::validation("role is admin, dispatcher or nothing");
            Role::parse(&name).ok_or_else(unknown)
        });
        let role = role.transpose()?;
        let redirect_to =
            non_empty(body.redirect_to).unwrap_or_else(|| format!("{}/admin", auth.urls.origin));
        let invited = auth
            .invite(Some(caller.0), email, role, Some(redirect_to))
            .await?;
        Ok(Json(invited.user.into()))
    }
}
