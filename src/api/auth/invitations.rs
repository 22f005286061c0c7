//! Invitations by email. An addition to the contract, whose `/invite` takes a service key.

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::AdminBearer;
use super::dto::user::User;
use super::error_response::AuthResult;
use super::parameters::{non_empty, parse_email};
use super::tags::Tag;
use auth::{Auth, AuthError};
use domain::account::Role;
use http::request::strict_json::StrictJson;

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

/// The endpoint of invitations.
pub struct Invitations;

#[OpenApi(prefix_path = "/auth/v1/admin", tag = "Tag::Accounts")]
impl Invitations {
    /// Invite a user by email.
    ///
    /// An addition to the contract, whose `/invite` takes a service key.
    #[oai(path = "/invite", method = "post", operation_id = "auth_admin_invite")]
    async fn invite(
        &self,
        auth: Data<&Auth>,
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
            non_empty(body.redirect_to).unwrap_or_else(|| format!("{}/admin", auth.origin()));
        let invited = auth
            .invite(Some(caller.0), email, role, Some(redirect_to))
            .await?;
        Ok(Json(invited.user.into()))
    }
}
