//! Errors shared by several calls.

use poem::http::StatusCode;

use http::request::problem::Problem;
use site::publishing::PublishError;

/// 409: edited concurrently.
pub(super) fn conflict(detail: &str) -> Problem {
    Problem::conflict(detail).with_code("edited_meanwhile")
}

/// The error of publishing or rendering.
pub(super) fn problem(error: PublishError) -> Problem {
    match error {
        PublishError::Invalid(faults) => Problem::content(faults),
        PublishError::Conflict => conflict(
            "Another admin has published or saved since you opened this page. Load it again.",
        ),
        PublishError::Store(error) => error.into(),
        PublishError::Failed(error) => failure(error),
    }
}

/// 500: the pages could not be rendered.
pub(super) fn failure(error: anyhow::Error) -> Problem {
    tracing::error!(error = %format!("{error:#}"), "the pages could not be rendered");
    let detail = "The pages could not be rendered; nothing was published.";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
}
