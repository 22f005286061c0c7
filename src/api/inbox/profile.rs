//! The caller's profile: how colleagues and customers see them.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::require_admin::{Admin, actor};
use crate::tags::Tag;
use domain::account::profile;
use http::AppState;
use http::request::client_address::Client;
use http::request::error_responses::AdminError;
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

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl ProfileApi {
    /// Get your profile
    #[oai(path = "/profile", method = "get", operation_id = "readProfile")]
    async fn read(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
    ) -> Result<Json<Profile>, AdminError> {
        let profile = app.store.profile(admin.0.user.id).await?;
        Ok(Json(profile.into()))
    }

    /// Change your profile
    ///
    /// No two people have the same name.
    #[oai(path = "/profile", method = "put", operation_id = "saveProfile")]
    async fn save(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        body: StrictJson<Profile>,
    ) -> Result<Json<Profile>, AdminError> {
        let parsed = profile::Profile::parse(&body.0.name, &body.0.signature);
        let profile = parsed.map_err(|fault| invalid(fault.field, fault.message))?;
        let (by, now) = (actor(admin, client), app.clock.now());
        let saved = app.store.save_profile(profile.clone(), by, now).await;
        saved.map_err(|error| match error {
            store::Error::Conflict(detail) => invalid("name", detail),
            other => other.into(),
        })?;
        Ok(Json(profile.into()))
    }
}
