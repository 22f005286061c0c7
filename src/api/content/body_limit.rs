//! The body limits of calls with larger bodies.

/// Path prefix of the calls that save drafts.
const DRAFTS: &str = "/api/admin/site/drafts/";

/// Maximum body of a draft, in bytes: the states have 100 KB as shipped.
const MAX_DRAFT_BYTES: usize = 512 * 1024;

/// The path of the call that stores a picture.
const PICTURES: &str = "/api/admin/site/pictures";

/// Maximum body of a picture in base64, in bytes: the dashboard sends pictures in their displayed
/// size.
const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;

/// The body limit of a request to `path` if it differs from the default.
pub fn body_limit(path: &str) -> Option<usize> {
    match path {
        PICTURES => Some(MAX_PICTURE_BYTES),
        path if path.starts_with(DRAFTS) => Some(MAX_DRAFT_BYTES),
        _ => None,
    }
}
