//! The site's content, for admins: read, drafts, preview, publish, pictures, history, a step back.

mod drafts;
mod pictures;
pub mod preview;
mod publish;
mod read;

use poem::http::StatusCode;
use poem_openapi::{OpenApi, Tags};

use crate::http::request::problem::Problem;
use crate::publishing::PublishError;

/// Path prefix of the calls that save drafts.
const DRAFTS: &str = "/api/admin/site/drafts/";
/// Bytes of a draft's body: the states have 100 KB as shipped.
const MAX_DRAFT_BYTES: usize = 512 * 1024;
/// The path of the call that stores a picture.
const PICTURES: &str = "/api/admin/site/pictures";
/// Bytes of a picture in base64: the dashboard sends pictures of the size that is shown.
const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;

/// How many bytes the body of a request to `path` may have, if these calls take more than others.
pub fn body_limit(path: &str) -> Option<usize> {
    match path {
        PICTURES => Some(MAX_PICTURE_BYTES),
        path if path.starts_with(DRAFTS) => Some(MAX_DRAFT_BYTES),
        _ => None,
    }
}

/// The group of calls in the API description.
#[derive(Tags)]
enum Tag {
    /// What the site says: drafts, preview, publishing. Needs an admin's access token.
    Site,
}

/// All calls about the site's content.
pub fn endpoints() -> impl OpenApi {
    (
        read::ReadApi,
        drafts::DraftApi,
        pictures::PictureApi,
        publish::PublishApi,
    )
}

/// 409: somebody else was faster.
fn conflict(detail: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, detail).with_code("edited_meanwhile")
}

/// The error of publishing or rendering.
fn problem(error: PublishError) -> Problem {
    match error {
        PublishError::Invalid(faults) => Problem::content(faults),
        PublishError::Conflict => {
            conflict("Somebody else has published or saved meanwhile. Load the page again.")
        }
        PublishError::Store(error) => error.into(),
        PublishError::Failed(error) => failure(error),
    }
}

/// 500: the pages could not be rendered.
fn failure(error: anyhow::Error) -> Problem {
    tracing::error!(error = %format!("{error:#}"), "the pages could not be rendered");
    let detail = "The pages could not be rendered; nothing was published.";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
}
