//! Why requests fail: what is missing, and what the service says.

use std::io;

use super::checked_lists::NO_LIST;

/// Characters of an error that are shown: the service's own text may be a page.
const MAX_ERROR: usize = 300;

/// Why a request failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of this name.
    #[error("{0} does not exist")]
    Missing(String),
    /// The service cannot be reached, or refuses.
    #[error("{0}")]
    Failed(String),
}

/// Result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        let text = describe(&error);
        match error {
            // The bucket itself is missing.
            _ if text.contains("NoSuchBucket") => Self::Failed("the bucket does not exist".into()),
            object_store::Error::NotFound { path, .. } => Self::Missing(path),
            _ => Self::Failed(text),
        }
    }
}

/// What an error says, and its first cause, such as a certificate that is not trusted.
fn describe(error: &object_store::Error) -> String {
    let whole = error.to_string();
    if is_page(&whole) {
        return "it answers with a web page, not as S3 does; is `s3.endpoint` right?".to_owned();
    }
    let text = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(MAX_ERROR).collect();
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let cause = cause.to_string();
    match text.contains(&cause) {
        true => text,
        false => format!("{text}: {cause}"),
    }
}

/// Whether the text contains an HTML page, as that of a web server which is no S3 service.
fn is_page(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["<!doctype", "<html", "invalid list response", NO_LIST]
        .iter()
        .any(|mark| text.contains(mark))
}

/// The error of a request that names nothing that could be missing but the bucket.
pub(super) fn failed(error: object_store::Error) -> Error {
    match Error::from(error) {
        Error::Missing(_) => Error::Failed("the bucket does not exist".to_owned()),
        failed => failed,
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Missing(_) => Self::new(io::ErrorKind::NotFound, error),
            Error::Failed(_) => Self::other(error),
        }
    }
}

/// Whether an error of the operating system is one of the service.
pub fn is_failure(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(Error::Failed(_)))
}
