//! The caller's profile: how colleagues and customers see them.

use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::Desk;
use crate::tags::Tag;
use domain::account::profile;
use http::request::error_responses::AdminResult;
use http::request::problem::invalid;
use http::request::strict_json::StrictJson;

/// How colleagues and customers see you.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    /// In the history and in the sender of your replies; at most 60 characters. Empty: the desk
    /// shows your address, and replies come from the company alone.
    name: String,
    /// The end of your replies: at most 500 characters in eight lines. Empty: none.
    signature: String,
}

impl From<profile::Profile> for Profile {
    fn from(profile: profile::Profile) -> Self {
        Self {
            name: profile.name.unwrap_or_default(),
            signature: profile.signature.unwrap_or_default(),
        }
    }
}

/// The calls about the caller's profile.
pub struct ProfileApi;

#[OpenApi(prefix_path = "/api/admin/profile", tag = "Tag::Desk")]
impl ProfileApi {
    /// Get your profile
    #[oai(path = "/", method = "get", operation_id = "readProfile")]
    async fn read(&self, desk: Desk) -> AdminResult<Profile> {
        let profile = desk.store.profile(desk.me()).await?;
        Ok(Json(profile.into()))
    }

    /// Change your profile
    ///
    /// No two people have the same name.
    #[oai(path = "/", method = "put", operation_id = "saveProfile")]
    async fn save(&self, desk: Desk, body: StrictJson<Profile>) -> AdminResult<Profile> {
        let parsed = profile::Profile::parse(&body.0.name, &body.0.signature);
        let profile = parsed.map_err(|fault| invalid(fault.field, fault.message))?;
        let saved = desk
            .store
            .save_profile(profile.clone(), desk.actor(), desk.now)
            .await;
        saved.map_err(|error| match error {
            store::Error::Conflict(detail) => invalid("name", detail),
            other => other.into(),
        })?;
        Ok(Json(profile.into()))
    }
}
