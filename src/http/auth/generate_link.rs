//! Links that an admin hands on by other means than our mail.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::AdminBearer;
use super::dto::User;
use super::error_response::AuthResult;
use super::{Metadata, Tag, address, given};
use crate::auth::AuthError;
use crate::auth::audit::Actor;
use crate::auth::generate_link::LinkParams;
use crate::auth::purpose::Purpose;
use crate::http::App;
use crate::http::strict_json::StrictJson;

/// What link is wanted.
#[derive(Object, Deserialize)]
struct LinkRequest {
    /// `signup`, `invite`, `magiclink`, `recovery`, `email_change_current` or `email_change_new`.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: Option<String>,
    /// Whom it is for.
    email: Option<String>,
    /// A new account's password.
    password: Option<String>,
    /// A new account's metadata.
    data: Option<Any<Metadata>>,
    /// The address to change to.
    new_email: Option<String>,
    /// Where it leads in the end.
    redirect_to: Option<String>,
}

/// A link to hand on, together with the user.
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
    /// Where it leads in the end.
    redirect_to: String,
    /// What it is for in the end: a sign-in link for nobody is a sign-up.
    verification_type: String,
}

/// The endpoint of links.
pub struct Links;

#[OpenApi(tag = "Tag::Accounts")]
impl Links {
    /// Make a link; nothing is mailed.
    #[oai(
        path = "/auth/v1/admin/generate_link",
        method = "post",
        operation_id = "auth_admin_generate_link"
    )]
    async fn generate(
        &self,
        app: Data<&Arc<App>>,
        caller: AdminBearer,
        /// Where it leads in the end.
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
        let wish = LinkParams {
            purpose,
            email: address(&given(body.email).unwrap_or_default())?,
            password: given(body.password).filter(|_| purpose == Purpose::Signup),
            data: body.data.map(|data| data.0).unwrap_or_default(),
            new_email: given(body.new_email)
                .map(|email| address(&email))
                .transpose()?,
            redirect_to: given(redirect_to.0).or_else(|| given(body.redirect_to)),
        };
        let actor = Actor::User(&caller.0.user.id);
        let handed = app.auth.generate_link(actor, wish).await?;
        let verification_type = match handed.purpose {
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => kind,
            purpose => purpose.link_type().to_owned(),
        };
        Ok(Json(LinkResponse {
            user: (&handed.user).into(),
            action_link: handed.action_link,
            email_otp: handed.email_otp,
            hashed_token: handed.hashed_token,
            redirect_to: handed.redirect_to,
            verification_type,
        }))
    }
}
