//! The site's content, for admins: read, drafts, preview, publish now or at a time, pictures,
//! history with its changes, return to an earlier version.

mod drafts;
mod errors;
mod parts;
mod pictures;
pub mod preview;
mod publish;
mod read;
mod to_fill;

pub use parts::Content;
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
