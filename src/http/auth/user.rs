//! The signed-in user: who it is, and what it changes of itself.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::{Bearer, Caller};
use super::dto::{Nothing, User};
use super::error_response::AuthResult;
use super::{Metadata, Tag, address, given, lead, uuid};
use crate::auth::user::Changes;
use crate::auth::{AuthError, Kind};
use crate::http::App;
use crate::http::strict_json::StrictJson;

/// What is to change; what is left out stays. `id`, `role` and `aud` are ignored.
#[derive(Object, Deserialize)]
struct UpdateUser {
    /// The new address: mails go to the old and the new one, and both have to agree.
    email: Option<String>,
    /// Phones are not served.
    phone: Option<String>,
    /// The new password: ends all other sessions.
    password: Option<String>,
    /// The present password; checked where it is given, and counted as a guess until it is right.
    current_password: Option<String>,
    /// The code of `/reauthenticate`; needed for a new password in a session older than a day.
    nonce: Option<String>,
    /// Merged key by key; `null` takes a key away.
    data: Option<Any<Metadata>>,
    /// The same, for admins.
    app_metadata: Option<Any<Metadata>>,
    /// A PKCE challenge for the mails of a change of address.
    code_challenge: Option<String>,
    /// `s256`.
    code_challenge_method: Option<String>,
}

/// The signed-in user's endpoints.
pub struct Users;

#[OpenApi(tag = "Tag::Authentication")]
impl Users {
    /// Who am I?
    #[oai(path = "/auth/v1/user", method = "get", operation_id = "auth_user")]
    async fn user(&self, caller: Bearer) -> AuthResult<User> {
        Ok(Json((&caller.0.user).into()))
    }

    /// Change my password, address or metadata.
    #[oai(
        path = "/auth/v1/user",
        method = "put",
        operation_id = "auth_update_user"
    )]
    async fn update(
        &self,
        app: Data<&Arc<App>>,
        from: Caller,
        caller: Bearer,
        /// Where the mails' links lead in the end.
        redirect_to: Query<Option<String>>,
        body: StrictJson<UpdateUser>,
    ) -> AuthResult<User> {
        let body = body.0;
        if given(body.phone).is_some() {
            return Err(AuthError::phone_disabled().into());
        }
        let changes = Changes {
            email: given(body.email).map(|email| address(&email)).transpose()?,
            password: given(body.password),
            current_password: given(body.current_password),
            nonce: given(body.nonce),
            data: body.data.map(|data| data.0),
            app_metadata: body.app_metadata.map(|data| data.0),
            lead: lead(
                redirect_to.0,
                body.code_challenge,
                body.code_challenge_method,
            )?,
        };
        let user = app.auth.update_user(from.0, caller.0, changes).await?;
        Ok(Json((&user).into()))
    }

    /// Unlink one of my identities.
    #[oai(
        path = "/auth/v1/user/identities/:identity_id",
        method = "delete",
        operation_id = "auth_unlink_identity"
    )]
    async fn unlink(
        &self,
        app: Data<&Arc<App>>,
        caller: Bearer,
        identity_id: Path<String>,
    ) -> AuthResult<Nothing> {
        let id = uuid(&identity_id.0, "identity_id")?;
        app.auth.unlink_identity(caller.0, id).await?;
        Ok(Json(Nothing {}))
    }

    /// Not served (contract section 3, "outside the product's list"): without this the address would be taken for an identity's.
    #[oai(path = "/auth/v1/user/identities/authorize", method = "get", hidden)]
    async fn authorize(&self) -> AuthResult<Nothing> {
        Err(AuthError::new(
            Kind::Missing,
            "not_found",
            "There is nothing at this address",
        )
        .into())
    }
}
