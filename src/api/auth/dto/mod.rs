//! Response bodies of the contract's section 2; no other data of a user is exposed.

pub(super) mod user;

use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Object};

use self::user::User;
use auth::Grant;

/// A session, the response of every token endpoint.
#[derive(Object)]
pub struct Session {
    #[oai(flatten)]
    pub grant: Grant,
    /// Always `bearer`.
    pub token_type: String,
    /// The user.
    pub user: User,
}

/// An empty object, `{}`.
#[derive(Object, Default)]
#[oai(rename = "Nothing")]
pub struct Empty {}

impl From<Grant> for Session {
    fn from(mut grant: Grant) -> Self {
        Self {
            token_type: "bearer".to_owned(),
            user: std::mem::take(&mut grant.user).into(),
            grant,
        }
    }
}

/// One of two answers; the API description has the first, which is written last.
#[derive(ApiResponse)]
pub enum OneOf<A: ToJSON, B: ToJSON> {
    #[oai(status = 200)]
    Second(Json<Box<B>>),
    #[oai(status = 200)]
    First(Json<Box<A>>),
}

impl<A: ToJSON, B: ToJSON> OneOf<A, B> {
    /// The answer that is described.
    pub fn first(answer: A) -> Self {
        Self::First(Json(Box::new(answer)))
    }

    /// The other answer.
    pub fn second(answer: B) -> Self {
        Self::Second(Json(Box::new(answer)))
    }
}
