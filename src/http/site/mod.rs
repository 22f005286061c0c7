//! The site's content, for admins: read, drafts, preview, publish, history, a step back.

mod drafts;
pub mod preview;
mod publish;
mod read;

use poem::http::StatusCode;
use poem_openapi::{OpenApi, Tags};

use super::problem::Problem;
use crate::publishing::PublishError;

/// Path prefix of the calls that save drafts, whose bodies may be longer.
pub const DRAFTS: &str = "/api/admin/site/drafts/";
/// Bytes of a draft's body: the states have 100 KB as shipped.
pub const MAX_DRAFT_BYTES: usize = 512 * 1024;

/// The group of calls in the API description.
#[derive(Tags)]
enum Tag {
    /// What the site says: drafts, preview, publishing. Needs an admin's access token.
    Site,
}

/// All calls about the site's content.
pub fn endpoints() -> impl OpenApi {
    (read::ReadApi, drafts::DraftApi, publish::PublishApi)
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
        PublishError::Failed(error) => {
            tracing::error!(error = %format!("{error:#}"), "the pages could not be rendered");
            let detail = "The pages could not be rendered; nothing was published.";
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
        }
    }
}
