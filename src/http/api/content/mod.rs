//! The site's content, for admins: read, drafts, preview, publish, pictures, history, return to an
//! earlier version.

pub mod body_limit;
mod drafts;
mod errors;
mod pictures;
pub mod preview;
pub mod previews;
mod publish;
mod read;

use poem_openapi::OpenApi;

/// All calls about the site's content.
pub fn endpoints() -> impl OpenApi {
    (
        read::ReadApi,
        drafts::DraftApi,
        pictures::PictureApi,
        publish::PublishApi,
    )
}
