//! Account administration. The bearer is an admin's own access token; the role is read on each
//! call.

mod paging;
mod user_body;

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Response};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use self::paging::{
    DEFAULT_PER_PAGE, MAX_PER_PAGE, cursor_text, link_header, parse_cursor, parse_positive,
};
use self::user_body::AdminUser;
use super::caller::AdminBearer;
use super::dto::Empty;
use super::dto::user::User;
use super::error_response::{AuthResult, ErrorResponse};
use super::parameters::{non_empty, parse_uuid};
use crate::tags::Tag;
use auth::Auth;
use auth::sessions::access_token::AUDIENCE;
use domain::account::Factor;
use http::Uses;
use http::request::strict_json::StrictJson;
use store::accounts::user_list::UserStart;

/// A page of users.
#[derive(Object)]
struct UserPage {
    /// The newest first.
    users: Vec<User>,
    /// `authenticated`.
    aud: String,
    /// Give it as `cursor` for the next page; absent at the end.
    #[oai(skip_serializing_if_is_none)]
    next_cursor: Option<String>,
}

/// How to delete a user.
#[derive(Object, Deserialize)]
struct DeleteUser {
    /// Anonymize the user instead of deleting it, so that references stay valid.
    should_soft_delete: Option<bool>,
}

/// The endpoints of account administration.
pub struct Admins;

#[OpenApi(prefix_path = "/auth/v1/admin/users", tag = "Tag::Accounts")]
impl Admins {
    /// List users, one page at a time.
    ///
    /// `X-Total-Count` is the number of users; `Link` has the next and last pages.
    #[oai(path = "/", method = "get", operation_id = "auth_admin_users")]
    async fn list(
        &self,
        auth: Uses<&Auth>,
        _caller: AdminBearer,
        /// From 1.
        page: Query<Option<String>>,
        /// From 1 to 1000; default 50.
        per_page: Query<Option<String>>,
        /// `next_cursor` of the previous page, instead of `page`; new users do not shift the pages.
        cursor: Query<Option<String>>,
    ) -> Result<Response<Json<UserPage>>, ErrorResponse> {
        let page = parse_positive(page.0, 1, u32::MAX, "page")?;
        let per_page = parse_positive(per_page.0, DEFAULT_PER_PAGE, MAX_PER_PAGE, "per_page")?;
        let start = match non_empty(cursor.0) {
            Some(text) => parse_cursor(&text)?,
            None => UserStart::Page(page),
        };
        let with_seq = matches!(start, UserStart::Page(_));
        let found = auth.list_users_page(start, per_page).await?;
        let body = UserPage {
            users: found
                .users
                .into_iter()
                .map(|found| User::from(found.user).with_roles(found.roles))
                .collect(),
            aud: AUDIENCE.to_owned(),
            next_cursor: found.next.as_ref().and_then(cursor_text),
        };
        let response = Response::new(Json(body)).header("X-Total-Count", found.total.to_string());
        Ok(if with_seq {
            response.header("Link", link_header(page, per_page, found.total))
        } else {
            response
        })
    }

    /// Create a user; sends no email.
    #[oai(path = "/", method = "post", operation_id = "auth_admin_create_user")]
    async fn create(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        body: StrictJson<AdminUser>,
    ) -> AuthResult<User> {
        let user = auth.create_user(caller.0, body.0.user_params()?).await?;
        Ok(Json(user.into()))
    }

    /// A user.
    #[oai(path = "/:id", method = "get", operation_id = "auth_admin_user")]
    async fn get(
        &self,
        auth: Uses<&Auth>,
        _caller: AdminBearer,
        id: Path<String>,
    ) -> AuthResult<User> {
        let user = auth.user(parse_uuid(&id.0, "user_id")?).await?;
        Ok(Json(user.into()))
    }

    /// Change a user.
    ///
    /// An account with an unconfirmed address may have been signed up by a stranger. Setting a
    /// role, confirmation, address, password or app metadata removes its previous password,
    /// sessions and pending emails.
    #[oai(path = "/:id", method = "put", operation_id = "auth_admin_update_user")]
    async fn update(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        id: Path<String>,
        body: StrictJson<AdminUser>,
    ) -> AuthResult<User> {
        let id = parse_uuid(&id.0, "user_id")?;
        let user_params = body.0.user_params()?;
        let user = auth.update_user_as_admin(caller.0, id, user_params).await?;
        Ok(Json(user.into()))
    }

    /// Delete a user.
    #[oai(
        path = "/:id",
        method = "delete",
        operation_id = "auth_admin_delete_user"
    )]
    async fn delete(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        id: Path<String>,
        body: StrictJson<DeleteUser>,
    ) -> AuthResult<Empty> {
        let id = parse_uuid(&id.0, "user_id")?;
        let soft = body.0.should_soft_delete.unwrap_or(false);
        auth.delete_user(caller.0, id, soft).await?;
        Ok(Json(Empty {}))
    }

    /// List a user's second factors.
    #[oai(
        path = "/:id/factors",
        method = "get",
        operation_id = "auth_admin_factors"
    )]
    async fn factors(
        &self,
        auth: Uses<&Auth>,
        _caller: AdminBearer,
        id: Path<String>,
    ) -> AuthResult<Vec<Factor>> {
        let user = auth.user(parse_uuid(&id.0, "user_id")?).await?;
        Ok(Json(user.factors))
    }

    /// Remove a user's second factor.
    #[oai(
        path = "/:id/factors/:factor_id",
        method = "delete",
        operation_id = "auth_admin_delete_factor"
    )]
    async fn delete_factor(
        &self,
        auth: Uses<&Auth>,
        caller: AdminBearer,
        id: Path<String>,
        factor_id: Path<String>,
    ) -> AuthResult<Factor> {
        let (id, factor_id) = (
            parse_uuid(&id.0, "user_id")?,
            parse_uuid(&factor_id.0, "factor_id")?,
        );
        Ok(Json(auth.delete_factor(caller.0, id, factor_id).await?))
    }
}
