//! What admins do to accounts. The bearer is an admin's own access token; the role is looked up on each call.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Response};
use poem_openapi::types::Any;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::caller::AdminBearer;
use super::dto::{Factor, Nothing, User};
use super::error_response::{AuthResult, Refused};
use super::{Metadata, Tag, address, given, uuid};
use crate::auth::AuthError;
use crate::auth::access_token::AUDIENCE;
use crate::auth::admin::UserParams;
use crate::auth::ban::Ban;
use crate::domain::clock::Time;
use crate::http::App;
use crate::http::strict_json::StrictJson;
use crate::store::UserStart;

/// Users on a page, unless the caller says otherwise.
const PER_PAGE: u32 = 50;
/// The most.
const LONGEST_PAGE: u32 = 1000;

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

/// What an admin wants of an account; what is left out stays.
#[derive(Object, Deserialize)]
struct AdminUser {
    /// A new account's id, if it is to have a given one.
    id: Option<String>,
    /// The address.
    email: Option<String>,
    /// The number; nothing is ever sent to it.
    phone: Option<String>,
    /// The password; setting it ends all sessions of the user.
    password: Option<String>,
    /// An argon2id hash in PHC form, in its place.
    password_hash: Option<String>,
    /// The address is right.
    email_confirm: Option<bool>,
    /// The number is right.
    phone_confirm: Option<bool>,
    /// Merged key by key.
    user_metadata: Option<Any<Metadata>>,
    /// Merged key by key.
    app_metadata: Option<Any<Metadata>>,
    /// `24h`, `90m` … or `none`.
    ban_duration: Option<String>,
    /// `admin` makes an admin; `authenticated` makes one no longer.
    role: Option<String>,
}

impl AdminUser {
    fn wishes(self) -> Result<UserParams, Refused> {
        let id = match given(self.id) {
            Some(id) => match uuid::Uuid::parse_str(&id) {
                Ok(id) => Some(id.to_string()),
                Err(_) => return Err(AuthError::validation("id must be an UUID").into()),
            },
            None => None,
        };
        let admin = match given(self.role).as_deref() {
            None => None,
            Some("admin") => Some(true),
            Some(role) if role == AUDIENCE => Some(false),
            Some(_) => {
                return Err(AuthError::validation("role is admin or authenticated").into());
            }
        };
        Ok(UserParams {
            id,
            email: given(self.email).map(|email| address(&email)).transpose()?,
            phone: given(self.phone).map(|phone| number(&phone)).transpose()?,
            password: given(self.password),
            password_hash: given(self.password_hash),
            email_confirm: self.email_confirm.unwrap_or(false),
            phone_confirm: self.phone_confirm.unwrap_or(false),
            user_metadata: self.user_metadata.map(|data| data.0),
            app_metadata: self.app_metadata.map(|data| data.0),
            ban: given(self.ban_duration)
                .map(|text| Ban::parse(&text))
                .transpose()?,
            admin,
        })
    }
}

/// How a user is deleted.
#[derive(Object, Deserialize)]
struct DeleteUser {
    /// Keep an empty shell, so that what refers to the user still finds it.
    should_soft_delete: Option<bool>,
}

/// The admins' endpoints.
pub struct Admins;

#[OpenApi(tag = "Tag::Accounts")]
impl Admins {
    /// All users, a page at a time.
    ///
    /// `X-Total-Count` says how many there are, `Link` where the next and last pages are.
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
        /// Where the page before ended, in place of `page`: users who join meanwhile move nothing.
        cursor: Query<Option<String>>,
    ) -> Result<Response<Json<UserPage>>, Refused> {
        let page = positive(page.0, 1, u32::MAX, "page")?;
        let per_page = positive(per_page.0, PER_PAGE, LONGEST_PAGE, "per_page")?;
        let start = match given(cursor.0) {
            Some(text) => read_cursor(&text)?,
            None => UserStart::Page(page),
        };
        let with_seq = matches!(start, UserStart::Page(_));
        let found = app.auth.page_of_users(start, per_page).await?;
        let body = UserPage {
            users: found
                .users
                .into_iter()
                .map(|(roles, user)| User::from(&user).with_roles(roles))
                .collect(),
            aud: AUDIENCE.to_owned(),
            next_cursor: found.next.as_ref().and_then(cursor_text),
        };
        let answer = Response::new(Json(body)).header("X-Total-Count", found.total.to_string());
        Ok(if with_seq {
            answer.header("Link", links(page, per_page, found.total))
        } else {
            answer
        })
    }

    /// Make a user; nothing is mailed.
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
        let user = app.auth.create_user(caller.0, body.0.wishes()?).await?;
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
        let user = app.auth.user(uuid(&id.0, "user_id")?).await?;
        Ok(Json((&user).into()))
    }

    /// Change a user.
    ///
    /// An account whose address is unproved may have been signed up by a stranger: with a role, a confirmation, an address, a password or app metadata from here it
    /// loses the password, sessions and mails it had.
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
        let id = uuid(&id.0, "user_id")?;
        let wishes = body.0.wishes()?;
        let user = app.auth.update_user_as_admin(caller.0, id, wishes).await?;
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
    ) -> AuthResult<Nothing> {
        let id = uuid(&id.0, "user_id")?;
        let softly = body.0.should_soft_delete.unwrap_or(false);
        app.auth.delete_user(caller.0, id, softly).await?;
        Ok(Json(Nothing {}))
    }

    /// A user's second factors.
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
        let user = app.auth.user(uuid(&id.0, "user_id")?).await?;
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
        let (id, factor_id) = (uuid(&id.0, "user_id")?, uuid(&factor_id.0, "factor_id")?);
        let factor = app.auth.delete_factor(caller.0, id, factor_id).await?;
        Ok(Json((&factor).into()))
    }
}

/// A number of the query; missing and empty mean the default.
fn positive(text: Option<String>, default: u32, most: u32, name: &str) -> Result<u32, Refused> {
    let Some(text) = given(text) else {
        return Ok(default);
    };
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(AuthError::validation(format!("{name} is a number from 1 to {most}")).into()),
    }
}

/// The cursor of a page that begins after a user.
fn cursor_text(start: &UserStart) -> Option<String> {
    match start {
        UserStart::After(at, id) => Some(format!("{at}_{id}")),
        UserStart::Page(_) => None,
    }
}

fn read_cursor(text: &str) -> Result<UserStart, Refused> {
    let after = text.split_once('_').and_then(|(at, id)| {
        let id = uuid::Uuid::try_parse(id).ok()?;
        Some(UserStart::After(Time::parse(at)?, id.to_string()))
    });
    after.ok_or_else(|| AuthError::validation("cursor is the next_cursor of a page").into())
}

/// A phone number (E.164), without its plus, as the reference keeps it.
fn number(text: &str) -> Result<String, Refused> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    if (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(digits.to_owned())
    } else {
        Err(AuthError::validation("Invalid phone number format (E.164 required)").into())
    }
}

/// The `Link` header as the client reads it: `page` is the first parameter (contract section 3).
fn links(page: u32, per_page: u32, total: i64) -> String {
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
