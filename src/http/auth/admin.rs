//! Account administration. The bearer is an admin's own access token; the role is read on each
//! call.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Response};
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::AdminBearer;
use super::dto::{Empty, Factor, User};
use super::error_response::{AuthResult, ErrorResponse};
use super::{Metadata, Tag, non_empty, parse_email, parse_uuid};
use crate::auth::AuthError;
use crate::auth::access_token::AUDIENCE;
use crate::auth::admin::UserParams;
use crate::auth::ban::Ban;
use crate::domain::clock::Time;
use crate::http::App;
use crate::http::strict_json::StrictJson;
use crate::store::UserStart;

/// Default page size.
const DEFAULT_PER_PAGE: u32 = 50;
/// Maximum page size.
const MAX_PER_PAGE: u32 = 1000;

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

/// Changes to an account; omitted fields keep their values.
#[derive(Object, Deserialize)]
struct AdminUser {
    /// The id of a new account; default: a new UUID.
    id: Option<String>,
    /// The address.
    email: Option<String>,
    /// The phone number; nothing is ever sent to it.
    phone: Option<String>,
    /// The password; setting it ends all sessions of the user.
    password: Option<String>,
    /// An argon2id hash in PHC form, instead of `password`.
    password_hash: Option<String>,
    /// Marks the address as confirmed.
    email_confirm: Option<bool>,
    /// Marks the number as confirmed.
    phone_confirm: Option<bool>,
    /// Merged key by key.
    user_metadata: Option<Any<Metadata>>,
    /// Merged key by key.
    app_metadata: Option<Any<Metadata>>,
    /// `24h`, `90m` … or `none`.
    ban_duration: Option<String>,
    /// `admin` grants the role, `authenticated` revokes it.
    role: Option<String>,
}

impl AdminUser {
    fn user_params(self) -> Result<UserParams, ErrorResponse> {
        let id = match non_empty(self.id) {
            Some(id) => match uuid::Uuid::parse_str(&id) {
                Ok(id) => Some(id.to_string()),
                Err(_) => return Err(AuthError::validation("id must be an UUID").into()),
            },
            None => None,
        };
        let admin = match non_empty(self.role).as_deref() {
            None => None,
            Some("admin") => Some(true),
            Some(role) if role == AUDIENCE => Some(false),
            Some(_) => {
                return Err(AuthError::validation("role is admin or authenticated").into());
            }
        };
        Ok(UserParams {
            id,
            email: non_empty(self.email)
                .map(|email| parse_email(&email))
                .transpose()?,
            phone: non_empty(self.phone)
                .map(|phone| parse_phone(&phone))
                .transpose()?,
            password: non_empty(self.password),
            password_hash: non_empty(self.password_hash),
            email_confirm: self.email_confirm.unwrap_or(false),
            phone_confirm: self.phone_confirm.unwrap_or(false),
            user_metadata: self.user_metadata.map(|data| data.0),
            app_metadata: self.app_metadata.map(|data| data.0),
            ban: non_empty(self.ban_duration)
                .map(|text| Ban::parse(&text))
                .transpose()?,
            admin,
        })
    }
}

/// How a user is deleted.
#[derive(Object, Deserialize)]
struct DeleteUser {
    /// Anonymize the user instead of deleting it, so that references stay valid.
    should_soft_delete: Option<bool>,
}

/// The endpoints of account administration.
pub struct Admins;

#[OpenApi(tag = "Tag::Accounts")]
impl Admins {
    /// List users, one page at a time.
    ///
    /// `X-Total-Count` is the number of users; `Link` has the next and last pages.
    #[oai(
        path = "/auth/v1/admin/users",
        method = "get",
        operation_id = "auth_admin_users"
    )]
    async fn list(
        &self,
        app: Data<&Arc<App>>,
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
        let found = app.auth.list_users_page(start, per_page).await?;
        let body = UserPage {
            users: found
                .users
                .into_iter()
                .map(|(roles, user)| User::from(&user).with_roles(roles))
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
    #[oai(
        path = "/auth/v1/admin/users",
        method = "post",
        operation_id = "auth_admin_create_user"
    )]
    async fn create(
        &self,
        app: Data<&Arc<App>>,
        caller: AdminBearer,
        body: StrictJson<AdminUser>,
    ) -> AuthResult<User> {
        let user = app
            .auth
            .create_user(caller.0, body.0.user_params()?)
            .await?;
        Ok(Json((&user).into()))
    }

    /// A user.
    #[oai(
        path = "/auth/v1/admin/users/:id",
        method = "get",
        operation_id = "auth_admin_user"
    )]
    async fn get(
        &self,
        app: Data<&Arc<App>>,
        _caller: AdminBearer,
        id: Path<String>,
    ) -> AuthResult<User> {
        let user = app.auth.user(parse_uuid(&id.0, "user_id")?).await?;
        Ok(Json((&user).into()))
    }

    /// Change a user.
    ///
    /// An account with an unconfirmed address may have been signed up by a stranger. Setting a
    /// role, confirmation, address, password or app metadata here removes its previous password,
    /// sessions and pending emails.
    #[oai(
        path = "/auth/v1/admin/users/:id",
        method = "put",
        operation_id = "auth_admin_update_user"
    )]
    async fn update(
        &self,
        app: Data<&Arc<App>>,
        caller: AdminBearer,
        id: Path<String>,
        body: StrictJson<AdminUser>,
    ) -> AuthResult<User> {
        let id = parse_uuid(&id.0, "user_id")?;
        let user_params = body.0.user_params()?;
        let user = app
            .auth
            .update_user_as_admin(caller.0, id, user_params)
            .await?;
        Ok(Json((&user).into()))
    }

    /// Delete a user.
    #[oai(
        path = "/auth/v1/admin/users/:id",
        method = "delete",
        operation_id = "auth_admin_delete_user"
    )]
    async fn delete(
        &self,
        app: Data<&Arc<App>>,
        caller: AdminBearer,
        id: Path<String>,
        body: StrictJson<DeleteUser>,
    ) -> AuthResult<Empty> {
        let id = parse_uuid(&id.0, "user_id")?;
        let soft = body.0.should_soft_delete.unwrap_or(false);
        app.auth.delete_user(caller.0, id, soft).await?;
        Ok(Json(Empty {}))
    }

    /// List a user's second factors.
    #[oai(
        path = "/auth/v1/admin/users/:id/factors",
        method = "get",
        operation_id = "auth_admin_factors"
    )]
    async fn factors(
        &self,
        app: Data<&Arc<App>>,
        _caller: AdminBearer,
        id: Path<String>,
    ) -> AuthResult<Vec<Factor>> {
        let user = app.auth.user(parse_uuid(&id.0, "user_id")?).await?;
        Ok(Json(user.factors.iter().map(Factor::from).collect()))
    }

    /// Remove a user's second factor.
    #[oai(
        path = "/auth/v1/admin/users/:id/factors/:factor_id",
        method = "delete",
        operation_id = "auth_admin_delete_factor"
    )]
    async fn delete_factor(
        &self,
        app: Data<&Arc<App>>,
        caller: AdminBearer,
        id: Path<String>,
        factor_id: Path<String>,
    ) -> AuthResult<Factor> {
        let (id, factor_id) = (
            parse_uuid(&id.0, "user_id")?,
            parse_uuid(&factor_id.0, "factor_id")?,
        );
        let factor = app.auth.delete_factor(caller.0, id, factor_id).await?;
        Ok(Json((&factor).into()))
    }
}

/// A number of the query; missing and empty mean the default.
fn parse_positive(
    text: Option<String>,
    default: u32,
    max: u32,
    name: &str,
) -> Result<u32, ErrorResponse> {
    let Some(text) = non_empty(text) else {
        return Ok(default);
    };
    match text.parse() {
        Ok(parse_phone) if (1..=max).contains(&parse_phone) => Ok(parse_phone),
        _ => Err(AuthError::validation(format!("{name} is a number from 1 to {max}")).into()),
    }
}

/// The cursor of a page that starts after a user.
fn cursor_text(start: &UserStart) -> Option<String> {
    match start {
        UserStart::After(at, id) => Some(format!("{at}_{id}")),
        UserStart::Page(_) => None,
    }
}

fn parse_cursor(text: &str) -> Result<UserStart, ErrorResponse> {
    let after = text.split_once('_').and_then(|(at, id)| {
        let id = uuid::Uuid::try_parse(id).ok()?;
        Some(UserStart::After(Time::parse(at)?, id.to_string()))
    });
    after.ok_or_else(|| AuthError::validation("cursor is the next_cursor of a page").into())
}

/// Parses a phone number (E.164); returns it without the plus, as the reference does.
fn parse_phone(text: &str) -> Result<String, ErrorResponse> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(digits.to_owned())
    } else {
        Err(AuthError::validation("Invalid phone number format (E.164 required)").into())
    }
}

/// The `Link` header as the client parses it: `page` is the first parameter (contract section 3).
fn link_header(page: u32, per_page: u32, total: i64) -> String {
    let pages = (total + i64::from(per_page) - 1) / i64::from(per_page);
    let last = pages.max(1);
    let link = |page: i64, rel: &str| {
        format!("</auth/v1/admin/users?page={page}&per_page={per_page}>; rel=\"{rel}\"")
    };
    let next = (i64::from(page) < last).then(|| link(i64::from(page) + 1, "next"));
    next.into_iter()
        .chain([link(last, "last")])
        .collect::<Vec<_>>()
        .join(", ")
}
