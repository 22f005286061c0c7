//! Pictures that replace drawings: stored, resized, and shown in the editor.

use base64::prelude::{BASE64_STANDARD, Engine};
use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::parts::Content;
use crate::desk::Admin;
use crate::tags::Tag;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use http::request::strict_json::StrictJson;
use http::request::success_responses::Created;

/// A picture to store.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NewSitePicture")]
struct NewPicture {
    /// A JPEG, PNG or WebP file in base64, at least 640 by 400 pixels.
    data: String,
}

/// A stored picture.
#[derive(Object)]
struct SitePicture {
    /// The name by which the section `pictures` names it.
    picture: String,
}

/// The bytes of a stored picture.
#[derive(Object)]
struct SitePictureFile {
    /// A JPEG file in base64.
    data: String,
}

/// The calls about pictures.
pub struct PictureApi;

#[OpenApi(prefix_path = "/api/admin/site/pictures", tag = "Tag::Site")]
impl PictureApi {
    /// Store a picture for the site
    ///
    /// It is turned upright, cropped to 8 by 5, and rewritten without metadata. It is deleted after
    /// a day unless a draft or a version names it. 422 if it cannot be used.
    #[oai(path = "/", method = "post", operation_id = "storeSitePicture")]
    async fn store(
        &self,
        desk: Admin<Content<'_>>,
        body: StrictJson<NewPicture>,
    ) -> Result<Created<SitePicture>, AdminError> {
        let unfit = |reason: &str| {
            let detail = format!("The picture {reason}.");
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        };
        let Ok(bytes) = BASE64_STANDARD.decode(&body.0.data) else {
            return Err(unfit("is not sent in base64").into());
        };
        let made = desk.files.site_picture(bytes).await.map_err(|error| {
            tracing::error!(%error, "a picture of the site could not be made");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "Please try again.")
        })?;
        let picture = made.map_err(|reason| unfit(&reason.to_string()))?;
        let picture = desk.publisher.store_picture(picture).await?;
        Ok(Created::of(SitePicture { picture }))
    }

    /// A picture of the site
    #[oai(path = "/:name", method = "get", operation_id = "getSitePicture")]
    async fn file(
        &self,
        desk: Admin<Content<'_>>,
        name: Path<String>,
    ) -> AdminResult<SitePictureFile> {
        let stored = desk.publisher.stored_pictures(vec![name.0]).await?;
        let Some(bytes) = stored.into_values().next() else {
            return Err(Problem::missing("There is no such picture.").into());
        };
        let data = BASE64_STANDARD.encode(bytes);
        Ok(Json(SitePictureFile { data }))
    }
}
