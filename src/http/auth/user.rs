//! The signed-in user: who it is.

use poem_openapi::OpenApi;
use poem_openapi::payload::Json;

use super::Tag;
use super::caller::Bearer;
use super::objects::User;
use super::refusal::Answer;

/// The signed-in user's endpoints.
pub struct Users;

#[OpenApi(tag = "Tag::Authentication")]
impl Users {
    /// Who am I?
    #[oai(path = "/auth/v1/user", method = "get", operation_id = "auth_user")]
    async fn user(&self, caller: Bearer) -> Answer<User> {
        Ok(Json((&caller.0.user).into()))
    }
}
