//! Response bodies of the contract's section 2; no other data of a user is exposed.

pub(super) mod user;

use poem::{IntoResponse, Response};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaResponses, Registry};
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

/// One of two answers; the API description has the first.
pub enum OneOf<A, B> {
    First(Box<Json<A>>),
    Second(Box<Json<B>>),
}

impl<A, B> OneOf<A, B> {
    /// The answer that is described.
    pub fn first(answer: A) -> Self {
        Self::First(Box::new(Json(answer)))
    }

    /// The other answer.
    pub fn second(answer: B) -> Self {
        Self::Second(Box::new(Json(answer)))
    }
}

impl<A: ToJSON, B: ToJSON> IntoResponse for OneOf<A, B> {
    fn into_response(self) -> Response {
        match self {
            Self::First(answer) => answer.into_response(),
            Self::Second(answer) => answer.into_response(),
        }
    }
}

impl<A: ToJSON, B> ApiResponse for OneOf<A, B> {
    fn meta() -> MetaResponses {
        <Json<A> as ApiResponse>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<A> as ApiResponse>::register(registry);
    }
}
