//! The signed-in user's own account.

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::Empty;
use super::dto::user::User;
use super::error_response::AuthResult;
use super::parameters::{email_redirect, non_empty, parse_email, parse_uuid};
use crate::tags::Tag;
use auth::accounts::user::UserChanges;
use auth::{Auth, AuthError};
use domain::account::Metadata;
use http::Uses;
use http::request::strict_json::StrictJson;

/// The changes; omitted fields keep their values. `id`, `role` and `aud` are ignored.
#[derive(Object, Deserialize)]
struct UpdateUser {
    /// The new address: the old and the new address both have to confirm it.
    email: Option<String>,
    /// Phones are not supported.
    phone: Option<String>,
    /// The new password; ends all other sessions.
    password: Option<String>,
    /// The current password; checked if given, and counted as an attempt if it is wrong.
    current_password: Option<String>,
    /// The code of `/reauthenticate`; required for a new password if the session is older than a
    /// day.
    nonce: Option<String>,
    /// Merged key by key; `null` removes a key.
    data: Option<Any<Metadata>>,
    /// As `data`, for admins only.
    app_metadata: Option<Any<Metadata>>,
    /// A PKCE challenge for the emails of an address change.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// The endpoints of the signed-in user.
pub struct Users;

#[OpenApi(prefix_path = "/auth/v1/user", tag = "Tag::Authentication")]
impl Users {
    /// Get the signed-in user.
    #[oai(path = "/", method = "get", operation_id = "auth_user")]
    async fn user(&self, caller: Bearer) -> AuthResult<User> {
        Ok(Json(caller.0.user.into()))
    }

    /// Change the signed-in user's password, address or metadata.
    #[oai(path = "/", method = "put", operation_id = "auth_update_user")]
    async fn update(
        &self,
        auth: Uses<&Auth>,
        Caller(from): Caller,
        caller: Bearer,
        /// The final redirect of the emails' links.
        redirect_to: Query<Option<String>>,
        body: StrictJson<UpdateUser>,
    ) -> AuthResult<User> {
        let body = body.0;
        if non_empty(body.phone).is_some() {
            return Err(AuthError::PHONE_PROVIDER_DISABLED.into());
        }
        let pkce = (body.code_challenge, body.code_challenge_method);
        let changes = UserChanges {
            email: non_empty(body.email)
                .map(|email| parse_email(&email))
                .transpose()?,
            password: non_empty(body.password),
            current_password: non_empty(body.current_password),
            nonce: non_empty(body.nonce),
            data: body.data.map(|data| data.0),
            app_metadata: body.app_metadata.map(|data| data.0),
            redirect: email_redirect(redirect_to.0, pkce)?,
        };
        let user = auth.update_user(from, caller.0, changes).await?;
        Ok(Json(user.into()))
    }

    /// Unlink one of the signed-in user's identities.
    #[oai(
        path = "/identities/:identity_id",
        method = "delete",
        operation_id = "auth_unlink_identity"
    )]
    async fn unlink(
        &self,
        auth: Uses<&Auth>,
        caller: Bearer,
        identity_id: Path<String>,
    ) -> AuthResult<Empty> {
        let id = parse_uuid(&identity_id.0, "identity_id")?;
        auth.unlink_identity(caller.0, id).await?;
        Ok(Json(Empty {}))
    }
}
