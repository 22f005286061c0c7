//! The body of the calls that create or change a user.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde::Deserialize;

use crate::auth::error_response::ErrorResponse;
use crate::auth::parameters::{non_empty, parse_email};
use auth::AuthError;
use auth::accounts::ban::Ban;
use auth::admin::{RoleChange, UserParams};
use auth::sessions::access_token::AUDIENCE;
use domain::account::{Metadata, Role};

/// Changes to an account; omitted fields keep their values.
#[derive(Object, Deserialize)]
pub(super) struct AdminUser {
    /// The id of a new account; default: a new UUID.
    id: Option<String>,
    /// The address.
    email: Option<String>,
    /// The phone number; it receives no messages.
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
    /// `admin` or `dispatcher` sets the role, `authenticated` revokes it.
    role: Option<String>,
}

impl AdminUser {
    pub(super) fn user_params(self) -> Result<UserParams, ErrorResponse> {
        let id = match non_empty(self.id) {
            Some(id) => match uuid::Uuid::parse_str(&id) {
                Ok(id) => Some(id.to_string()),
                Err(_) => return Err(AuthError::validation("id must be an UUID").into()),
            },
            None => None,
        };
        let role = match non_empty(self.role).as_deref() {
            None => None,
            Some(AUDIENCE) => Some(RoleChange::Revoke),
            Some(name) => match Role::parse(name) {
                Some(role) => Some(RoleChange::To(role)),
                None => {
                    let message = "role is admin, dispatcher or authenticated";
                    return Err(AuthError::validation(message).into());
                }
            },
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
            role,
        })
    }
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
